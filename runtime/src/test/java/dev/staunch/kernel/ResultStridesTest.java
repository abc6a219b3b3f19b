package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The strides of results whose operands are not in row-major order: the same as PyTorch's, which
 * {@code record_strides_goldens.py} recorded. Strides of dimensions of size 1 are not compared.
 */
class ResultStridesTest {
  private static final long SEED = 20261124;

  /** Which argument is a tensor of bools. */
  private static final Map<String, Integer> MASKS =
      Map.of("aten::where.self", 0, "aten::masked_fill.Scalar", 1);

  /** The arguments after the tensors and before those with defaults. */
  private static final Map<String, List<Object>> NUMBERS =
      Map.ofEntries(
          Map.entry("_upsample_bilinear2d_aa", List.of(List.of(3L, 2L), false)),
          Map.entry("adaptive_avg_pool2d", List.of(List.of(2L, 2L))),
          Map.entry("adaptive_max_pool2d", List.of(List.of(2L, 2L))),
          Map.entry("add.Scalar", List.of(2L)),
          Map.entry("argsort", List.of(1L)),
          Map.entry("avg_pool2d", List.of(List.of(2L, 2L))),
          Map.entry("channel_shuffle", List.of(2L)),
          Map.entry("flip", List.of(List.of(1L, 3L))),
          Map.entry("group_norm", List.of(2L)),
          Map.entry("masked_fill.Scalar", List.of(2L)),
          Map.entry("max_pool2d", List.of(List.of(2L, 2L))),
          Map.entry("max_pool2d_with_indices", List.of(List.of(2L, 2L))),
          Map.entry("pixel_shuffle", List.of(2L)),
          Map.entry("pixel_unshuffle", List.of(2L)),
          Map.entry("roll", List.of(List.of(1L, 3L), List.of(1L, 3L))),
          Map.entry("sort", List.of(1L)),
          Map.entry("stack", List.of(1L)),
          Map.entry("to.dtype", List.of((long) DType.FLOAT64.code())),
          Map.entry("upsample_bilinear2d", List.of(List.of(3L, 6L), false)),
          Map.entry("upsample_nearest2d", List.of(List.of(3L, 6L))));

  /** The arguments of operations that write at indices, up to those with defaults. */
  private static final Map<String, String> PLACED =
      Map.ofEntries(
          Map.entry("aten::index_add", "self dim rows self"),
          Map.entry("aten::index_copy", "self dim rows self"),
          Map.entry("aten::index_fill.int_Scalar", "self dim rows number"),
          Map.entry("aten::index_put", "self indices self"),
          Map.entry("aten::masked_scatter", "self mask self"),
          Map.entry("aten::scatter.src", "self dim places self"),
          Map.entry("aten::scatter.value", "self dim places number"),
          Map.entry("aten::scatter_add", "self dim places self"),
          Map.entry("aten::scatter_reduce.two", "self dim places self sum"));

  private final OffHeap memory = OffHeap.withBudget(1 << 24);
  private final Catalog catalog = StandardOperations.catalog();
  private final Random random = new Random(SEED);

  /**
   * A line of the file.
   *
   * @param operands the layouts of the tensors, which are all arguments before those with defaults
   * @param strides the strides of the result
   */
  private record Line(String text, String operation, List<Layout> operands, long[] strides) {
    static Line of(String text) {
      String[] words = text.split(" ", -1);
      int arrow = words.length - 2;
      List<Layout> operands = new ArrayList<>();
      for (String word : Arrays.asList(words).subList(1, arrow)) {
        String[] parts = word.split("@", -1);
        operands.add(new Layout(Shape.of(numbers(parts[0])), numbers(parts[1]), 0));
      }
      return new Line(text, "aten::" + words[0], operands, numbers(words[arrow + 1]));
    }

    private static long[] numbers(String text) {
      return text.equals("-")
          ? new long[0]
          : Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }
  }

