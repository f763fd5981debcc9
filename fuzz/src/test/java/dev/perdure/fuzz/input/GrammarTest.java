package dev.perdure.fuzz.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrammarTest {
  @TempDir Path folder;

  private Grammar read(String text) throws Exception {
    return GrammarReader.read(Files.writeString(folder.resolve("g"), text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final String STORE =
      "# a store\nKEY = 0..9\nVALUE = 1..99\ninsert put {KEY} {VALUE}\nop get {KEY}\n";

  @Test
  void shouldExplainInputsOfItsOperationsOnly() throws Exception {
    Grammar grammar = read(STORE);
    assertThat(grammar.explains(bytes("put 1 2\nget 1\n"))).isTrue();
    assertThat(grammar.explains(bytes("put 1 2\ndrop 1\n"))).isFalse();
  }

  @Test
  void shouldMakeValidInputsByEveryMutation() throws Exception {
    Grammar grammar = read(STORE);
    Mutator mutator = new OperationMutator(grammar);
    SplittableRandom random = new SplittableRandom(5);
    List<byte[]> corpus = List.of(bytes("put 1 2\nget 1\n"), bytes("get 3\n"));
    for (int i = 0; i < 500; i++) {
      assertThat(grammar.explains(mutator.mutate(corpus.get(i % 2), corpus, random))).isTrue();
      assertThat(grammar.explains(mutator.populate(corpus.get(i % 2), random))).isTrue();
    }
  }

  @Test
  void shouldLetOtherOperationsMeetAtAKeyOfAnInputOfInserts() throws Exception {
    Mutator mutator =
        new OperationMutator(
            read("KEY = 0..255\ninsert put {KEY}\nop update {KEY}\nop del {KEY}\n"));
    SplittableRandom random = new SplittableRandom(5);
    byte[] inserts = mutator.populate(new byte[0], random);
    int meet = 0;
    for (int i = 0; i < 200; i++) {
      String text =
          new String(mutator.mutate(inserts, List.of(inserts), random), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      meet +=
          lines.stream()
                  .anyMatch(l -> l.startsWith("del ") && lines.contains("update" + l.substring(3)))
              ? 1
              : 0;
    }
    assertThat(meet).isBetween(10, 190);
  }

  @Test
  void shouldPopulateWithManyInserts() throws Exception {
    Mutator mutator = new OperationMutator(read(STORE));
    String text =
        new String(
            mutator.populate(bytes("get 1\n"), new SplittableRandom(1)), StandardCharsets.UTF_8);
    assertThat(text.lines().filter(l -> l.startsWith("put ")).count()).isGreaterThanOrEqualTo(16);
  }

  @Test
  void shouldPopulateWithVariousKeys() throws Exception {
    Mutator mutator = new OperationMutator(read("KEY = 0..100000\ninsert put {KEY}\n"));
    byte[] input = mutator.populate(new byte[0], new SplittableRandom(1));
    long keys = new String(input, StandardCharsets.UTF_8).lines().distinct().count();
    assertThat(keys).isGreaterThanOrEqualTo(15);
  }

  @Test
  void shouldSuggestAGrammarFromLinesOfWordsAndNumbers() {
    Grammar grammar = Grammar.suggestedBy(List.of(bytes("put 3 1\ncopy 3\n"))).orElseThrow();
    assertThat(grammar.explains(bytes("put 60 7\ncopy 0\n"))).isTrue();
    assertThat(grammar.explains(bytes("drop 0\n"))).isFalse();
    assertThat(Grammar.suggestedBy(List.of(new byte[] {0, 1, 2}))).isEmpty();
  }

  @Test
  void shouldUnderstandSeparatorsAndEscapes() throws Exception {
    Grammar grammar = read("separator \\r\\n\nK = a|b\ninsert set {K} 0 0 1\\r\\nx\nop get {K}\n");
    assertThat(grammar.explains(bytes("get a\r\nget b\r\n"))).isTrue();
    Mutator mutator = new OperationMutator(grammar);
    String text =
        new String(
            mutator.populate(bytes("get a\r\n"), new SplittableRandom(1)), StandardCharsets.UTF_8);
    assertThat(text).containsPattern("set [ab] 0 0 1\r\nx\r\n");
  }

  @Test
  void shouldNameTheLineAndTheRemedy() throws Exception {
    assertThatThrownBy(() -> read("op get {KEY}\n"))
        .hasMessageContaining("g:1: {KEY} is not defined; add a line 'KEY = 0..255' above");
    assertThatThrownBy(() -> read("KEY = 9..1\n")).hasMessageContaining("g:1: the range is empty");
    assertThatThrownBy(() -> read("\nwhatever\n")).hasMessageContaining("g:2: expected 'op");
    assertThatThrownBy(() -> read("KEY = 0..9\n")).hasMessageContaining("has no operation");
    assertThatThrownBy(() -> GrammarReader.read(folder.resolve("none")))
        .hasMessageContaining("none: there is no such file");
    assertThatThrownBy(() -> read("KEY = 0..\n"))
        .hasMessageContaining("g:1: '0..' is no range; write one as 0..255");
    assertThatThrownBy(() -> read("KEY = 0..25x\n"))
        .hasMessageContaining("g:1: '0..25x' is no range; write one as 0..255");
    assertThatThrownBy(() -> read("KEY = O..255\n"))
        .hasMessageContaining("g:1: 'O..255' is no range; write one as 0..255");
    assertThatThrownBy(() -> read("KEY = 0..9\nop get {KEY\n"))
        .hasMessageContaining("g:2: {KEY is not closed; write {KEY}");
    assertThatThrownBy(() -> read("A = 0..9\nA = x | y\nop get {A}\n"))
        .hasMessageContaining("g:2: A is defined already");
    Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, 1});
    assertThatThrownBy(() -> GrammarReader.read(folder.resolve("bytes")))
        .hasMessageContaining("bytes: is no text in UTF-8");
  }

  @Test
  void shouldMutateBytesWithoutLosingTheEmptyInput() {
    Mutator mutator = new ByteMutator();
    SplittableRandom random = new SplittableRandom(3);
    List<byte[]> corpus = List.of(new byte[0], bytes("abc"));
    for (int i = 0; i < 500; i++) {
      assertThat(mutator.mutate(corpus.get(i % 2), corpus, random).length).isLessThan(100);
    }
  }

  @Test
  void shouldReadOperationsOfSeveralLines() throws Exception {
    Grammar grammar =
        read("separator \\r\\n\nK = a | b\nN = 10..99\nop set {K} 2\\r\\n{N}\nop get {K}\n");
    byte[] input =
        bytes("set a 2\r\n17\r\nget b\r\nset c 2\r\n17\r\nset a 2\r\n170\r\nnonsense\r\n");
    assertThat(grammar.count(input)).isEqualTo(Map.of("set", 1, "get", 1, "", 3));
    assertThat(grammar.render(grammar.parse(input))).isEqualTo(input);
  }

  @Test
  void shouldSplitInputsIntoPartsThatMakeThem() throws Exception {
    byte[] input = bytes("put 1 2\nget 1\nnonsense\n");
    for (Mutator mutator : List.of(new OperationMutator(read(STORE)), new ByteMutator())) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (byte[] part : mutator.parts(input)) {
        all.write(part);
      }
      assertThat(all.toByteArray()).isEqualTo(input);
    }
    assertThat(new OperationMutator(read(STORE)).parts(input)).hasSize(3);
  }
}
