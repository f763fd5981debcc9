package dev.perdure.llvm.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ConstraintTest {

  @Test
  void shouldNumberArgumentsOfMemoryOperandsAndInputs() {
    List<Constraint> operands = Constraint.parse("=*m,=r,r,*m,~{memory},~{dirflag}");

    assertThat(operands).hasSize(4);
    assertThat(operands.get(0).indirect()).isTrue();
    assertThat(operands.get(0).output()).isTrue();
    assertThat(operands)
        .extracting(Constraint::argument)
        .containsExactly(
            OptionalInt.of(0), OptionalInt.empty(), OptionalInt.of(1), OptionalInt.of(2));
  }

  @Test
  void shouldKnowTiedInputsAndFixedRegisters() {
    List<Constraint> operands = Constraint.parse("={di},={cx},{ax},0,1");

    assertThat(operands).extracting(Constraint::register).containsExactly("di", "cx", "ax", "", "");
    assertThat(operands.get(3).tied()).hasValue(0);
    assertThat(operands.get(4).tied()).hasValue(1);
  }

  @Test
  void shouldGiveLabelsNoArgument() {
    List<Constraint> operands = Constraint.parse("r,!i,~{memory}");

    assertThat(operands.get(1).label()).isTrue();
    assertThat(operands.get(1).argument()).isEmpty();
  }

  @Test
  void shouldAcceptNoOperandsAtAll() {
    assertThat(Constraint.parse("")).isEmpty();
    assertThat(Constraint.parse("~{memory}")).isEmpty();
  }
}
