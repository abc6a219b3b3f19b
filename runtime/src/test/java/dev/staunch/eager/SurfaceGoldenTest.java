package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.operators.IndexedValues;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The operators return what PyTorch returns, as recorded by {@code record_surface_goldens.py}. */
class SurfaceGoldenTest {
  private final OffHeap memory = OffHeap.withBudget(4 << 20);
  private final Context context = Context.open(memory, StandardOperations.catalog());
  private final Tensor x = context.tensor(new float[][] {{0.5f, -1.5f, 2}, {3, -0.25f, 1}});
  private final Tensor y = context.tensor(new float[] {2, 0.5f, -1});
  private final Tensor n = context.tensor(new long[][] {{7, -7, 3}, {2, -5, 9}});
  private final Tensor k = context.tensor(new long[] {2, -3, 4});
  private final Tensor b = context.tensor(new boolean[] {true, false, true});
  private final Tensor s = context.tensor(3L);
  private final Tensor z = context.tensor(new float[][] {{1, 2}, {3, 4}, {5, 6}});
  private final Tensor image = context.arange(0.0, 32, 1).view(1, 2, 4, 4);
  private final Tensor kernel = context.linspace(-1, 1, 24).view(3, 2, 2, 2);

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  private static List<String[]> lines(String file) throws IOException {
    try (InputStream in = SurfaceGoldenTest.class.getResourceAsStream(file);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return lines.lines().map(line -> line.split(" ", -1)).toList();
    }
  }

  @Test
  void everyCallIsWhatPyTorchGives() throws IOException {
    Map<String, List<String[]>> expected = new LinkedHashMap<>();
    for (String[] words : lines("surface-golden.txt")) {
      expected.computeIfAbsent(words[0], name -> new ArrayList<>()).add(words);
    }
    Map<String, Supplier<Tensor[]>> calls = new LinkedHashMap<>();
    arithmetic(calls);
    reductions(calls);
    networks(calls);
    shapes(calls);
    writing(calls);
    statistics(calls);
    everyday(calls);
    assertEquals(new TreeSet<>(expected.keySet()), new TreeSet<>(calls.keySet()));
    calls.forEach((name, call) -> check(name, expected.get(name), call.get()));
  }

  private static void check(String name, List<String[]> expected, Tensor... results) {
    assertEquals(expected.size(), results.length, name);
    for (int i = 0; i < results.length; i++) {
      String[] words = expected.get(i);
      assertEquals(DType.valueOf(words[1].toUpperCase(Locale.ROOT)), results[i].dtype(), name);
      assertEquals(
          Shape.of(numbers(words[2]).mapToLong(Long::parseLong).toArray()),
          results[i].shape(),
          name);
      double[] values =
          numbers(words[3])
              .mapToDouble(text -> Double.parseDouble(text.replace("inf", "Infinity")))
              .toArray();
      assertArrayEquals(values, results[i].doubles(), 2e-6 * largest(values), name);
    }
  }

  private static Stream<String> numbers(String text) {
    return text.equals("-") ? Stream.of() : Arrays.stream(text.split(",", -1));
  }

  private static double largest(double[] values) {
    return Math.max(1, Arrays.stream(values).map(Math::abs).max().orElse(1));
  }

  private static Tensor[] both(IndexedValues<Tensor> found) {
    return new Tensor[] {found.values(), found.indices()};
  }

  private static void put(
      Map<String, Supplier<Tensor[]>> calls, String name, Supplier<Tensor> call) {
    calls.put(name, () -> new Tensor[] {call.get()});
  }

