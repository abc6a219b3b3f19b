package dev.staunch.torchscript.schema;

import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operators that are functions in TorchScript: old meanings for archives written before they
 * changed ("upgraders"), overloads that libtorch itself defines in TorchScript, and operators that
 * others compute. Immutable.
 */
public final class LibraryFunctions {
  /** The table's lines, read when first needed. */
  private static final List<Line> TABLE = table();

  /** By the qualified names of the overloads that they replace. */
  private final Map<String, Entry> replacements = new HashMap<>();

  /** By operator name. */
  private final Map<String, List<Entry>> additions = new HashMap<>();

  /**
   * @param schema the signature under which the operator is called
   * @param function the name of the function in {@link #source}, with the schema's parameters
   */
  public record Entry(Schema schema, String function) {}

  /**
   * {@code also SCHEMA = FUNCTION}, {@code as SCHEMA = FUNCTION}, or {@code until VERSION SCHEMA =
   * FUNCTION}.
   */
  private record Line(boolean isAddition, int before, Entry entry) {
    static Line of(String line) {
      int space = line.indexOf(' ');
      boolean isAddition = line.startsWith("also ");
      boolean isDated = line.startsWith("until ");
      int from = isDated ? line.indexOf(' ', space + 1) : space;
      int before = isDated ? Integer.parseInt(line, space + 1, from, 10) : Integer.MAX_VALUE;
      String[] sides = line.substring(from + 1).split(" = ", 2);
      return new Line(isAddition, before, new Entry(SchemaText.parse(sides[0]), sides[1]));
    }
  }

  private LibraryFunctions() {}

  /** The functions that apply to an archive of format version {@code version}. */
  public static LibraryFunctions forVersion(int version) {
    LibraryFunctions library = new LibraryFunctions();
    for (Line line : TABLE) {
      Schema schema = line.entry.schema();
      if (line.isAddition) {
        library.additions.computeIfAbsent(schema.name(), name -> new ArrayList<>()).add(line.entry);
      } else if (version < line.before) {
        library.replacements.putIfAbsent(schema.qualifiedName(), line.entry);
      }
    }
    return library;
  }

  /**
   * The function for an overload's meaning in the archive's version, if it was different; otherwise
   * null.
   */
  @Nullable Entry replacement(String qualifiedName) {
    return replacements.get(qualifiedName);
  }

  /** The overloads of an operator that follow those in the table. */
  List<Entry> additions(String name) {
    return additions.getOrDefault(name, List.of());
  }

  /** The functions' source text. */
  public static String source() {
    return OperatorTable.text("library.py");
  }

  private static List<Line> table() {
    List<Line> lines = new ArrayList<>();
    for (String line : OperatorTable.text("library.txt").split("\n", -1)) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        lines.add(Line.of(line));
      }
    }
    return lines;
  }
}
