package dev.perdure.binary.region;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Libraries of random functions: any graph, much arithmetic on addresses, some acquires. */
final class RandomAssembly {
  private static final String[] REGISTERS = {
    "ax", "cx", "dx", "bx", "si", "di", "8", "9", "12", "13"
  };
  private final Random random;
  private final StringBuilder text = new StringBuilder(".text\n");

  private RandomAssembly(long seed) {
    random = new Random(seed);
  }

  static Path library(Path folder, long seed, int functions)
      throws IOException, InterruptedException {
    RandomAssembly assembly = new RandomAssembly(seed);
    for (int i = 0; i < functions; i++) {
      assembly.function("f" + i);
    }
    Path source = folder.resolve("random.s");
    Path library = folder.resolve("librandom.so");
    Files.writeString(
        source,
        assembly.text + ".section .note.GNU-stack,\"\",@progbits\n",
        StandardCharsets.UTF_8);
    int exit =
        new ProcessBuilder(
                List.of("gcc", "-shared", "-nostdlib", "-o", library.toString(), source.toString()))
            .inheritIO()
            .start()
            .waitFor();
    if (exit != 0) {
      throw new IOException("gcc could not assemble " + source);
    }
    return library;
  }

  private void function(String name) {
    int blocks = 1 + random.nextInt(9);
    line("%s: .cfi_startproc", name);
    text.insert(0, ".globl " + name + "\n.type " + name + ",@function\n");
    for (int block = 0; block < blocks; block++) {
      line(".L%s_%d:", name, block);
      int instructions = 1 + random.nextInt(4);
      for (int i = 0; i < instructions; i++) {
        instruction();
      }
      String target = ".L" + name + "_" + random.nextInt(blocks);
      switch (random.nextInt(6)) {
        case 0 -> line("  jmp %s", target);
        case 1, 2 -> line("  jne %s", target);
        case 3 -> line(random.nextInt(3) == 0 ? "  ret" : "  testl %%eax, %%eax");
        default -> {}
      }
    }
    line("  ret\n  .cfi_endproc\n  .size %s, .-%s", name, name);
  }

  private void instruction() {
    switch (random.nextInt(20)) {
      case 0 -> line("  lock incl (%s)", wide());
      case 1 -> line("  call %s@plt", random.nextBoolean() ? "pthread_mutex_lock" : "pmem_flush");
      case 2 -> line("  movq %d(%s), %s", random.nextInt(64), wide(), wide());
      case 3, 4, 5 -> line("  movq %s, %s", wide(), wide());
      case 6, 7 ->
          line(
              "  leaq %d(%s,%s,%d), %s",
              random.nextInt(99), wide(), wide(), 1 << random.nextInt(4), wide());
      case 8 -> line("  addq $%d, %s", random.nextInt(500), wide());
      case 9 -> line("  subq %s, %s", wide(), wide());
      case 10 -> line("  andl $%d, %s", random.nextInt(500), narrow());
      case 11 -> line("  shlq $%d, %s", 1 + random.nextInt(5), wide());
      case 12 -> line("  movzbl %s, %s", random.nextBoolean() ? "%al" : "%cl", narrow());
      case 13 -> line("  xorl %s, %s", narrow(), narrow());
      case 14 -> line("  imulq $%d, %s, %s", random.nextInt(100), wide(), wide());
      case 15 -> line("  sarl $%d, %s", 1 + random.nextInt(5), narrow());
      case 16 -> line("  movw $7, %%ax");
      default -> line("  movq %s, %d(%s)", wide(), random.nextInt(64), wide());
    }
  }

  private String wide() {
    return "%r" + REGISTERS[random.nextInt(REGISTERS.length)];
  }

  private String narrow() {
    String name = REGISTERS[random.nextInt(REGISTERS.length)];
    return Character.isDigit(name.charAt(0)) ? "%r" + name + "d" : "%e" + name;
  }

  private void line(String format, Object... values) {
    text.append(format.formatted(values)).append('\n');
  }
}