  private void arithmetic(Map<String, Supplier<Tensor[]>> calls) {
    put(calls, "add_tensor", () -> x.add(y));
    put(calls, "add_int", () -> x.add(2));
    put(calls, "add_float", () -> n.add(2.5));
    put(calls, "add_bool", () -> b.add(1));
    put(calls, "add_scalar_tensor", () -> x.add(s));
    put(calls, "sub", () -> n.sub(k));
    put(calls, "rsub", () -> x.rsub(1));
    put(calls, "mul", () -> x.mul(n));
    put(calls, "div_int", () -> n.div(k));
    put(calls, "div_float", () -> x.div(2));
    put(calls, "floorDivide", () -> n.floorDivide(k));
    put(calls, "floorDivide_float", () -> n.floorDivide(2.0));
    put(calls, "remainder", () -> n.remainder(k));
    put(calls, "fmod", () -> n.fmod(k));
    put(calls, "pow_int", () -> n.pow(2));
    put(calls, "pow_float", () -> z.pow(0.5));
    put(calls, "neg", () -> n.neg());
    put(calls, "abs", () -> x.abs());
    put(calls, "maximum", () -> x.maximum(y));
    put(calls, "clamp", () -> x.clamp(-1.0, 1.0));
    put(calls, "clamp_int", () -> n.clamp(-3, 5));
    put(calls, "lerp", () -> x.lerp(context.onesLike(x), 0.25));
    put(calls, "addcmul", () -> x.addcmul(y, y, 0.5));
    put(calls, "exp", () -> x.exp());
    put(calls, "log_int", () -> s.log());
    put(calls, "sqrt", () -> z.sqrt());
    put(calls, "atan2", () -> x.atan2(y));
    put(calls, "round", () -> x.round());
    put(calls, "floor_int", () -> n.floor());
    put(calls, "eq", () -> n.eq(2));
    put(calls, "lt", () -> x.lt(y));
    put(calls, "ge_scalar", () -> n.ge(2.5));
    put(calls, "logicalNot", () -> n.logicalNot());
    put(calls, "logicalXor", () -> b.logicalXor(k));
    put(calls, "bitwiseAnd", () -> n.bitwiseAnd(3));
    put(calls, "bitwiseNot", () -> b.bitwiseNot());
    put(calls, "where", () -> x.where(b, y));
    put(calls, "where_scalar", () -> x.where(x.gt(0), 0.0));
  }

  private void reductions(Map<String, Supplier<Tensor[]>> calls) {
    put(calls, "sum", () -> n.sum());
    put(calls, "sum_bool", () -> b.sum());
    put(calls, "sum_dims", () -> x.sum(0));
    put(calls, "sum_keep", () -> x.sum(new long[] {-1}, true));
    put(calls, "mean", () -> x.mean());
    put(calls, "mean_dims", () -> x.mean(0, 1));
    put(calls, "prod", () -> n.prod(1));
    put(calls, "std", () -> x.std());
    put(calls, "var", () -> x.var(new long[] {1}, false, true));
    put(calls, "norm", () -> x.norm());
    put(calls, "norm_one", () -> x.norm(1, new long[] {1}, false));
    put(calls, "max", () -> x.max());
    calls.put("max_dim", () -> both(x.max(1)));
    calls.put("min_dim_keep", () -> both(n.min(0, true)));
    put(calls, "argmax", () -> x.argmax());
    put(calls, "argmin_dim", () -> x.argmin(1));
    put(calls, "all", () -> b.all());
    put(calls, "any_dim", () -> x.gt(1).any(0));
    put(calls, "cumsum", () -> n.cumsum(1));
    put(calls, "logsumexp", () -> x.logsumexp(1));
    put(calls, "matmul", () -> x.matmul(z));
    put(calls, "matmul_vector", () -> x.matmul(y));
    put(calls, "mm", () -> x.mm(z));
    put(calls, "bmm", () -> x.view(1, 2, 3).bmm(z.view(1, 3, 2)));
    put(calls, "dot", () -> y.dot(y));
    put(calls, "outer", () -> y.outer(y));
    put(calls, "addmm", () -> context.ones(2).addmm(x, z, 2, 0.5));
    calls.put("sort", () -> both(x.sort(1, true)));
    put(calls, "argsort", () -> n.argsort(1, false));
    calls.put("topk", () -> both(x.topk(2)));
    put(calls, "nonzero", () -> x.gt(0).nonzero());
  }

  private void networks(Map<String, Supplier<Tensor[]>> calls) {
    put(calls, "relu", () -> x.relu());
    put(calls, "leakyRelu", () -> x.leakyRelu(0.1));
    put(calls, "gelu", () -> x.gelu());
    put(calls, "silu", () -> x.silu());
    put(calls, "sigmoid", () -> x.sigmoid());
    put(calls, "softplus", () -> x.softplus());
    put(calls, "softmax", () -> x.softmax(1));
    put(calls, "logSoftmax", () -> x.logSoftmax(0));
    put(calls, "hardtanh", () -> x.hardtanh(-1, 1));
    put(calls, "linear", () -> x.linear(z.t(), context.ones(2)));
    put(calls, "conv2d", () -> image.conv2d(kernel, null));
    long[] one = {1, 1};
    long[] two = {2, 2};
    put(calls, "conv2d_more", () -> image.conv2d(kernel, context.ones(3), two, one, one, 1));
    put(calls, "layerNorm", () -> x.layerNorm(new long[] {3}, null, null, 1e-5));
    put(calls, "batchNorm", () -> x.batchNorm(y, y.mul(y), null, null, false, 0.1, 1e-5));
    put(calls, "embedding", () -> context.tensor(new long[] {2, 0}).embedding(z));
    put(calls, "maxPool2d", () -> image.maxPool2d(two, two, new long[] {0, 0}));
    put(calls, "avgPool2d", () -> image.avgPool2d(new long[] {3, 3}, one, one));
    put(calls, "adaptive", () -> image.adaptiveAvgPool2d(3, 2));
    put(calls, "pad", () -> x.pad(new long[] {1, 2}, 0));
    put(calls, "oneHot", () -> context.tensor(new long[] {2, 0}).oneHot(3));
  }