  private static List<Line> lines() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ResultStridesTest.class.getResourceAsStream("strides-golden.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(Line::of).toList();
    }
  }

  @Test
  void resultsLieAsThoseOfPyTorch() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Line line : lines()) {
      try (ResourceScope scope = ResourceScope.open(memory, "line")) {
        Object[] arguments = arguments(scope, line);
        DenseTensor result = run(scope, line, arguments);
        if (!strides(result.layout()).equals(strides(new Layout(result.shape(), line.strides, 0)))
            || result.layout().offset() != 0) {
          wrong.add(line.text + ", but here " + result.layout());
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void whatIsInferredLiesAsWhatIsComputed() throws IOException {
    for (Line line : lines()) {
      try (ResourceScope scope = ResourceScope.open(memory, "line")) {
        Object[] arguments = arguments(scope, line);
        DenseTensor result = run(scope, line, arguments);
        Object[] forms = arguments.clone();
        Arrays.setAll(forms, i -> changed(forms[i], Call::formOf));
        Inference inference = Objects.requireNonNull(entry(line).inference());
        TensorForm inferred = (TensorForm) first(inference.infer(Operands.of(forms)));
        assertEquals(result.layout(), inferred.layout(), line.text);
      }
    }
  }

  @Test
  void elementsAreThoseOfRowMajorOperands() throws IOException {
    for (Line line : lines()) {
      try (ResourceScope scope = ResourceScope.open(memory, "line")) {
        Object[] arguments = arguments(scope, line);
        Object[] rowMajor = arguments.clone();
        Call call = new Call(new KernelBench(scope), arguments);
        Arrays.setAll(
            rowMajor, i -> changed(arguments[i], it -> Copying.toContiguous(call, it, it.dtype())));
        if (!line.operation.equals("aten::empty_like")) {
          DenseTensor expected = run(scope, line, rowMajor);
          assertTrue(expected.isContiguous());
          assertEquals(elements(expected), elements(run(scope, line, arguments)), line.text);
        }
      }
    }
  }

  @Test
  void theIndicesOfNonzeroLieInColumns() {
    try (ResourceScope scope = ResourceScope.open(memory, "columns")) {
      DenseTensor self = tensor(scope, DType.FLOAT32, Layout.contiguous(Shape.of(3, 4)));
      CatalogEntry nonzero = Objects.requireNonNull(catalog.find("aten::nonzero"));
      Call call = new Call(new KernelBench(scope), new Object[] {self});
      DenseTensor found = (DenseTensor) Kernels.run(nonzero, call);
      assertEquals(new Layout(Shape.of(12, 2), new long[] {1, 12}, 0), found.layout());
      assertEquals(List.of(0.0, 0.0, 0.0, 1.0), elements(found).subList(0, 4));
      assertEquals(List.of(2.0, 3.0), elements(found).subList(22, 24));
    }
  }

  private CatalogEntry entry(Line line) {
    return Objects.requireNonNull(catalog.find(line.operation));
  }

  private DenseTensor run(ResourceScope scope, Line line, Object[] arguments) {
    Call call = new Call(new KernelBench(scope), arguments);
    return (DenseTensor) first(Kernels.run(entry(line), call));
  }

  /** The only result, or the recorded one of several. */
  private static Object first(Object results) {
    return results instanceof Object[] several ? several[0] : results;
  }

  /** The argument with each tensor in it changed. */
  private static Object changed(Object argument, Function<DenseTensor, Object> change) {
    return switch (argument) {
      case DenseTensor tensor -> change.apply(tensor);
      case List<?> list -> list.stream().map(each -> changed(each, change)).toList();
      default -> argument;
    };
  }

  private Object[] arguments(ResourceScope scope, Line line) {
    List<Object> arguments = new ArrayList<>();
    if (line.operation.equals("aten::pow.Scalar")) {
      arguments.add(2L);
    }
    for (Layout layout : line.operands) {
      boolean mask = MASKS.getOrDefault(line.operation, -1) == arguments.size();
      arguments.add(tensor(scope, mask ? DType.BOOL : DType.FLOAT32, layout));
    }
    if (PLACED.containsKey(line.operation)) {
      DenseTensor self = (DenseTensor) arguments.removeFirst();
      for (String name : PLACED.get(line.operation).split(" ", -1)) {
        arguments.add(placed(scope, name, self));
      }
    }
    if (line.operation.equals("aten::stack")) {
      arguments = new ArrayList<>(List.of(arguments));
    }
    arguments.addAll(NUMBERS.getOrDefault(line.operation.substring("aten::".length()), List.of()));
    List<Schema.Parameter> parameters = entry(line).schema().parameters();
    for (Schema.Parameter rest : parameters.subList(arguments.size(), parameters.size())) {
      Object value = Objects.requireNonNull(rest.defaultValue());
      boolean repeats = value instanceof Long && rest.broadcastSize() > 0;
      arguments.add(repeats ? Collections.nCopies(rest.broadcastSize(), value) : value);
    }
    return arguments.toArray();
  }

  private Object placed(ResourceScope scope, String name, DenseTensor self) {
    Shape rows = Shape.of(self.shape().size(0));
    return switch (name) {
      case "self" -> self;
      case "dim" -> 0L;
      case "number" -> 2L;
      case "rows" -> tensor(scope, DType.INT64, Layout.contiguous(rows));
      case "indices" -> List.of(tensor(scope, DType.INT64, Layout.contiguous(rows)));
      case "places" -> tensor(scope, DType.INT64, Layout.contiguous(self.shape()));
      case "mask" -> tensor(scope, DType.BOOL, Layout.contiguous(self.shape()));
      default -> name;
    };
  }

  /** Random floats or bools; integers are 0. */
  private DenseTensor tensor(ResourceScope scope, DType dtype, Layout layout) {
    Shape places = Shape.of(layout.extent());
    DenseTensor base = (DenseTensor) DenseTensor.allocate(scope, dtype, places);
    for (long at = 0; at < layout.extent(); at++) {
      if (dtype == DType.BOOL) {
        base.segment().set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(2));
      } else if (dtype == DType.INT64) {
        base.segment().setAtIndex(ValueLayout.JAVA_LONG, at, 0);
      } else {
        base.segment().setAtIndex(ValueLayout.JAVA_FLOAT, at, (float) random.nextGaussian());
      }
    }
    return (DenseTensor) base.view(scope, layout);
  }

  private static List<Long> strides(Layout layout) {
    List<Long> strides = new ArrayList<>();
    for (int dim = 0; dim < layout.shape().rank(); dim++) {
      strides.add(layout.shape().size(dim) == 1 ? 0 : layout.stride(dim));
    }
    return strides;
  }

  /** The elements in row-major order. */
  private static List<Double> elements(DenseTensor tensor) {
    Layout layout = tensor.layout();
    return LongStream.range(0, tensor.elements())
        .mapToObj(i -> Elements.asDouble(tensor.segment(), tensor.dtype(), place(layout, i)))
        .toList();
  }

  private static long place(Layout layout, long number) {
    long place = layout.offset();
    long rest = number;
    for (int dim = layout.shape().rank() - 1; dim >= 0; dim--) {
      place += rest % layout.shape().size(dim) * layout.stride(dim);
      rest /= layout.shape().size(dim);
    }
    return place;
  }
}
