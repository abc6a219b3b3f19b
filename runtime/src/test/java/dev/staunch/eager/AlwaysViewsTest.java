package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operations that {@link Signature} says always return a view do so on every layout. */
class AlwaysViewsTest {
  private static final Map<String, Function<Tensor, Object[]>> ARGUMENTS = new TreeMap<>();

  static {
    put("adjoint");
    put("mH");
    put("linalg_diagonal", 0L, 0L, 2L);
    put("alias");
    put("atleast_1d");
    put("atleast_2d");
    put("atleast_3d");
    ARGUMENTS.put("aten::broadcast_tensors", t -> new Object[] {List.of(t, t)});
    put("broadcast_to", List.of(3L, 2L, 2L, 2L));
    put("chunk", 2L, 1L);
    put("cpu");
    put("detach");
    put("diagonal", 0L, 0L, 2L);
    put("expand", List.of(3L, 2L, 2L, 2L), false);
    ARGUMENTS.put("aten::expand_as", t -> new Object[] {t, t});
    ARGUMENTS.put("aten::imag", t -> new Object[] {t.apply("aten::view_as_complex", t)});
    put("mT");
    put("moveaxis.int", 0L, 2L);
    put("moveaxis.intlist", List.of(0L, 1L), List.of(2L, 0L));
    put("movedim.int", 0L, 2L);
    put("movedim.intlist", List.of(0L, 1L), List.of(2L, 0L));
    put("narrow", 1L, 0L, 1L);
    ARGUMENTS.put(
        "aten::narrow.Tensor", t -> new Object[] {t, 1L, t.context().zeros(DType.INT64).sum(), 1L});
    ARGUMENTS.put(
        "aten::matrix_H", t -> new Object[] {t.context().apply("aten::select.int", t, 0L, 0L)});
    put("as_strided", List.of(2L, 2L), List.of(1L, 2L));
    put("numpy_T");
    put("numpy_T.a");
    put("permute", List.of(2L, 0L, 1L));
    put("select.int", 1L, 1L);
    put("slice.Tensor", 1L, 0L, 2L, 2L);
    put("squeeze");
    put("squeeze.dim", 0L);
    put("squeeze.dims", List.of(0L, 1L));
    put("swapaxes", 0L, 1L);
    put("swapdims", 0L, 1L);
    put("positive");
    put("real");
    put("resolve_conj");
    put("resolve_neg");
    put("split", List.of(1L, 1L), 2L);
    put("split.Tensor", 1L, 2L);
    put("split.sizes", List.of(1L, 1L), 1L);
    put("split_with_sizes", List.of(1L, 1L), 1L);
    put("tensor_split.indices", List.of(1L), 2L);
    put("tensor_split.sections", 2L, 1L);
    put("unbind.int", 1L);
    ARGUMENTS.put("prim::data", t -> new Object[] {t});
    ARGUMENTS.put("aten::t", t -> new Object[] {t.select(0, 0)});
    put("transpose.int", 0L, 2L);
    put("unflatten.int", 1L, List.of(1L, 2L));
    put("unfold", 1L, 2L, 1L);
    put("unsqueeze", 1L);
    put("view", List.of(2L, 4L));
    ARGUMENTS.put("aten::view_as", t -> new Object[] {t, t.contiguous()});
    put("view_as_complex");
    ARGUMENTS.put("aten::view_as_real", t -> new Object[] {t.apply("aten::view_as_complex", t)});
  }

  private static void put(String operation, Object... rest) {
    ARGUMENTS.put(
        "aten::" + operation, t -> Stream.concat(Stream.of(t), Stream.of(rest)).toArray());
  }

  /** Tensors of [2, 2, 2], each with another order or with gaps. */
  private static final List<UnaryOperator<Tensor>> LAYOUTS =
      List.of(
          t -> t.slice(0, 0, 2, 1).narrow(1, 0, 2).narrow(2, 0, 2),
          t -> t.narrow(0, 0, 2).narrow(1, 1, 2).narrow(2, 0, 2).permute(2, 0, 1),
          t -> t.narrow(0, 1, 2).slice(1, 0, 4, 2).narrow(2, 0, 2),
          t -> t.narrow(0, 0, 1).narrow(1, 0, 1).narrow(2, 0, 2).expand(2, 2, 2),
          t -> t.narrow(0, 0, 2).narrow(1, 0, 2).narrow(2, 0, 2).contiguous());

  @Test
  void whateverTheLayoutTheResultIsTheMemoryOfTheOperand() {
    Set<String> seen = new TreeSet<>();
    try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
      Tensor base = trial.context.ones(4, 4, 4);
      for (String operation : ARGUMENTS.keySet()) {
        for (UnaryOperator<Tensor> layout : LAYOUTS) {
          Tensor operand = layout.apply(base);
          Object[] arguments = ARGUMENTS.get(operation).apply(operand);
          Tensor given =
              (Tensor) (arguments[0] instanceof List<?> list ? list.get(0) : arguments[0]);
          for (Tensor view : results(trial.context, operation, arguments)) {
            if (view.fault() == null) {
              seen.add(operation);
              assertTrue(view.has(given.value().storage()), operation);
            }
          }
        }
      }
    }
    assertEquals(ARGUMENTS.keySet(), seen);
  }

  private static Tensor[] results(Context context, String operation, Object[] arguments) {
    CatalogEntry entry = Objects.requireNonNull(StandardOperations.catalog().find(operation));
    return entry.schema().results().get(0).type() instanceof Type.ListOf
        ? context.applyList(operation, arguments)
        : new Tensor[] {context.apply(operation, arguments)};
  }

  @Test
  void eachOfThemIsLookedAt() {
    Set<String> expected = new TreeSet<>();
    for (CatalogEntry definition : StandardOperations.catalog().operations()) {
      Signature signature = Signature.of(definition);
      boolean views = signature.results() == 1 && signature.viewed(0) != Signature.FRESH;
      if (signature.alwaysViews && views && definition.kernel() != null) {
        expected.add(definition.name());
      }
    }
    assertEquals(expected, ARGUMENTS.keySet());
  }
}
