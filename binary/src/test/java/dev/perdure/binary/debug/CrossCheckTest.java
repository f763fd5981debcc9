package dev.perdure.binary.debug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perdure.binary.elf.ElfFile;
import dev.perdure.binary.elf.ElfSection;
import dev.perdure.model.code.Frame;
import dev.perdure.model.code.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte of code of many builds of one program means the same here and to LLVM. */
class CrossCheckTest {
  private static final int SHOWN = 5;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gcc -g -gdwarf-4 -O0",
        "gcc -g -gdwarf-5 -O1",
        "gcc -g -gdwarf-4 -O2",
        "gcc -g -gdwarf-5 -O3",
        "gcc -g -gdwarf-3 -O2",
        "gcc -g -gdwarf64 -O2",
        "gcc -g1 -O2",
        "gcc -g -O2 -gz=zlib",
        "gcc -gdwarf-4 -gsplit-dwarf -O2",
        "gcc -gdwarf-5 -gsplit-dwarf -O2",
        "gcc -g -O2 -flto",
        "gcc -g -O2 -no-pie -ffunction-sections -Wl,--gc-sections",
        "gcc -g -O2 -fPIC -shared",
        "gcc -g -O2 -fdebug-types-section",
        "clang -g -gdwarf-4 -O0",
        "clang -g -gdwarf-5 -O1",
        "clang -g -gdwarf-5 -O2",
        "clang -g -gdwarf-4 -O3",
        "clang -gline-tables-only -O2",
        "clang -g -O2 -gz=zlib -fuse-ld=lld",
        "clang -g -gdwarf-4 -gsplit-dwarf -O2",
        "clang -g -gdwarf-5 -gsplit-dwarf -O2",
        "clang -g -O2 -flto -fuse-ld=lld",
        "clang -g -O2 -ffunction-sections -fuse-ld=lld -Wl,--gc-sections,--icf=all"
      })
  void shouldAgreeWithLlvmOnEveryAddress(String command) throws Exception {
    agree(BuiltProgram.in(folder, command));
  }

  @Test
  void shouldReadPackagesOfSplitUnits() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -gdwarf-4 -gsplit-dwarf -O2");
    BuiltProgram.run(folder, List.of("dwp", "-e", "program", "-o", "program.dwp"));
    try (var files = Files.list(folder)) {
      for (Path dwo : files.filter(f -> f.toString().endsWith(".dwo")).toList()) {
        Files.delete(dwo);
      }
    }
    agree(program);
  }

  @Test
  void shouldFollowDebugLinks() throws Exception {
    Path program = BuiltProgram.in(folder, "gcc -g -O2 -Wl,--build-id=none");
    List<Site> before = sites(program, addresses(program));
    BuiltProgram.run(folder, List.of("objcopy", "--only-keep-debug", "program", "program.debug"));
    BuiltProgram.run(folder, List.of("strip", "program"));
    BuiltProgram.run(folder, List.of("objcopy", "--add-gnu-debuglink=program.debug", "program"));

    assertThat(sites(program, addresses(program))).isEqualTo(before);
    agree(program);
  }

  private void agree(Path program) throws Exception {
    List<Long> addresses = addresses(program);
    List<List<ReferenceSymbolizer.Place>> wanted =
        new ReferenceSymbolizer(folder).places(program, addresses);
    ModuleSymbols symbols = ModuleSymbols.open(program);
    assertThat(wanted).hasSameSizeAs(addresses);
    int withLines = 0;
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      Site site = symbols.siteAt(addresses.get(i));
      withLines += site.innermost().line() > 0 ? 1 : 0;
      if (!same(wanted.get(i), site.frames())) {
        wrong.add("0x%x: %s, not %s".formatted(addresses.get(i), site, wanted.get(i)));
      }
    }
    assertThat(wrong.subList(0, Math.min(SHOWN, wrong.size()))).isEmpty();
    assertThat(symbols.problems()).isEmpty();
    assertThat(withLines).isGreaterThan(addresses.size() / 2);
  }

  private static List<Long> addresses(Path program) throws Exception {
    List<Long> all = new ArrayList<>();
    for (ElfSection section : ElfFile.read(program).orElseThrow().sections()) {
      for (long i = 0; section.name().equals(".text") && i < section.size(); i++) {
        all.add(section.address() + i);
      }
    }
    return all;
  }

  static List<Site> sites(Path program, List<Long> addresses) {
    ModuleSymbols symbols = ModuleSymbols.open(program);
    return addresses.stream().map(symbols::siteAt).toList();
  }

  private static boolean same(List<ReferenceSymbolizer.Place> wanted, List<Frame> got) {
    if (wanted.size() == 1 && wanted.get(0).file().equals("??")) {
      return got.size() == 1
          && got.get(0).file().isEmpty()
          && !got.get(0).functionAndOffset().isEmpty();
    }
    if (wanted.size() != got.size()) {
      return false;
    }
    for (int i = 0; i < got.size(); i++) {
      ReferenceSymbolizer.Place place = wanted.get(i);
      Frame frame = got.get(i);
      boolean lineIsGuessed = i == 0 && place.line() == 0;
      if (!lineIsGuessed
              && (place.line() != frame.line()
                  || !Path.of(place.file()).normalize().equals(Path.of(frame.file()).normalize()))
          || !sameFunction(place.function(), frame.function())) {
        return false;
      }
    }
    return true;
  }

  /** The reference names functions without their scopes. */
  private static boolean sameFunction(String wanted, String got) {
    return wanted.equals("??") && !got.isEmpty()
        || wanted.equals(got)
        || got.endsWith("::" + wanted)
        || got.startsWith("_Z") && got.contains(wanted.replaceAll("<.*", ""));
  }
}
