package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of the catalog that takes or makes tensors, lists, dicts or strings polls for
 * cancellation on the way, or is listed as one without a loop (C3). By default a {@link Sample}.
 */
class EveryOperationLooksTest {
  /** The most elements between two polls. */
  private static final long STRIDE = 1 << 18;

  /** Making one view costs at least as much as this many elements. */
  private static final int VIEW = 8;

  private static final Catalog CATALOG = StandardOperations.catalog();
  private static final LongOperands OPERANDS = LongOperands.read();

  private final OffHeap memory = OffHeap.withBudget(256L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "runs");

  /** Separate, because what an operation takes out of a list is lost once nothing reaches it. */
  private final OffHeap given = OffHeap.withBudget(256L << 20);

  private final ResourceScope operands = ResourceScope.open(given, "operands");

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    operands.close();
    assertEquals(0, memory.account().bytes());
    assertEquals(0, given.account().bytes());
    memory.close(); // otherwise the blocks of all cases are kept until a collection
    given.close();
  }

  private static Set<String> withoutLoops() {
    return LongOperands.lines("operations-without-loops.txt").stream()
        .flatMap(line -> Stream.of(line.split(" ", -1)))
        .collect(Collectors.toSet());
  }

  static Stream<String> operations() {
    Set<String> without = withoutLoops();
    return Sample.of(
            CATALOG.operations().stream()
                .filter(operation -> takesOrMakesMany(operation.schema()))
                .filter(operation -> !without.contains(operation.name())),
            Sample::family)
        .map(CatalogEntry::name);
  }

  private static boolean takesOrMakesMany(Schema schema) {
    return schema.variadic()
        || schema.parameters().stream().anyMatch(parameter -> isMany(parameter.type()))
        || schema.results().stream().anyMatch(result -> isMany(result.type()));
  }

  private static boolean isMany(Type type) {
    return switch (type) {
      case Type.Plain plain -> plain == Type.Plain.TENSOR || plain == Type.Plain.STRING;
      case Type.Optional optional -> isMany(optional.element());
      case Type.Variable any -> true;
      case Type.ListOf list -> true;
      case Type.Dict dict -> true;
      default -> false;
    };
  }

  @Test
  void noOperationWithoutALoopIsUnknown() {
    assertEquals(
        List.of(), withoutLoops().stream().filter(name -> CATALOG.find(name) == null).toList());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationOverManyElementsLooksOftenAndEndsWhenALookFindsACancellation(String name) {
    CatalogEntry operation = CATALOG.find(name);
    Object[] arguments = arguments(operation.schema());
    long taken = most(arguments);
    long held = given.account().bytes();

    CountdownEnvironment patient = new CountdownEnvironment(scope, Long.MAX_VALUE);
    Object[] results = run(operation, patient, arguments);
    long work = work(operation.schema(), arguments, taken, results);
    assertTrue(
        patient.polls() >= work / STRIDE,
        () -> patient.polls() + " looks for " + work + " elements");
    close(results, arguments);
    assertEquals(0, memory.account().bytes(), "of the results");
    assertTrue(given.account().bytes() <= held, "of nothing else");

    if (patient.polls() > 0) {
      CountdownEnvironment cancelled = new CountdownEnvironment(scope, 0);
      assertSame(CountdownEnvironment.STOP, run(operation, cancelled, arguments)[0]);
      assertEquals(1, cancelled.polls(), "looks after the cancellation was seen");
      assertEquals(0, memory.account().bytes(), "after the cancellation");
      assertTrue(given.account().bytes() <= held, "of nothing else");
    }
  }

  /**
   * How many elements are read or written. Views read and write none, but making many takes long.
   */
  private static long work(Schema schema, Object[] arguments, long taken, Object[] results) {
    for (Object result : results) {
      assertFalse(result instanceof Fault, () -> result + "; give it a line in long-operands.txt");
    }
    Set<Object> storages = Collections.newSetFromMap(new IdentityHashMap<>());
    tensors(arguments).forEach(tensor -> storages.add(tensor.storage()));
    boolean views = tensors(results).anyMatch(tensor -> storages.contains(tensor.storage()));
    if (views && !schema.mutates()) {
      return results[0] instanceof List<?> list ? (long) VIEW * list.size() : 0;
    }
    long work = Math.max(taken, most(results));
    assertTrue(work >= LongOperands.N, "few elements; give it a line in long-operands.txt");
    return work;
  }

  private static long most(Object... values) {
    return Stream.of(values).mapToLong(LongOperands::elements).max().orElse(0);
  }

  private Object[] arguments(Schema schema) {
    Object[] arguments = OPERANDS.of(schema, new LongKernels.Operands(operands));
    List<Schema.Parameter> parameters = schema.parameters();
    if (!parameters.isEmpty() && parameters.getLast().name().equals("out")) {
      int last = arguments.length - 1;
      ((DenseTensor) arguments[last]).close();
      CatalogEntry plain = withParameters(schema.name(), parameters.subList(0, last));
      CountdownEnvironment environment = new CountdownEnvironment(operands, Long.MAX_VALUE);
      arguments[last] = run(plain, environment, Arrays.copyOf(arguments, last))[0];
    }
    return arguments;
  }

  private static CatalogEntry withParameters(String name, List<Schema.Parameter> parameters) {
    return CATALOG.operations().stream()
        .filter(operation -> operation.schema().name().equals(name))
        .filter(operation -> operation.schema().parameters().equals(parameters))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable Object[] run(
      CatalogEntry operation, Environment environment, Object... arguments) {
    Call call = new Call(environment, arguments.clone());
    Object result = operation.run(call);
    return result instanceof Object[] several ? several : new Object[] {result};
  }

  private static Stream<DenseTensor> tensors(Object[] values) {
    return Stream.of(values)
        .flatMap(value -> value instanceof List<?> list ? list.stream() : Stream.of(value))
        .mapMulti((value, into) -> {
          if (value instanceof DenseTensor tensor) {
            into.accept(tensor);
          } else if (value instanceof CompoundTensor compound) {
            compound.parts().forEach(into);
          }
        });
  }

  private static void close(Object[] results, Object[] arguments) {
    Set<Object> given = Collections.newSetFromMap(new IdentityHashMap<>());
    tensors(arguments).forEach(given::add);
    tensors(results).filter(tensor -> !given.contains(tensor)).forEach(DenseTensor::close);
  }
}
