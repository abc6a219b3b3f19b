package dev.staunch.kernel;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.random.RandomOperations;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Random operations: what they refuse, what they leave alone, and what they repeat. */
class RandomOperationsTest {
  private final OffHeap memory = OffHeap.withBudget(64 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final RecordingEnvironment environment = new RecordingEnvironment(scope);
  private final Catalog catalog = StandardOperations.catalog();

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object run(String name, Object... arguments) {
    return Objects.requireNonNull(environment.run("aten::" + name, arguments));
  }

  private DenseTensor tensor(String name, Object... arguments) {
    return assertInstanceOf(DenseTensor.class, run(name, arguments), name);
  }

  private DenseTensor zeros(DType dtype, long... sizes) {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizes));
    made.segment().fill((byte) 0);
    return made;
  }

  private DenseTensor floats(float... values) {
    return (DenseTensor) HostTensors.floats(scope, Shape.of(values.length), values);
  }

  private void assertRefused(String message, String name, Object... arguments) {
    long held = memory.account().bytes();
    Fault fault = assertInstanceOf(Fault.class, run(name, arguments), name);
    assertEquals(message, fault.message());
    assertEquals(0, environment.generator().state().next(), "the generator moved");
    assertEquals(held, memory.account().bytes(), "scratch memory of a failed call");
  }

  @Test
  void badParametersAreRefusedAndTheGeneratorStays() {
    List<Object> two = List.of(2L);
    DenseTensor zeros = zeros(DType.FLOAT32, 2);
    DenseTensor integers = zeros(DType.INT64, 2);
    String normal = "`std` of normal must not be negative, but it is -1";
    assertRefused(normal, "normal_", zeros, 0.0, -1.0, NONE);
    assertRefused(normal, "normal.float_float", 0.0, -1.0, two, NONE, NONE, NONE, NONE, NONE);
    assertRefused(normal, "normal.Tensor_float", zeros, -1.0, NONE);
    assertRefused(
        "`std` of normal must not be negative, but it is nan",
        "normal_",
        zeros,
        0.0,
        Double.NaN,
        NONE);
    assertRefused(
        "`std` of normal has a negative element; take its `abs()`",
        "normal.float_Tensor",
        0.0,
        floats(-1, 1),
        NONE);
    assertRefused("normal is not implemented for int64", "normal_", integers, 0.0, 1.0, NONE);
    assertRefused("uniform is not implemented for int64", "rand", two, 4L, NONE, NONE, NONE);
    assertRefused(
        "`from` of uniform_ must not exceed `to`, but they are 2 and 1",
        "uniform_",
        zeros,
        2.0,
        1.0,
        NONE);
    assertRefused("`to` does not fit float32", "uniform_", zeros, 0.0, 1e39, NONE);
    assertRefused(
        "`p` of bernoulli_ must be from 0 to 1, but it is 2", "bernoulli_.float", zeros, 2.0, NONE);
    assertRefused(
        "`p` of bernoulli_ has an element outside of 0 to 1; `clamp` it before",
        "bernoulli",
        floats(2, 0),
        NONE);
    assertRefused(
        "`lambd` of exponential_ must not be negative, but it is -1",
        "exponential_",
        zeros,
        -1.0,
        NONE);
    assertRefused(
        "`p` of geometric_ must lie between 0 and 1, but it is 0", "geometric_", zeros, 0.0, NONE);
    assertRefused(
        "`std` of log_normal_ must be positive, but it is 0", "log_normal_", zeros, 0.0, 0.0, NONE);
  }

  @Test
  void badBoundsOfIntegersAreRefused() {
    List<Object> two = List.of(2L);
    DenseTensor bytes = zeros(DType.UINT8, 2);
    assertRefused(
        "the low bound of random integers must be below the high one, but they are 5 and 3",
        "randint.low",
        5L,
        3L,
        two,
        4L,
        NONE,
        NONE,
        NONE);
    assertRefused("`to - 1` does not fit uint8", "random_.to", bytes, 300L, NONE);
    assertRefused("`from` does not fit uint8", "random_.from", bytes, -5L, 30L, NONE);
    assertRefused("`to - 1` does not fit float16", "randint", 70000L, two, 5L, NONE, NONE, NONE);
    assertRefused(
        "a size must not be negative, but there is -1 in [-1]",
        "randperm",
        -1L,
        4L,
        NONE,
        NONE,
        NONE);
    assertRefused(
        "`n` is 3000, but float16 counts only up to 2049; take a wider `dtype`",
        "randperm",
        3000L,
        5L,
        NONE,
        NONE,
        NONE);
  }

  @Test
  void badWeightsOfCategoriesAreRefused() {
    assertRefused(
        "the weights of multinomial must be finite and not negative, but one of them is not",
        "multinomial",
        floats(-1, 1),
        1L,
        false,
        NONE);
    assertRefused(
        "multinomial draws from weights with a positive sum, but there is a row of zeros",
        "multinomial",
        floats(0, 0),
        1L,
        false,
        NONE);
    assertRefused(
        "3 samples without replacement need as many categories, but there are 2",
        "multinomial",
        floats(0, 1),
        3L,
        false,
        NONE);
    assertRefused(
        "`num_samples` must be positive, but it is 0",
        "multinomial",
        floats(0, 1),
        0L,
        false,
        NONE);
    assertRefused(
        "multinomial takes weights of a floating dtype, but they are int64",
        "multinomial",
        zeros(DType.INT64, 2),
        1L,
        false,
        NONE);
    assertRefused(
        "multinomial takes weights of 1 or 2 dimensions, but the shape is [1, 1, 1]",
        "multinomial",
        zeros(DType.FLOAT32, 1, 1, 1),
        1L,
        false,
        NONE);
  }

  @Test
  void badDropoutsAreRefused() {
    assertRefused(
        "`p` of a dropout must be from 0 to 1, but it is 2", "dropout", floats(1, 1), 2.0, true);
    assertRefused(
        "a result of float32 cannot be written in place into a tensor of int64",
        "dropout",
        zeros(DType.INT64, 2),
        0.5,
        true);
    assertRefused(
        "a dropout of features takes [batch, features, ...], but the shape is [2]",
        "feature_dropout",
        floats(1, 1),
        0.5,
        true);
  }

  @Test
  void aSeedRepeatsAndAStateIsRestored() {
    List<Object> size = List.of(1000L);
    environment.generator().seed(5);
    double[] first = HostTensors.toDoubles(tensor("randn", size, NONE, NONE, NONE, NONE));
    Generator.State state = environment.generator().state();
    double[] second = HostTensors.toDoubles(tensor("randn", size, NONE, NONE, NONE, NONE));
    assertNotEquals(first[0], second[0]);
    environment.generator().restore(state);
    assertArrayEquals(second, HostTensors.toDoubles(tensor("randn", size, NONE, NONE, NONE, NONE)));
    environment.generator().seed(5);
    assertArrayEquals(first, HostTensors.toDoubles(tensor("randn", size, NONE, NONE, NONE, NONE)));
  }

  @Test
  void aGeneratorOfItsOwnLeavesTheContextsAlone() {
    Generator own = Generator.ofSeed(9);
    DenseTensor a = zeros(DType.FLOAT32, 10);
    tensor("uniform_", a, 0.0, 1.0, own);
    assertEquals(1, own.state().next());
    assertEquals(0, environment.generator().state().next());
  }

  @Test
  void theLayoutDoesNotChangeWhichElementGetsWhich() {
    DenseTensor plain = zeros(DType.FLOAT64, 33, 57);
    DenseTensor storage = zeros(DType.FLOAT64, 57, 70);
    Layout turned = new Layout(Shape.of(33, 57), new long[] {1, 70}, 3);
    DenseTensor odd =
        (DenseTensor) DenseTensor.over(scope, storage.storage(), turned, DType.FLOAT64);
    tensor("normal_", plain, 0.0, 1.0, Generator.ofSeed(1));
    tensor("normal_", odd, 0.0, 1.0, Generator.ofSeed(1));
    assertArrayEquals(HostTensors.toDoubles(plain), HostTensors.toDoubles(odd));
  }

  @Test
  void elementsThatShareMemoryAreNotFilled() {
    DenseTensor one = zeros(DType.FLOAT32, 1);
    DenseTensor wide = (DenseTensor) one.view(scope, new Layout(Shape.of(3), new long[] {0}, 0));
    assertInstanceOf(Fault.class, run("uniform_", wide, 0.0, 1.0, NONE));
    assertEquals(0, environment.generator().state().next());
  }

  @Test
  void aPermutationHasEachNumberOnce() {
    long[] order = HostTensors.toLongs(tensor("randperm", 1000L, 4L, NONE, NONE, NONE));
    long[] sorted = order.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < sorted.length; i++) {
      assertEquals(i, sorted[i]);
    }
    assertNotEquals(0, Arrays.compare(order, sorted));
    assertEquals(DType.FLOAT16, tensor("randperm", 5L, 5L, NONE, NONE, NONE).dtype());
  }

  @Test
  void multinomialNeverDrawsAWeightOfZeroAndNoIndexTwice() {
    DenseTensor weights = floats(0, 3, 0, 1, 2, 0);
    long[] again = HostTensors.toLongs(tensor("multinomial", weights, 3000L, true, NONE));
    assertTrue(Arrays.stream(again).allMatch(i -> i == 1 || i == 3 || i == 4));
    assertEquals(1500.0, (double) Arrays.stream(again).filter(i -> i == 1).count(), 100);
    for (int i = 0; i < 20; i++) {
      long[] once = HostTensors.toLongs(tensor("multinomial", weights, 3L, false, NONE));
      assertArrayEquals(new long[] {1, 3, 4}, Arrays.stream(once).sorted().toArray());
    }
    assertArrayEquals(
        new long[] {1, 0, 2},
        HostTensors.toLongs(tensor("multinomial", floats(0, 1, 0), 3L, false, NONE)));
  }

  @Test
  void dropoutInTrainingZeroesOrScales() {
    DenseTensor ones = zeros(DType.FLOAT32, 100, 100);
    tensor("fill_.Scalar", ones, 1L);
    float[] dropped = HostTensors.toFloats(tensor("dropout", ones, 0.25, true));
    int zeros = 0;
    for (float value : dropped) {
      assertTrue(value == 0 || value == (float) (1 / 0.75), "" + value);
      zeros += value == 0 ? 1 : 0;
    }
    assertEquals(2500, zeros, 150);
    float[] features = HostTensors.toFloats(tensor("feature_dropout", ones, 0.5, true));
    assertTrue(features[0] == 0 || features[0] == 2);
    assertEquals(3, new TreeSet<>(alphas(ones)).size() + 1);
    assertArrayEquals(
        new float[10_000], HostTensors.toFloats(tensor("alpha_dropout", ones, 1.0, true)));
    tensor("dropout_", ones, 0.5, true);
    assertEquals(5000, sum(ones) / 2, 200);
  }

  /** The two values that libtorch's alpha dropout of ones with p = 0.25 also gives. */
  private List<Float> alphas(DenseTensor ones) {
    float[] values = HostTensors.toFloats(tensor("alpha_dropout", ones, 0.25, true));
    List<Float> found = new ArrayList<>();
    for (float value : values) {
      boolean known = Math.abs(value + 1.1435) < 1e-4 || Math.abs(value - 1.2484) < 1e-4;
      assertTrue(known, "" + value);
      found.add(value);
    }
    return found;
  }

  private static double sum(DenseTensor tensor) {
    return Arrays.stream(HostTensors.toDoubles(tensor)).sum();
  }

  @Test
  void outsideTrainingDropoutIsAViewAndDrawsNothing() {
    DenseTensor ones = floats(1, 1);
    DenseTensor same = tensor("dropout", ones, 0.5, false);
    assertEquals(ones.storage(), same.storage());
    assertEquals(0, environment.generator().state().next());
  }

  @Test
  void dtypesAreTheOnesOfTheSchema() {
    List<Object> size = List.of(3L);
    assertEquals(DType.INT64, tensor("randint", 9L, size, 4L, NONE, NONE, NONE).dtype());
    assertEquals(DType.FLOAT32, tensor("rand", size, NONE, NONE, NONE, NONE).dtype());
    assertEquals(DType.FLOAT64, tensor("randn", size, 7L, NONE, NONE, NONE).dtype());
    DenseTensor half = zeros(DType.FLOAT16, 3);
    assertEquals(DType.FLOAT16, tensor("rand_like", half, NONE, NONE, NONE, NONE, NONE).dtype());
    assertEquals(
        Shape.of(2, 3),
        tensor("normal.Tensor_Tensor", zeros(DType.FLOAT32, 2, 1), floats(1, 1, 1), NONE).shape());
    assertEquals(DType.INT64, tensor("bernoulli.p", zeros(DType.INT64, 3), 0.5, NONE).dtype());
  }

  @Test
  void whatDrawsIsTheRandomOperationsAndThoseWithADropout() {
    Catalog.Builder random = new Catalog.Builder();
    random.addAll(RandomOperations.groups());
    List<String> expected =
        catalog.operations().stream()
            .filter(operation ->
                random.build().find(operation.name()) != null
                    || hasDropout(operation.schema())
                    || takesGenerator(operation.schema()))
            .map(CatalogEntry::name)
            .toList();
    List<String> drawing =
        catalog.operations().stream()
            .filter(operation -> operation.effects().drawsRandom())
            .map(CatalogEntry::name)
            .toList();
    assertEquals(expected, drawing);
    assertTrue(drawing.size() > 50, drawing.size() + " operations draw");
  }

  private static boolean takesGenerator(Schema schema) {
    return schema.parameters().stream()
        .anyMatch(parameter -> parameter.type().equals(new Type.Optional(Type.Plain.GENERATOR)));
  }

  private static boolean hasDropout(Schema schema) {
    return schema.parameters().stream()
        .anyMatch(parameter -> Set.of("dropout", "dropout_p").contains(parameter.name()));
  }
}
