package dev.perdure.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessSetTest {
  private static final AccessSet.Key STORE = new AccessSet.Key("prog", 0x1234, AccessKind.STORE);
  private static final AccessSet.Key FENCE = new AccessSet.Key("prog", 0x1300, AccessKind.FENCE);

  @Test
  void shouldNotMindPiecesOrderAndNumber() {
    var whole = new AccessSet();
    whole.add(STORE, 16, 16);
    var pieces = new AccessSet();
    pieces.add(STORE, 24, 8);
    pieces.add(STORE, 16, 8);
    pieces.add(STORE, 16, 8);

    assertThat(whole.without(pieces)).isEmpty();
    assertThat(pieces.without(whole)).isEmpty();
  }

  @Test
  void shouldNameTheBytesThatOnlyOneSideHas() {
    var one = new AccessSet();
    one.add(STORE, 0, 64);
    one.add(FENCE, 0, 0);
    var other = new AccessSet();
    other.add(STORE, 8, 8);
    other.add(STORE, 32, 8);

    assertThat(one.without(other))
        .containsExactly("prog+0x1234 store 0x0-0x7, 0x10-0x1f, 0x28-0x3f", "prog+0x1300 fence");
    assertThat(other.without(one)).isEmpty();
  }
}
