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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every operator schema that libtorch knows, by name, and those that a caller adds. Only the lines
 * of requested names are parsed, each once. Its contents never change. Thread-safe.
 */
public final class OperatorTable {
  /** One schema per line, sorted by name. */
  private final String text;

  /** Where the first schema begins. */
  private final int start;

  private final Map<String, List<Schema>> parsed;

  /** The caller's schemas, by name; they follow libtorch's. */
  private final Map<String, List<Schema>> added;

  private OperatorTable(
      String text, int start, Map<String, List<Schema>> parsed, Map<String, List<Schema>> added) {
    this.text = text;
    this.start = start;
    this.parsed = parsed;
    this.added = added;
  }

  /** The table that ships with this module, shared by the whole process. */
  public static OperatorTable standard() {
    return Standard.TABLE;
  }

  /** Read when first needed. */
  private static final class Standard {
    static final OperatorTable TABLE = of(text("operators.txt"));
  }

  /** A table from {@code text}: comments, then one schema per line, sorted by name. */
  static OperatorTable of(String text) {
    int start = 0;
    while (text.charAt(start) == '#') {
      start = nextLine(text, start);
    }
    return new OperatorTable(text, start, new ConcurrentHashMap<>(), Map.of());
  }

  /**
   * Returns this table with the operators of {@code catalog} that neither it nor the standard table
   * has.
   */
  public OperatorTable with(Catalog catalog) {
    Catalog standard = StandardOperations.catalog();
    if (catalog == standard) {
      return this;
    }
    Set<String> known = standard.names();
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
    return more.isEmpty() ? this : new OperatorTable(text, start, parsed, more);
  }

  /** The text of a resource of this package. */
  static String text(String resource) {
    try (InputStream stream = OperatorTable.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException(resource + " is missing from the module");
      }
      return new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int nextLine(String text, int from) {
    return text.indexOf('\n', from) + 1;
  }

  /**
   * Where the schema of the line at {@code from} begins: after the mark, if it is a dropped one.
   */
  private static int schemaAt(String text, int from) {
    return text.startsWith("-", from) ? from + 1 : from;
  }

  private static String nameAt(String text, int from) {
    int first = schemaAt(text, from);
    int end = text.indexOf('(', first);
    int overload = text.indexOf('.', first);
    return text.substring(first, overload < 0 ? end : Math.min(end, overload));
  }

  private boolean isNamed(int from, String name) {
    int first = schemaAt(text, from);
    int end = first + name.length();
    return text.startsWith(name, first) && (text.startsWith("(", end) || text.startsWith(".", end));
  }

  /** The first line with {@code name}, or where it would be. */
  private int firstLine(String name) {
    int low = start;
    int high = text.length();
    while (low < high) {
      int line = text.lastIndexOf('\n', (low + high) / 2 - 1) + 1;
      if (nameAt(text, line).compareTo(name) < 0) {
        low = nextLine(text, line);
      } else {
        high = line;
      }
    }
    return low;
  }

  /**
   * The overloads of {@code name} ({@code aten::add}) in the order in which libtorch tries them; or
   * none.
   */
  public List<Schema> overloads(String name) {
    List<Schema> known = parsed.get(name);
    if (known == null) {
      known = parse(name);
      if (!known.isEmpty()) {
        parsed.put(name, known);
      }
    }
    List<Schema> more = added.get(name);
    return more == null ? known : Stream.concat(known.stream(), more.stream()).toList();
  }

  private List<Schema> parse(String name) {
    List<Schema> schemas = new ArrayList<>();
    for (int from = firstLine(name); isNamed(from, name); ) {
      int to = nextLine(text, from);
      schemas.add(SchemaText.parse(text.substring(schemaAt(text, from), to - 1)));
      from = to;
    }
    return List.copyOf(schemas);
  }

  /** The schema with a qualified name ({@code aten::add.Tensor}), or null. */
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

  /** The names of all operators, without overload names. */
  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    for (int from = start; from < text.length(); from = nextLine(text, from)) {
      names.add(nameAt(text, from));
    }
    names.addAll(added.keySet());
    return Collections.unmodifiableSet(names);
  }

  /** Up to three names similar to {@code name}, closest first. */
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
