package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.staunch.fault.Fault;
import dev.staunch.fault.MessageRules;
import dev.staunch.kernel.scalar.ComplexMath;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the operations over cases that libtorch computed ({@code src/test/python}). */
@Timeout(60)
class ScalarGoldenTest {
  private static final double TOLERANCE = 2e-14;

  /** Calls that crash the process, hang, or leak an exception of the C++ library. */
  private static final List<String> CPP_ACCIDENTS =
      List.of("crash", "vector::", "basic_string::", "stoll", "stod");

  /**
   * Operations with cases that differ on purpose: ints keep 64 bits where libtorch truncates them
   * to 32 or converts them through a double; empty separators behave as in Python; the order of
   * NaNs in a sorted list and the sign of a zero as a key have no meaning.
   */
  private static final Set<String> DIFFERENT =
      Set.of(
          "aten::Complex.bool_int",
          "aten::Complex.int_bool",
          "aten::Complex.int_int",
          "aten::Complex.int_float",
          "aten::Complex.float_int",
          "aten::divmod.int_float",
          "aten::divmod.float_int",
          "aten::sum.int",
          "aten::floor.int",
          "aten::replace",
          "aten::rsplit",
          "aten::sort.float",
          "aten::sorted.float",
          "aten::_set_item.float");

  private final Catalog catalog = StandardOperations.catalog();

  private static List<String> lines() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ScalarGoldenTest.class.getResourceAsStream("scalar-golden.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void everyOperationComputesWhatLibtorchComputes() throws IOException {
    OffHeap memory = OffHeap.withBudget(1 << 24);
    List<String> wrong = new ArrayList<>();
    try (ResourceScope scope = ResourceScope.open(memory, "test")) {
      for (String line : lines()) {
        check(line, scope, wrong);
      }
    }
    assertEquals(0, memory.account().bytes());
    if (!wrong.isEmpty()) {
      fail(wrong.size() + " cases differ:\n" + String.join("\n", wrong));
    }
  }

  private void check(String line, ResourceScope scope, List<String> wrong) {
    String[] parts = line.split("\t", -1);
    CatalogEntry operation = catalog.find(parts[0]);
    if (operation == null) {
      wrong.add("unknown: " + parts[0]);
      return;
    }
    Object[] arguments = ((List<?>) GoldenLiteral.parse(parts[1], scope)).toArray();
    Object actual = run(operation, new Call(new RecordingEnvironment(scope), arguments), arguments);
    if (!agrees(parts[2], actual, scope) && !DIFFERENT.contains(parts[0])) {
      wrong.add(line + "\tgot " + actual);
    }
  }

  private static boolean agrees(String expected, Object actual, ResourceScope scope) {
    if (!expected.startsWith("!")) {
      return same(GoldenLiteral.parse(expected, scope), actual);
    }
    String message = expected.substring(1);
    return CPP_ACCIDENTS.stream().anyMatch(message::startsWith)
        || (actual instanceof Fault fault && isRightMessage(message, fault.message()));
  }

  private static Object run(CatalogEntry operation, Call call, Object[] arguments) {
    Object outcome = operation.run(call);
    if (outcome instanceof Object[] several && several.length == 0) {
      return arguments[0];
    }
    return outcome instanceof Object[] values ? TupleValue.of(values) : outcome;
  }

  /**
   * Messages of faults are Staunch's own and read well (F9), except where programs know Python's.
   */
  private static boolean isRightMessage(String expected, String actual) {
    boolean oneLine = expected.startsWith("KeyError: ") && !expected.contains("  ");
    return oneLine ? actual.equals(expected) : MessageRules.complaints(actual).isEmpty();
  }

  private static boolean same(Object expected, Object actual) {
    return switch (expected) {
      case Double real -> actual instanceof Double other && close(real, other);
      case ComplexNumber complex ->
          actual instanceof ComplexNumber other
              && near(complex.re(), other.re(), ComplexMath.abs(complex))
              && near(complex.im(), other.im(), ComplexMath.abs(complex));
      case List<?> list -> actual instanceof List<?> other && sameElements(list, other);
      case TupleValue tuple ->
          actual instanceof TupleValue other && sameElements(tuple.elements(), other.elements());
      case Map<?, ?> dict ->
          actual instanceof Map<?, ?> other
              && sameElements(List.copyOf(dict.keySet()), List.copyOf(other.keySet()))
              && sameElements(List.copyOf(dict.values()), List.copyOf(other.values()));
      default -> expected.equals(actual);
    };
  }

  private static boolean sameElements(List<?> expected, List<?> actual) {
    if (expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!same(expected.get(i), actual.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean close(double expected, double actual) {
    return expected == 0
        ? Double.compare(expected, actual) == 0
        : near(expected, actual, Math.abs(expected));
  }

  private static boolean near(double expected, double actual, double size) {
    return Double.compare(expected, actual) == 0 || Math.abs(expected - actual) <= TOLERANCE * size;
  }

  @Test
  void theGoldensCoverEveryOperationWithoutTensors() throws IOException {
    List<String> covered = lines().stream().map(line -> line.split("\t", 2)[0]).toList();
    long known = catalog.operations().stream().filter(o -> covered.contains(o.name())).count();
    assertTrue(known > 500, known + " operations have golden cases");
  }
}
