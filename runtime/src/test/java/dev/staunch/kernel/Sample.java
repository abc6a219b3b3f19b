package dev.staunch.kernel;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Selects the cases of a long test that run by default: of each family the first and every {@value
 * #EACH}th after it, in their order. All of them run in Maven's profile "whole".
 */
public final class Sample {
  private static final int EACH = 10;
  private static final boolean WHOLE = Boolean.getBoolean("tests.whole");

  private Sample() {}

  /** Whether all cases run. */
  public static boolean whole() {
    return WHOLE;
  }

  /** The cases to run; the same every time. */
  public static <T> Stream<T> of(Stream<T> cases, Function<T, ?> family) {
    if (WHOLE) {
      return cases;
    }
    Map<Object, Integer> seen = new HashMap<>();
    return cases.filter(one -> (seen.merge(family.apply(one), 1, Integer::sum) - 1) % EACH == 0);
  }

  /** The package of an operation's kernel. */
  public static String family(CatalogEntry operation) {
    Kernel kernel = operation.kernel();
    return kernel == null ? "" : kernel.getClass().getPackageName();
  }
}