  private void shapes(Map<String, Supplier<Tensor[]>> calls) {
    put(calls, "reshape", () -> x.reshape(3, -1));
    put(calls, "flatten", () -> image.flatten(1, -1));
    put(calls, "permute", () -> image.permute(0, 2, 3, 1));
    put(calls, "transpose", () -> x.transpose(0, 1));
    put(calls, "squeeze", () -> x.unsqueeze(0).squeeze());
    put(calls, "expand", () -> y.expand(2, -1));
    put(calls, "narrow", () -> x.narrow(1, 1, 2));
    put(calls, "select", () -> x.select(1, -1));
    put(calls, "slice", () -> image.get(Slice.all(), Slice.all(), Slice.of(1, 4, 2)));
    put(calls, "repeat", () -> y.repeat(2, 2));
    put(calls, "flip", () -> x.flip(1));
    put(calls, "roll", () -> y.roll(1, 0));
    put(calls, "tril", () -> x.tril(0));
    calls.put("split", () -> x.split(2, 1));
    calls.put("chunk", () -> n.chunk(2, 0));
    calls.put("unbind", () -> z.unbind(1));
    put(calls, "to_int", () -> x.to(DType.INT32));
    put(calls, "to_bool", () -> x.to(DType.BOOL));
    put(calls, "gather", () -> x.gather(1, context.tensor(new long[][] {{0, 2}, {1, 1}})));
    put(calls, "maskedSelect", () -> x.maskedSelect(b));
    put(calls, "maskedFill", () -> x.maskedFill(b, -9));
    put(calls, "indexSelect", () -> x.indexSelect(1, context.tensor(new long[] {2, 0})));
    put(calls, "linspace", () -> context.linspace(-1, 1, 5));
    put(calls, "logspace", () -> context.logspace(-1, 1, 3, 10));
    put(calls, "cat", () -> context.cat(1, x, n));
    put(calls, "stack", () -> context.stack(1, y, y));
  }

  private void writing(Map<String, Supplier<Tensor[]>> calls) {
    Tensor places = context.tensor(new long[][] {{0, 0, 2}});
    put(calls, "scatterAdd", () -> context.zeros(2, 3).scatterAdd(1, places, x));
    put(calls, "add_", () -> x.copy().add_(y));
    put(calls, "mul__int", () -> n.copy().mul_(2));
    put(calls, "clamp_", () -> x.copy().clamp_(0.0, 1.0));
    put(calls, "fill_", () -> x.copy().fill_(4));
    put(calls, "copy_", () -> n.copy().copy_(y));
    put(calls, "maskedFill_", () -> n.copy().maskedFill_(b, 5));
  }

  private void statistics(Map<String, Supplier<Tensor[]>> calls) {
    put(calls, "argmax_keep", () -> n.argmax(1, true));
    put(calls, "argmin_keep", () -> x.argmin(-1, true));
    put(calls, "all_keep", () -> x.gt(0).all(1, true));
    put(calls, "any_keep", () -> x.gt(2).any(1, true));
    put(calls, "diff", () -> x.diff(1, 0));
    put(calls, "diff_twice", () -> n.diff(2, -1));
    put(calls, "quantile", () -> x.quantile(0.3));
    put(calls, "quantile_dim", () -> x.quantile(0.75, 1, true));
    put(calls, "bincount", () -> longs(1, 3, 1).bincount());
    put(calls, "bincount_weights", () -> longs(1, 3, 1).bincount(y, 5));
    put(calls, "histc", () -> x.histc(4, -2, 2));
    put(calls, "histc_range", () -> y.histc(3, 0, 0));
    put(calls, "trace", () -> n.trace());
    put(calls, "cov", () -> x.cov());
    put(calls, "cdist", () -> z.cdist(z.narrow(0, 0, 2)));
    put(calls, "crossEntropy", () -> x.crossEntropy(longs(2, 0)));
    put(calls, "crossEntropy_ignored", () -> x.crossEntropy(longs(-100, 1)));
    put(calls, "crossEntropy_parts", () -> x.crossEntropy(x.softmax(1)));
  }

