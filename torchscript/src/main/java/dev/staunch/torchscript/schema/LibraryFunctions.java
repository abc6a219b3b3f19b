package dev.staunch.torchscript.schema;

import dev.staunch.kernel.Schema;
import dev.staunch.kernel.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operators that are functions in TorchScript: old meanings, for archives written before they
 * changed ("upgraders"), and overloads that libtorch itself defines so. Immutable.
 */
public final class LibraryFunctions {
  private final Map<String, Entry> replacements = new HashMap<>();
  private final Map<String, List<Entry>> additions = new HashMap<>();

  /**
   * @param schema how the operator is called
   * @param function the name of the function in {@link #source}, with the schema's parameters
   */
  public record Entry(Schema schema, String function) {}

  private LibraryFunctions() {}

  /** The functions that matter to an archive of format version {@code version}. */
  public static LibraryFunctions forVersion(int version) {
    LibraryFunctions library = new LibraryFunctions();
    text("library.txt")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          String[] sides = line.split(" = ", 2);
          int space = sides[0].indexOf(' ');
          if (sides[0].startsWith("also ")) {
            library.add(new Entry(SchemaText.parse(sides[0].substring(space + 1)), sides[1]));
            return;
          }
          int schema = sides[0].indexOf(' ', space + 1);
          if (version < Integer.parseInt(sides[0].substring(space + 1, schema))) {
            library.replace(new Entry(SchemaText.parse(sides[0].substring(schema + 1)), sides[1]));
          }
        });
    return library;
  }

  private void add(Entry entry) {
    additions.computeIfAbsent(entry.schema().name(), name -> new ArrayList<>()).add(entry);
  }

  private void replace(Entry entry) {
    replacements.put(entry.schema().qualifiedName(), entry);
  }

  /** What an overload meant in the archive's version, if that was something else; or null. */
  @Nullable Entry replacement(String qualifiedName) {
    return replacements.get(qualifiedName);
  }

  /** The overloads of an operator that come after those of the table. */
  List<Entry> additions(String name) {
    return additions.getOrDefault(name, List.of());
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
