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
  private final Map<String, Line> replacements = new HashMap<>();

  /** By operator name. */
  private final Map<String, List<Line>> additions = new HashMap<>();

  /**
   * @param schema the signature under which the operator is called
   * @param function the name of the function in {@link #source}, with the schema's parameters
   */
  public record Entry(Schema schema, String function) {}

  /**
   * {@code also SCHEMA = FUNCTION}, {@code as SCHEMA = FUNCTION}, or {@code until VERSION SCHEMA =
   * FUNCTION}.
   */
  private static final class Line {
    private final boolean isAddition;
    private final boolean isStandIn;
    private final int before;
    private final String schema;
    private final String function;

    /** Null until first asked for; a race parses the schema twice. */
    private @Nullable Entry entry;

    Line(String line) {
      int space = line.indexOf(' ');
      boolean isDated = line.startsWith("until ");
      int from = isDated ? line.indexOf(' ', space + 1) : space;
      int end = line.lastIndexOf(" = ");
      isAddition = line.startsWith("also ");
      isStandIn = line.startsWith("as ");
      before = isDated ? Integer.parseInt(line, space + 1, from, 10) : Integer.MAX_VALUE;
      schema = line.substring(from + 1, end);
      function = line.substring(end + " = ".length());
    }

    Entry entry() {
      Entry known = entry;
      if (known == null) {
        known = new Entry(SchemaText.parse(schema), function);
        entry = known;
      }
      return known;
    }
  }

  private LibraryFunctions() {}

  /** Those that apply whatever the archive's version. */
  public static LibraryFunctions current() {
    return forVersion(Integer.MAX_VALUE - 1);
  }

  /** The functions that apply to an archive of format version {@code version}. */
  public static LibraryFunctions forVersion(int version) {
    LibraryFunctions library = new LibraryFunctions();
    for (Line line : TABLE) {
      String qualified = line.schema.substring(0, line.schema.indexOf('('));
      if (line.isAddition) {
        String name = qualified.substring(0, (qualified + ".").indexOf('.'));
        library.additions.computeIfAbsent(name, absent -> new ArrayList<>()).add(line);
      } else if (version < line.before) {
        library.replacements.putIfAbsent(qualified, line);
      }
    }
    return library;
  }

  /**
   * The function that stands for an overload in the archive's version, or null if the operator does
   * itself.
   */
  @Nullable Entry replacement(String qualifiedName) {
    Line line = replacements.get(qualifiedName);
    return line == null ? null : line.entry();
  }

  /** The overloads of an operator that follow those in the table. */
  List<Entry> additions(String name) {
    List<Entry> entries = new ArrayList<>();
    for (Line line : additions.getOrDefault(name, List.of())) {
      entries.add(line.entry());
    }
    return entries;
  }

  /**
   * Whether the operators that {@code function} calls have the policies of autocast, as in
   * libtorch: not if it stands for one with a kernel of its own.
   */
  public static boolean heedsAutocast(String function) {
    for (Line line : TABLE) {
      if (line.function.equals(function)) {
        return !line.isStandIn;
      }
    }
    return true;
  }

  /** The functions' source text. */
  public static String source() {
    return OperatorTable.text("library.py");
  }

  private static List<Line> table() {
    List<Line> lines = new ArrayList<>();
    for (String line : OperatorTable.text("library.txt").split("\n", -1)) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        lines.add(new Line(line));
      }
    }
    return lines;
  }
}
