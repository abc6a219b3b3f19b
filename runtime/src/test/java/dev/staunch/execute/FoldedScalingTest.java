package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Value;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Scaling channels by a module's numbers is folded into the operation that sums them. */
class FoldedScalingTest extends ScalingProgram {
  @Test
  void aLayerIsScaledByItsWeight() {
    Plan plan = layer();
    assertSame(plan, 5, IN);
    assertEquals(1, scaled, "as it is written");
    long held = home.account().bytes();
    assertSame(plan, 2, IN);
    assertEquals(2, scaled);
    assertEquals(held, home.account().bytes(), "it is folded once");
  }

  @Test
  void aLongRowOfTheWeightIsScaledToItsEnd() {
    assertSame(layer(10_000), 1e-2f, 2, 10_000);
    assertEquals(1, scaled, "as it is written");
  }

  @Test
  void thePlanTellsWhatIsFolded() {
    List<PlannedOperation> operations = layer().operations("M.run");
    assertEquals(
        List.of(PlannedOperation.Evaluation.EACH_TIME, PlannedOperation.Evaluation.FOLDED),
        operations.stream().map(PlannedOperation::evaluation).toList());
    assertEquals("aten::batch_norm", operations.getLast().name());
    assertThrows(StaunchException.class, () -> layer().operations("M.walk"));
  }

  @Test
  void inTrainingThePlanFoldsNothing() {
    training = true;
    assertEquals(
        PlannedOperation.Evaluation.EACH_TIME, layer().operations("M.run").getLast().evaluation());
  }

  @Test
  void aConvolutionWithoutABiasIsScaledByItsWeight() {
    Plan plan = convolution();
    assertSame(plan, 2, IN, 4, 3);
    assertEquals(1, scaled);
  }

  @Test
  void channelsThatLieElsewhereAreScaledByThemselves() {
    Plan plan = layer();
    run(plan, options -> options, 2, OUT, IN);
    assertEquals(1, scaled);
  }

  @Test
  void inTrainingEachRequestScales() {
    training = true;
    Plan plan = layer();
    run(plan, options -> options, 5, IN);
    run(plan, options -> options, 5, IN);
    assertEquals(2, scaled);
  }

  @Test
  void withGradientsEachRequestScales() {
    Plan plan = layer();
    run(plan, options -> options.withGradEnabled(true), 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void whoWatchesSeesBothOperations() {
    Plan plan = layer();
    run(plan, options -> options, 5, IN);
    List<String> seen = new ArrayList<>();
    run(
        plan,
        options ->
            options.withInterceptor((operation, arguments, source) -> {
              seen.add(operation);
              return null;
            }),
        5,
        IN);
    assertEquals(List.of("aten::linear", "aten::batch_norm"), seen);
  }

  @Test
  void onceAParameterIsWrittenEachRequestScales() {
    setParameters(OUT, IN);
    Value sums = call("aten::linear", x, parameter("weight"), parameter("bias"));
    Value result = normalized(sums);
    Value one = constant(new Attribute.Int(1, Type.Plain.INT), Type.Plain.INT);
    call("aten::add_.Tensor", parameter("mean"), parameter("beta"), one);
    Plan plan = plan(result);
    run(plan, options -> options, 5, IN);
    assertEquals(0, scaled);
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void aFaultNamesTheOperationAndOperandsAsTheyAreWritten() {
    Plan plan = convolution();
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, 2, OUT, 4, 3).getFirst());
    Fault written =
        assertInstanceOf(
            Fault.class, run(plan, o -> o.withOperationsAsWritten(true), 2, OUT, 4, 3).getFirst());
    assertEquals("aten::conv2d", fault.operation());
    assertEquals(written.toString(), fault.toString());
    assertEquals(written.operands(), fault.operands());
    assertEquals(written.source(), fault.source());
  }

  @Test
  void aFaultOfTheScalingIsItsOwn() {
    setParameters(OUT, IN);
    module.set(2, filled(home, 0.5, OUT + 1));
    Plan plan = plan(normalized(call("aten::linear", x, parameter("weight"), parameter("bias"))));
    Fault fault = assertInstanceOf(Fault.class, run(plan, o -> o, 5, IN).getFirst());
    assertEquals("aten::batch_norm", fault.operation());
  }

  @Test
  void whatWouldNotBeFiniteIsNotFolded() {
    Plan plan = layer();
    DenseTensor gamma = (DenseTensor) Objects.requireNonNull(module.get(2));
    gamma.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 1, Float.POSITIVE_INFINITY);
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }

  @Test
  void whatIsFiniteOnlyBeforeItIsRoundedIsNotFolded() {
    Plan plan = layer();
    for (int i = 0; i < 2; i++) { // weight, gamma
      DenseTensor parameter = (DenseTensor) Objects.requireNonNull(module.get(i == 0 ? 0 : 2));
      parameter.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i == 0 ? IN : 1, 1e30f);
    }
    run(plan, options -> options, 5, IN);
    assertEquals(1, scaled);
  }
}
