package dev.staunch.bench.jmh;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One JMH benchmark.
 *
 * @param type the class that holds it
 * @param method annotated with {@code @Benchmark}
 * @param parameters a value for each field annotated with {@code @Param}
 */
public record JmhBenchmark(Class<?> type, String method, Map<String, String> parameters) {
  public JmhBenchmark {
    parameters = Map.copyOf(parameters);
  }

  /** A benchmark without parameters. */
  public static JmhBenchmark of(Class<?> type, String method) {
    return new JmhBenchmark(type, method, Map.of());
  }

  /** The same benchmark with one more parameter. */
  public JmhBenchmark with(String parameter, Object value) {
    Map<String, String> more = new HashMap<>(parameters);
    more.put(parameter, value.toString());
    return new JmhBenchmark(type, method, more);
  }

  /** A regular expression by which JMH finds this benchmark. */
  String pattern() {
    return "^" + type.getName().replace(".", "\\.") + "\\." + method + "$";
  }

  /** A name for people and for files, such as {@code enginetasks-runhere-workers-4}. */
  public String label() {
    StringBuilder label = new StringBuilder(type.getSimpleName()).append('-').append(method);
    new TreeMap<>(parameters)
        .forEach((name, value) -> label.append('-').append(name).append('-').append(value));
    return label.toString().toLowerCase(Locale.ROOT);
  }
}
