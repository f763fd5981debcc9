package dev.perdure.llvm.driver;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Splits a compiler's command line, which must have no response files any more. */
final class ArgumentReader {
  /** Options whose value is the next word. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          ("-I -D -U -L -F -B -A -T -u -z -e -h -G -b -V -include -imacros -isystem -idirafter "
                  + "-iquote -isysroot -iprefix -iwithprefix -iwithprefixbefore -ivfsoverlay "
                  + "-iframework -include-pch -cxx-isystem -MF -MT -MQ -MJ -target -arch -mllvm "
                  + "-Xclang -Xpreprocessor -Xassembler -Xarch_host -Xarch_device -Xopenmp-target "
                  + "-Xanalyzer -framework -rpath -soname -dumpbase -dumpbase-ext -dumpdir "
                  + "-aux-info -resource-dir -working-directory -wrapper -specs --param --sysroot "
                  + "--include --output --library-directory --for-linker --assembler "
                  + "--serialize-diagnostics -serialize-diagnostics -fdebug-compilation-dir "
                  + "-fmodules-cache-path -fplugin-arg -undefined -init -Tbss -Tdata -Ttext")
              .split(" "));

  private final List<Argument> arguments = new ArrayList<>();
  private String language = "none";

  static List<Argument> read(List<String> words) {
    ArgumentReader reader = new ArgumentReader();
    Iterator<String> rest = words.iterator();
    while (rest.hasNext()) {
      reader.read(rest.next(), rest);
    }
    return List.copyOf(reader.arguments);
  }

  private void read(String word, Iterator<String> rest) {
    if (word.equals("-o") || word.equals("--output")) {
      arguments.add(new Argument.Output(next(rest)));
    } else if (word.startsWith("-o") && !word.startsWith("-object")) {
      arguments.add(new Argument.Output(word.substring(2)));
    } else if (word.equals("-x") || word.equals("--language")) {
      language = next(rest);
    } else if (word.startsWith("-x") && word.length() > 2) {
      language = word.substring(2);
    } else if (word.equals("-l")) {
      arguments.add(new Argument.Library(next(rest)));
    } else if (word.startsWith("-l")) {
      arguments.add(new Argument.Library(word.substring(2)));
    } else if (word.startsWith("-Wl,")) {
      for (String part : word.substring(4).split(",")) {
        arguments.add(new Argument.LinkerWord(part));
      }
    } else if (word.equals("-Xlinker") || word.equals("--for-linker")) {
      arguments.add(new Argument.LinkerWord(next(rest)));
    } else if (word.startsWith("-") && word.length() > 1) {
      arguments.add(
          new Argument.Option(
              WITH_VALUE.contains(word) && rest.hasNext()
                  ? List.of(word, rest.next())
                  : List.of(word)));
    } else {
      arguments.add(new Argument.Input(word, language));
    }
  }

  private static String next(Iterator<String> rest) {
    return rest.hasNext() ? rest.next() : "";
  }
}
