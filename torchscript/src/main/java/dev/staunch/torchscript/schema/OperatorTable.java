package dev.staunch.torchscript.schema;

import dev.staunch.kernel.Schema;
import dev.staunch.kernel.SchemaText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every operator schema that libtorch knows, by name. Only the lines of a name that is asked for
 * are parsed. Thread-safe.
 */
public final class OperatorTable {
  private final Map<String, List<String>> lines;
  private final Map<String, List<Schema>> parsed = new ConcurrentHashMap<>();

  private OperatorTable(Map<String, List<String>> lines) {
    this.lines = lines;
  }

  /** Read when it is first asked for; never changed then. */
  private static final class Standard {
    static final OperatorTable TABLE = read();
  }

  /** The table that ships with this module; one for all. */
  public static OperatorTable standard() {
    return Standard.TABLE;
  }

  private static OperatorTable read() {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    try (InputStream resource = OperatorTable.class.getResourceAsStream("operators.txt")) {
      if (resource == null) {
        throw new IllegalStateException("the operator table is missing from the module");
      }
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8));
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.startsWith("#") && !line.isBlank()) {
          String schema = line.startsWith("-") ? line.substring(1) : line;
          lines.computeIfAbsent(nameOf(schema), name -> new ArrayList<>()).add(schema);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new OperatorTable(lines);
  }

  private static String nameOf(String schema) {
    int end = schema.indexOf("::") + 2;
    while (Character.isJavaIdentifierPart(schema.charAt(end))) {
      end++;
    }
    return schema.substring(0, end);
  }

  /**
   * The overloads of {@code name} ({@code aten::add}) in the order libtorch tries them; or none.
   */
  public List<Schema> overloads(String name) {
    List<String> texts = lines.get(name);
    return texts == null
        ? List.of()
        : parsed.computeIfAbsent(name, absent -> texts.stream().map(SchemaText::parse).toList());
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
    return Collections.unmodifiableSet(lines.keySet());
  }

  /** Up to three names that look like {@code name}, nearest first. */
  public List<String> similar(String name) {
    record Near(String name, int distance) {}

    return lines.keySet().stream()
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
