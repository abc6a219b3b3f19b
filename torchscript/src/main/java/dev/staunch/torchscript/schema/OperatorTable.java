package dev.staunch.torchscript.schema;

import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every operator schema that libtorch knows, by name, and those that a caller adds. Only the lines
 * of a name that is asked for are parsed, once. What it says never changes. Thread-safe.
 */
public final class OperatorTable {
  /** Where the lines of one name are in the text, which has them side by side. */
  private record Span(int from, int to) {}

  private final String text;
  private final Map<String, Span> spans;
  private final Map<String, List<Schema>> parsed;

  /** The caller's, by name; they come after libtorch's. */
  private final Map<String, List<Schema>> added;

  private OperatorTable(
      String text,
      Map<String, Span> spans,
      Map<String, List<Schema>> parsed,
      Map<String, List<Schema>> added) {
    this.text = text;
    this.spans = spans;
    this.parsed = parsed;
    this.added = added;
  }

  /** The table that ships with this module: one for the whole process. */
  public static OperatorTable standard() {
    return Standard.TABLE;
  }

  /** Read when first asked for. */
  private static final class Standard {
    static final OperatorTable TABLE = of(text());
  }

  /** A table of {@code text}: a schema on each line, those of one name side by side. */
  static OperatorTable of(String text) {
    Map<String, Span> spans = LinkedHashMap.newLinkedHashMap(3000);
    int from = 0;
    while (text.charAt(from) == '#') {
      from = text.indexOf('\n', from) + 1;
    }
    while (from < text.length()) {
      String name = nameAt(text, from);
      int to = from;
      do {
        to = text.indexOf('\n', to) + 1;
      } while (isNamed(text, to, name));
      spans.put(name, new Span(from, to));
      from = to;
    }
    return new OperatorTable(text, spans, new ConcurrentHashMap<>(), Map.of());
  }

  /** This, with the operators of {@code catalog} that neither this nor the standard one knows. */
  public OperatorTable with(Catalog catalog) {
    Set<String> known = StandardOperations.catalog().names();
    Map<String, List<Schema>> more = new HashMap<>();
    for (String name : catalog.names()) {
      CatalogEntry own =
          known.contains(name) || !name.contains("::") || find(name) != null
              ? null
              : catalog.find(name);
      if (own != null) {
        more.computeIfAbsent(nameAt(name + "(", 0), absent -> new ArrayList<>()).add(own.schema());
      }
    }
    return more.isEmpty() ? this : new OperatorTable(text, spans, parsed, more);
  }

  private static String text() {
    try (InputStream resource = OperatorTable.class.getResourceAsStream("operators.txt")) {
      if (resource == null) {
        throw new IllegalStateException("the operator table is missing from the module");
      }
      return new String(resource.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the schema of the line at {@code from} begins: after the mark of a dropped one. */
  private static int schemaAt(String text, int from) {
    return text.startsWith("-", from) ? from + 1 : from;
  }

  private static String nameAt(String text, int from) {
    int start = schemaAt(text, from);
    int end = text.indexOf('(', start);
    int overload = text.indexOf('.', start);
    return text.substring(start, overload < 0 ? end : Math.min(end, overload));
  }

  private static boolean isNamed(String text, int from, String name) {
    int start = schemaAt(text, from);
    int end = start + name.length();
    return text.startsWith(name, start) && (text.startsWith("(", end) || text.startsWith(".", end));
  }

  /**
   * The overloads of {@code name} ({@code aten::add}) in the order libtorch tries them; or none.
   */
  public List<Schema> overloads(String name) {
    Span span = spans.get(name);
    List<Schema> known =
        span == null ? List.of() : parsed.computeIfAbsent(name, absent -> parse(span));
    List<Schema> more = added.get(name);
    return more == null ? known : Stream.concat(known.stream(), more.stream()).toList();
  }

  private List<Schema> parse(Span span) {
    return text.substring(span.from(), span.to())
        .lines()
        .map(line -> SchemaText.parse(line.substring(schemaAt(line, 0))))
        .toList();
  }

  /** The schema of a qualified name ({@code aten::add.Tensor}), or null. */
  public @Nullable Schema find(String qualifiedName) {
    int dot = qualifiedName.indexOf('.');
    String name = dot < 0 ? qualifiedName : qualifiedName.substring(0, dot);
    for (Schema schema : overloads(name)) {
      if (schema.qualifiedName().equals(qualifiedName)) {
        return schema;
      }
    }
    return null;
  }

  /** The names of all operators, without their overloads. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>(spans.keySet());
    names.addAll(added.keySet());
    return Collections.unmodifiableSet(names);
  }

  /** Up to three names that look like {@code name}, nearest first. */
  public List<String> similar(String name) {
    record Near(String name, int distance) {}

    return names().stream()
        .filter(known -> Math.abs(known.length() - name.length()) <= 3)
        .map(known -> new Near(known, distance(known, name)))
        .filter(near -> near.distance() <= 3)
        .sorted(Comparator.comparingInt(Near::distance))
        .limit(3)
        .map(Near::name)
        .toList();
  }

  /** Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