  private void everyday(Map<String, Supplier<Tensor[]>> calls) {
    Tensor sorted = context.tensor(new float[] {-1, 0.5f, 1, 1});
    Tensor near = x.add(context.tensor(new float[] {0, 0.2f, 0.02f}));
    calls.put("uniqueCounts", () -> context.tensor(new long[][] {{3, -1}, {3, 0}}).uniqueCounts());
    put(calls, "searchsorted", () -> sorted.searchsorted(x, false));
    put(calls, "searchsorted_right", () -> sorted.searchsorted(x, true));
    put(calls, "isClose", () -> x.isClose(near, 0.01, 0.1));
    put(calls, "clamp_tensors", () -> x.clamp(context.tensor(new float[][] {{0}, {1}}), y));
    put(calls, "clamp_upper", () -> x.clamp(null, y));
    put(calls, "repeatInterleave", () -> x.repeatInterleave(2, 0));
    put(calls, "repeatInterleave_tensor", () -> x.repeatInterleave(longs(2, 0, 1), 1));
    put(calls, "diag", () -> x.diag(1));
    put(calls, "diag_vector", () -> y.diag(-1));
    calls.put("meshgrid", () -> context.meshgrid(y, z.get(0)));
    put(calls, "indexAdd", () -> x.indexAdd(1, longs(2, 2), z.narrow(0, 0, 2)));
    put(calls, "indexAdd_", () -> n.copy().indexAdd_(0, longs(1, 1), context.stack(0, k, k)));
  }

  private Tensor longs(long... values) {
    return context.tensor(values);
  }

  @Test
  void allCloseIsWhetherAllElementsAre() {
    assertTrue(x.allClose(x.add(1e-7), 1e-5, 1e-8));
    assertFalse(x.allClose(x.add(1e-3), 1e-5, 1e-8));
    assertThrows(StaunchException.ShapeException.class, () -> x.allClose(z, 1e-5, 1e-8));
  }

  @TestFactory
  Stream<DynamicTest> dtypesPromoteAsInPyTorch() throws IOException {
    Map<String, BiFunction<Tensor, Tensor, Tensor>> tensors =
        Map.of(
            "add", Tensor::add,
            "mul", Tensor::mul,
            "div", Tensor::div,
            "remainder", Tensor::remainder,
            "eq", Tensor::eq,
            "pow", Tensor::pow);
    Map<String, BiFunction<Tensor, String, Tensor>> scalars =
        Map.of(
            "add", (left, kind) -> kind.equals("int") ? left.add(1) : left.add(1.0),
            "mul", (left, kind) -> kind.equals("int") ? left.mul(1) : left.mul(1.0),
            "div", (left, kind) -> kind.equals("int") ? left.div(1) : left.div(1.0),
            "remainder",
                (left, kind) -> kind.equals("int") ? left.remainder(1) : left.remainder(1.0),
            "eq", (left, kind) -> kind.equals("int") ? left.eq(1) : left.eq(1.0),
            "pow", (left, kind) -> kind.equals("int") ? left.pow(1) : left.pow(1.0));
    Map<String, List<String[]>> cases = new LinkedHashMap<>();
    for (String[] words : lines("promotion-golden.txt")) {
      cases.computeIfAbsent(words[0] + " " + words[1], key -> new ArrayList<>()).add(words);
    }
    return cases.entrySet().stream()
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(),
                () -> {
                  for (String[] words : entry.getValue()) {
                    Tensor left = one(words[1]);
                    boolean scalar = words[2].equals("int") || words[2].equals("float");
                    Tensor result =
                        scalar
                            ? Objects.requireNonNull(scalars.get(words[0])).apply(left, words[2])
                            : Objects.requireNonNull(tensors.get(words[0]))
                                .apply(left, one(words[2]));
                    assertNotNull(words[3]);
                    assertEquals(words[3], result.dtype().toString(), String.join(" ", words));
                  }
                }));
  }

  private Tensor one(String side) {
    boolean single = side.endsWith("0");
    String name = single ? side.substring(0, side.length() - 1) : side;
    DType dtype = DType.valueOf(name.toUpperCase(Locale.ROOT));
    return context.ones(dtype, single ? new long[0] : new long[] {2});
  }
}
