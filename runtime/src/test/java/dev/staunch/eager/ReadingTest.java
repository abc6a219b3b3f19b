package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.operators.Applicable;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A value read from a tensor is a Java value, and leaves no memory behind. */
class ReadingTest {
  /** These close a tensor, write a file, or have no result of their own to check. */
  private static final Set<String> OTHERS = Set.of("close", "save", "wait", "notify", "notifyAll");

  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());
  private final Context context = trial.context;

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  private static Stream<Method> reads() {
    return Arrays.stream(Tensor.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isBridge())
        .filter(method -> !OTHERS.contains(method.getName()))
        .filter(method -> !Tensor.class.isAssignableFrom(method.getReturnType()))
        .filter(method -> !method.getReturnType().isArray() || isOfNumbers(method))
        .filter(method -> !isOperator(method))
        .filter(method -> !method.getName().startsWith("apply"));
  }

  /** Operators return handles, and declare that by a type parameter. */
  private static boolean isOperator(Method method) {
    return method.getDeclaringClass().getPackage().equals(Applicable.class.getPackage());
  }

  private static boolean isOfNumbers(Method method) {
    return method.getReturnType().getComponentType().isPrimitive();
  }

  @Test
  void comparingIsAmongTheReads() {
    assertTrue(reads().anyMatch(method -> method.getName().equals("equal")));
  }

  @TestFactory
  Stream<DynamicTest> aReadLeavesTheAccountAsItWas() {
    return reads().map(read -> DynamicTest.dynamicTest(read.toString(), () -> check(read)));
  }

  private void check(Method read) throws IllegalAccessException {
    for (Tensor self : new Tensor[] {context.ones(2, 3), context.ones()}) {
      try (Arena arena = Arena.ofConfined()) {
        Object[] arguments =
            Arrays.stream(read.getParameterTypes()).map(type -> value(arena, type)).toArray();
        long before = context.bytes();
        try {
          read.invoke(self, arguments);
        } catch (InvocationTargetException e) {
          assertTrue(e.getCause() instanceof StaunchException, () -> "" + e.getCause());
        }
        assertEquals(before, context.bytes(), read.toString());
        Arrays.stream(arguments).forEach(ReadingTest::close); // not dropped: they count meanwhile
        self.close();
      }
    }
  }

  private static void close(Object argument) {
    if (argument instanceof Tensor tensor) {
      tensor.close();
    }
  }

  private Object value(Arena arena, Class<?> type) {
    return switch (type.getSimpleName()) {
      case "Tensor" -> context.ones(2, 3);
      case "long" -> 1L;
      case "double" -> 1e-5;
      case "MemorySegment" -> arena.allocate(64);
      case "Function" -> (Function<Object, Object>) tensor -> "seen";
      case "Object" -> "another";
      case "CancelScope" -> CancelScope.withDeadline(Duration.ofSeconds(60));
      default -> throw new IllegalStateException(type.getName());
    };
  }

  @Test
  void tensorsAreEqualByShapeAndValue() {
    Tensor x = context.arange(3);
    assertTrue(x.equal(context.arange(DType.INT32, 3)));
    assertFalse(x.equal(context.tensor(new long[] {0, 1, 3})));
    assertFalse(x.equal(context.arange(3).reshape(3, 1)));
  }

  @Test
  void aSegmentThatCannotBeWrittenIsAFaultThatNamesIt() {
    MemorySegment target = MemorySegment.ofArray(new byte[64]).asReadOnly();
    Tensor x = context.ones(2);
    StaunchException.ValueException thrown =
        assertThrows(StaunchException.ValueException.class, () -> x.copyTo(target));
    assertTrue(thrown.getMessage().contains("`target` is read-only"), thrown.getMessage());
  }

  @Test
  void aSegmentOfAClosedArenaIsAClosedFaultThatNamesIt() {
    Arena arena = Arena.ofConfined();
    MemorySegment target = arena.allocate(64);
    arena.close();
    Tensor x = context.ones(2);
    StaunchException.ClosedException thrown =
        assertThrows(StaunchException.ClosedException.class, () -> x.copyTo(target));
    assertTrue(thrown.getMessage().contains("segment `target`"), thrown.getMessage());
  }

  @Test
  void longsBecomeFloatsInOneRounding() {
    long[] close = {(1L << 60) + (1L << 36) + 1, -(1L << 60) - (1L << 36) - 1, (1 << 24) + 1};
    float[] rounded = {(float) close[0], (float) close[1], (float) close[2]};
    assertArrayEquals(rounded, context.tensor(close).floats());
    assertArrayEquals(rounded, context.tensor(close, DType.FLOAT32).floats());
    assertArrayEquals(rounded, context.tensor(close).add(context.zeros(3)).floats());
  }

  @Test
  void narrowIntegersAreWhatAJavaCastGives() {
    Tensor x = context.tensor(new float[] {3e30f, Float.NaN, -3e30f, -1.9f, 70000f});
    assertArrayEquals(new int[] {Integer.MAX_VALUE, 0, Integer.MIN_VALUE, -1, 70000}, x.ints());
    assertArrayEquals(new long[] {Long.MAX_VALUE, 0, Long.MIN_VALUE, -1, 70000}, x.longs());
    assertArrayEquals(new short[] {-1, 0, 0, -1, 4464}, x.shorts());
    assertArrayEquals(new byte[] {-1, 0, 0, -1, 112}, x.bytes());
    assertArrayEquals(new int[] {-1}, context.tensor(new long[] {0xffffffffL}).ints());
  }

  @Test
  void aSizeIsAskedForByDimension() {
    Tensor x = context.zeros(2, 0, 5);
    assertEquals(2, x.size(0));
    assertEquals(5, x.size(-1));
    assertEquals(0, x.elements());
    StaunchException.IndexException thrown =
        assertThrows(StaunchException.IndexException.class, () -> x.size(3));
    assertEquals(
        "dimension 3 is out of range for a tensor of 3 dimensions", thrown.fault().message());
    assertThrows(StaunchException.IndexException.class, () -> context.zeros().size(0));
  }

  @Test
  void aJavaArrayHasNoMoreThan255Dimensions() {
    long[] sizes = new long[256];
    Arrays.fill(sizes, 1);
    Tensor deep = context.ones(sizes);
    StaunchException.ShapeException thrown =
        assertThrows(StaunchException.ShapeException.class, deep::toNestedArray);
    assertEquals(
        "a Java array has at most 255 dimensions, and the tensor has 256; reshape it before",
        thrown.fault().message());
    assertInstanceOf(Object[].class, deep.squeeze(0).toNestedArray());
  }

  @Test
  void emptyDimensionsNestLikeOthers() {
    assertArrayEquals(new float[3][2][0], (float[][][]) context.ones(3, 2, 0).toNestedArray());
    assertArrayEquals(new float[3][0][], (float[][][]) context.ones(3, 0, 2).toNestedArray());
    assertArrayEquals(new float[0][], (float[][]) context.ones(0, 1L << 40).toNestedArray());
  }
}
