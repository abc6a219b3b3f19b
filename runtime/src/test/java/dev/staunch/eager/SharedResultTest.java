package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.StaunchException;
import dev.staunch.operation.None;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A result that shares its operand's memory takes turns with it; every other result has its own.
 */
class SharedResultTest {
  private static final int WRITES = 50;

  /** A way to make a result from a tensor. */
  private interface Form {
    Tensor of(Context context, Tensor operand);
  }

  /** What must hold for a form. */
  private interface Check {
    void of(EagerTrial trial, Form form);
  }

  private static final List<Form> SHARING =
      List.of(
          (context, x) -> context.apply("aten::type_as", x, x),
          (context, x) -> context.apply("aten::atleast_3d", x),
          (context, x) -> context.apply("aten::dropout", x, 0.5, false),
          (context, x) -> context.applyList("aten::unsafe_chunk", x, 1L, 0L)[0],
          (context, x) -> context.applyList("aten::broadcast_tensors", List.of(x))[0],
          (context, x) -> context.applyList("aten::meshgrid", List.of(x.flatten()))[0]);

  private static final List<Form> OWNING =
      List.of(
          (context, x) -> context.apply("aten::pixel_shuffle", x, 1L),
          (context, x) -> context.apply("aten::pixel_unshuffle", x, 1L),
          (context, x) -> context.apply("aten::channel_shuffle", x, 1L),
          (context, x) -> context.apply("aten::einsum", "abc->abc", List.of(x), None.NONE),
          (context, x) -> context.apply("aten::hstack", List.of(x)));

  /** Tests each form on an engine of each kind. */
  private static Stream<DynamicTest> onAllEngines(List<Form> forms, Check check) {
    return EagerTrial.engines()
        .flatMap(engine ->
            forms.stream()
                .map(form ->
                    DynamicTest.dynamicTest(
                        engine + " form " + forms.indexOf(form),
                        () -> {
                          try (EagerTrial trial = new EagerTrial(engine)) {
                            check.of(trial, form);
                          }
                        })));
  }

  @TestFactory
  Stream<DynamicTest> aReadSeesAllWritesOfTheOperandThatWereCalledBefore() {
    return onAllEngines(
        SHARING,
        (trial, form) -> {
          Tensor x = trial.context.zeros(8, 16, 64);
          Tensor result = form.of(trial.context, x);
          write(x);
          assertEquals(WRITES, result.flatten().floats()[8 * 16 * 64 - 1]);
        });
  }

  @TestFactory
  Stream<DynamicTest> aFailedWriteOfTheOperandIsTheFaultOfItsMemory() {
    return onAllEngines(
        SHARING,
        (trial, form) -> {
          Tensor x = trial.context.zeros(8, 2, 2);
          Tensor result = form.of(trial.context, x);
          x.add_(trial.invalid());
          assertThrows(StaunchException.ValueException.class, result::floats);
        });
  }

  @TestFactory
  Stream<DynamicTest> memoryOfItsOwnKeepsWhatItHeld() {
    return onAllEngines(
        OWNING,
        (trial, form) -> {
          Tensor x = trial.context.zeros(8, 16, 64);
          Tensor result = form.of(trial.context, x);
          write(x);
          assertEquals(0, result.flatten().floats()[8 * 16 * 64 - 1]);
        });
  }

  /** Kernels that return memory they were given, although their schemas promise fresh results. */
  private static EagerTrial withCareless(EngineOptions engine) {
    return new EagerTrial(
        engine,
        catalog ->
            catalog
                .closesOnFailure() // without that promise a kernel that does this is at fault
                .one("test::same(Tensor x) -> Tensor", call -> call.tensor(0))
                .one("test::first(Tensor[] x) -> Tensor", call -> call.list(0).getFirst())
                .one(
                    "test::view(Tensor x) -> Tensor",
                    call -> call.tensor(0).view(call.scope(), call.tensor(0).layout()))
                .many(
                    "test::twice(Tensor x) -> (Tensor, Tensor)",
                    call -> {
                      Object view = call.tensor(0).view(call.scope(), call.tensor(0).layout());
                      return new Object[] {view, view};
                    }));
  }

  @ParameterizedTest
  @MethodSource("dev.staunch.eager.EagerTrial#engines")
  void whatASchemaCallsFreshIsMemoryOfItsOwnWhateverTheKernelReturns(EngineOptions engine) {
    try (EagerTrial trial = withCareless(engine)) {
      Context context = trial.context;
      Tensor x = context.zeros(8);
      List<Tensor> results = new ArrayList<>();
      results.add(context.apply("test::same", x));
      results.add(context.apply("test::first", List.of(x)));
      results.add(context.apply("test::view", x));
      results.addAll(List.of(context.applyMany("test::twice", 2, x)));
      write(x);
      x.close();
      for (Tensor result : results) {
        assertEquals(0, result.floats()[7]);
        result.add_(1);
        result.close();
      }
      context.waitAll();
      assertEquals(0, context.bytes(), "M4");
    }
  }

  private static void write(Tensor operand) {
    for (int i = 0; i < WRITES; i++) {
      operand.add_(1);
    }
  }
}
