package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultCategory;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Null where a value is required is the caller's mistake, reported at the call: a
 * NullPointerException that names the parameter, or a fault that names the argument; never an
 * internal fault later.
 */
class NullArgumentTest {
  private static final Set<String> ANYTHING_GOES = Set.of("equals");

  @TestFactory
  Stream<DynamicTest> everyParameterOfATensorsMethods() {
    return cases(Tensor.class);
  }

  @TestFactory
  Stream<DynamicTest> everyParameterOfAContextsMethods() {
    return cases(Context.class);
  }

  @TestFactory
  Stream<DynamicTest> everyParameterOfAContextsOptions() {
    return cases(ContextOptions.class);
  }

  private static Stream<DynamicTest> cases(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getDeclaringClass().getPackageName().startsWith("dev.staunch"))
        .filter(method -> !method.isBridge() && !ANYTHING_GOES.contains(method.getName()))
        .sorted((a, b) -> a.toGenericString().compareTo(b.toGenericString()))
        .flatMap(method ->
            IntStream.range(0, method.getParameterCount())
                .filter(i -> isRequired(method, i))
                .mapToObj(i -> refuses(type, method, i)));
  }

  private static boolean isRequired(Method method, int i) {
    Parameter parameter = method.getParameters()[i];
    return !parameter.getType().isPrimitive()
        && !parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static DynamicTest refuses(Class<?> type, Method method, int i) {
    String name = method.getName() + Arrays.toString(method.getParameterTypes()) + " at " + i;
    return DynamicTest.dynamicTest(
        name,
        () -> {
          try (EagerTrial trial = new EagerTrial(EngineOptions.serial())) {
            Object target = Modifier.isStatic(method.getModifiers()) ? null : one(type, trial);
            Object[] arguments = new Object[method.getParameterCount()];
            for (int k = 0; k < arguments.length; k++) {
              arguments[k] = k == i ? null : some(method.getParameterTypes()[k], trial);
            }
            assertRefused(outcome(method, target, arguments));
          }
        });
  }

  private static Object one(Class<?> type, EagerTrial trial) {
    if (type == ContextOptions.class) {
      return ContextOptions.standard();
    }
    return type == Context.class ? trial.context : trial.context.ones(2, 2);
  }

  private static Object outcome(Method method, @Nullable Object target, Object[] arguments)
      throws IllegalAccessException {
    try {
      Object result = method.invoke(target, arguments);
      Object first = result instanceof Tensor[] several ? several[0] : result;
      Fault fault = first instanceof Tensor tensor ? tensor.fault() : null;
      return fault == null ? "the result " + first : fault;
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof StaunchException known ? known.fault() : e.getCause();
    }
  }

  private static void assertRefused(Object outcome) {
    switch (outcome) {
      case NullPointerException thrown -> {
        assertNotNull(thrown.getMessage());
        assertTrue(thrown.getMessage().matches("\\w+(\\[0])?"), thrown::getMessage);
      }
      case Fault fault -> {
        assertEquals(FaultCategory.CALLER, fault.category(), fault::toString);
        assertTrue(fault.message().contains("null"), fault::toString);
      }
      default -> fail("null was taken: " + outcome);
    }
  }

  private static Object some(Class<?> type, EagerTrial trial) {
    if (type == long.class || type == int.class) {
      return type == long.class ? (Object) 1L : (Object) 1;
    }
    if (type == double.class) {
      return 1.0;
    }
    if (type == boolean.class) {
      return true;
    }
    Context context = trial.context;
    return Stream.<Object>of(
            context.ones(2, 2),
            "aten::relu",
            DType.FLOAT32,
            Shape.of(1),
            new long[] {1},
            new float[] {1},
            new double[] {1},
            new Tensor[] {context.ones(2, 2)},
            new Index[] {Index.at(0)},
            new Object[] {context.ones(2, 2)},
            trial.memory,
            ContextOptions.standard(),
            trial.context.engineContext().engine(),
            StandardOperations.catalog(),
            context.scope(),
            CancelScope.open(),
            Path.of("none.npy"),
            MemorySegment.ofArray(new float[] {1}),
            (Supplier<Object>) () -> "made",
            (Function<Object, Object>) given -> "made")
        .filter(type::isInstance)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no value of " + type));
  }
}
