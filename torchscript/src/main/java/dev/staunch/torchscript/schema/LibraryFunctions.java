package dev.staunch.torchscript.schema;

import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Operators that are functions in TorchScript: old meanings, for archives written before they
 * changed ("upgraders"), and overloads that libtorch itself defines so. Only the schemas of a name
 * that is asked for are parsed, once. What it says never changes. Thread-safe.
 */
public final class LibraryFunctions {
  /** What stands for the overloads of each name, as {@code SCHEMA = FUNCTION}. */
  private final Map<String, List<String>> replacements = new HashMap<>();

  private final Map<String, List<String>> additions = new HashMap<>();
  private final Map<String, List<Entry>> replacing = new ConcurrentHashMap<>();
  private final Map<String, List<Entry>> added = new ConcurrentHashMap<>();

  /**
   * @param schema how the operator is called
   * @param function the name of the function in {@link #source}, with the schema's parameters
   */
  public record Entry(Schema schema, String function) {
    private static Entry of(String line) {
      String[] sides = line.split(" = ", 2);
      return new Entry(SchemaText.parse(sides[0]), sides[1]);
    }
  }

  private LibraryFunctions() {}

  /** The functions that matter to an archive of format version {@code version}. */
  public static LibraryFunctions forVersion(int version) {
    LibraryFunctions library = new LibraryFunctions();
    text("library.txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          int space = line.indexOf(' ');
          if (line.startsWith("also ")) {
            put(library.additions, line.substring(space + 1));
            return;
          }
          int schema = line.indexOf(' ', space + 1);
          if (version < Integer.parseInt(line, space + 1, schema, 10)) {
            put(library.replacements, line.substring(schema + 1));
          }
        });
    return library;
  }

  private static void put(Map<String, List<String>> entries, String text) {
    String qualified = text.substring(0, text.indexOf('('));
    entries.computeIfAbsent(unqualified(qualified), name -> new ArrayList<>()).add(text);
  }

  private static String unqualified(String qualifiedName) {
    int overload = qualifiedName.indexOf('.');
    return overload < 0 ? qualifiedName : qualifiedName.substring(0, overload);
  }

  /** What an overload meant in the archive's version, if that was something else; or null. */
  @Nullable Entry replacement(String qualifiedName) {
    for (Entry entry : entries(replacements, replacing, unqualified(qualifiedName))) {
      if (entry.schema().qualifiedName().equals(qualifiedName)) {
        return entry;
      }
    }
    return null;
  }

  /** The overloads of an operator that come after those of the table. */
  List<Entry> additions(String name) {
    return entries(additions, added, name);
  }

  private static List<Entry> entries(
      Map<String, List<String>> texts, Map<String, List<Entry>> read, String name) {
    List<String> lines = texts.get(name);
    return lines == null
        ? List.of()
        : read.computeIfAbsent(name, absent -> lines.stream().map(Entry::of).toList());
  }

  /** The functions' source text. */
  public static String source() {
    return text("library.py");
  }

  private static String text(String resource) {
    try (InputStream stream = LibraryFunctions.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException(resource + " is missing from the module");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
