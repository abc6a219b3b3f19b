package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.engine.EngineOptions;
import dev.staunch.type.DType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A tensor that is written completely is healed, whatever the order of its elements; one that is
 * written in part is not (F4).
 */
class OverwriteTest {
  /** Operations that write all of their tensor without reading it. */
  private static final Map<String, BiFunction<Context, Tensor, Tensor>> OVERWRITES =
      Map.of(
          "zero_", (context, t) -> t.zero_(),
          "fill_", (context, t) -> t.fill_(1.0),
          "fill_ with a tensor",
              (context, t) -> t.applyInPlace("aten::fill_.Tensor", t, context.full(1.0)),
          "copy_", (context, t) -> t.copy_(context.full(1.0)),
          "uniform_", (context, t) -> t.uniform_(0, 1),
          "normal_", (context, t) -> t.normal_(0, 1),
          "bernoulli_", (context, t) -> t.bernoulli_(0.5),
          "exponential_", (context, t) -> t.exponential_(1),
          "random_", (context, t) -> t.random_(0, 5));

  private static final Map<String, Function<Context, Tensor>> WHOLE = new LinkedHashMap<>();
  private static final Map<String, Function<Context, Tensor>> PARTS = new LinkedHashMap<>();

  static {
    WHOLE.put("a matrix", in -> in.zeros(2, 3));
    WHOLE.put("a scalar", in -> in.full(2.0));
    WHOLE.put("nothing", in -> in.zeros(0, 3));
    WHOLE.put("a transposed view", in -> in.zeros(2, 3).t());
    WHOLE.put("a copy that kept its order", in -> in.zeros(2, 3).t().copy());
    WHOLE.put("a permuted view", in -> in.zeros(2, 3, 4).permute(1, 2, 0));
    WHOLE.put("a view with a new dimension", in -> in.zeros(2, 3).unsqueeze(1).transpose(0, 2));
    WHOLE.put("a view from start to end", in -> in.zeros(4).slice(0, 0, 4, 1));
    WHOLE.put("expanded to its own size", in -> in.zeros(2, 1, 3).expand(2, 1, 3));
    WHOLE.put("the result of a function", in -> in.zeros(2, 3).t().exp());
    WHOLE.put("the result of a product", in -> in.zeros(2, 3).matmul(in.zeros(3, 2)).t());
    WHOLE.put("the result of a sort", in -> in.zeros(2, 3).sort().values());
    WHOLE.put("the result of a reduction", in -> in.zeros(2, 3).sum());
    WHOLE.put("a copy in another dtype", in -> in.zeros(DType.FLOAT64, 2, 3).t().to(DType.FLOAT32));

    PARTS.put("a row", in -> in.zeros(2, 3).select(0, 1));
    PARTS.put("every other", in -> in.zeros(4).slice(0, 0, 4, 2));
    PARTS.put("all but the first", in -> in.zeros(2, 3).t().narrow(0, 1, 2));
    PARTS.put("the diagonal", in -> in.apply("aten::diagonal", in.zeros(3, 3), 0L, 0L, 1L));
    PARTS.put("no element", in -> in.zeros(4).slice(0, 2, 2, 1));
    PARTS.put("one of one row", in -> in.zeros(1, 3).t().narrow(0, 0, 1));
  }

  private static Stream<DynamicTest> onAllEngines(
      Map<String, Function<Context, Tensor>> forms, Check check) {
    return EagerTrial.engines()
        .flatMap(engine ->
            forms.entrySet().stream()
                .flatMap(form ->
                    OVERWRITES.entrySet().stream()
                        .map(write ->
                            DynamicTest.dynamicTest(
                                write.getKey() + " of " + form.getKey() + ", " + engine.mode(),
                                () -> run(engine, form.getValue(), write.getValue(), check)))));
  }

  /** What must hold for a faulted tensor that is then overwritten. */
  private interface Check {
    void of(Tensor tensor);
  }

  private static void run(
      EngineOptions engine,
      Function<Context, Tensor> form,
      BiFunction<Context, Tensor, Tensor> write,
      Check check) {
    try (EagerTrial trial = new EagerTrial(engine)) {
      Tensor tensor = form.apply(trial.context);
      tensor.add_(trial.context.ones(77));
      check.of(write.apply(trial.context, tensor));
    }
  }

  @TestFactory
  Stream<DynamicTest> whatIsWrittenEverywhereIsHealed() {
    return onAllEngines(WHOLE, tensor -> assertNull(tensor.fault()));
  }

  @TestFactory
  Stream<DynamicTest> whatIsWrittenInPartIsNot() {
    return onAllEngines(PARTS, tensor -> assertNotNull(tensor.fault()));
  }

  /** An expanded tensor cannot be written, and so cannot be healed that way (F1). */
  @TestFactory
  Stream<DynamicTest> whatLiesInOnePlaceSeveralTimesIsNotHealedByAWriteThatIsRefused() {
    Map<String, Function<Context, Tensor>> expanded =
        Map.of(
            "a row", in -> in.zeros(1, 3).expand(4, 3),
            "as many as there are", in -> in.zeros(8).slice(0, 0, 4, 1).expand(2, 4));
    return onAllEngines(expanded, tensor -> assertNotNull(tensor.fault()));
  }

  /** Overwriting the whole heals all views; overwriting a part heals none. */
  @TestFactory
  Stream<DynamicTest> viewsAreHealedWithTheWholeThroughWhicheverView() {
    return EagerTrial.engines()
        .map(engine ->
            DynamicTest.dynamicTest(
                engine.mode() + "",
                () -> {
                  try (EagerTrial trial = new EagerTrial(engine)) {
                    Tensor whole = trial.context.zeros(2, 3, 4);
                    List<Tensor> views =
                        List.of(whole.select(1, 2), whole.permute(2, 0, 1), whole.reshape(24));
                    views.getFirst().add_(trial.context.ones(77));
                    views.getFirst().zero_();
                    views.forEach(view -> assertNotNull(view.fault()));
                    views.get(1).fill_(1);
                    views.forEach(view -> assertNull(view.fault()));
                    assertEquals(24, whole.sum().item());
                  }
                }));
  }
}
