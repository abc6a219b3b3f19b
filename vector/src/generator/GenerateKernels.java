import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the kernels of float and double from one template each. Run by Maven, before it compiles:
 *
 * <pre>java GenerateKernels.java FOLDER-OF-THIS-FILE TARGET-FOLDER</pre>
 *
 * <p>In a template, {@code $type} is the primitive type, {@code $Type} its name in class names,
 * {@code $constant} in names of constants, {@code $dtype} the tensor's; {@code $Row} ends the names
 * of loops over its rows. A template that speaks of {@code $rows} is written for several numbers of
 * them; a line with {@code $i} is repeated for each row.
 */
final class GenerateKernels {
  private static final String PACKAGE = "dev/staunch/vector";
  private static final String ENDING = ".java.template";
  private static final Pattern FORMULA =
      Pattern.compile("(masked )?(?:(double|long|int|byte|truth|test) )?(\\w+)\\(([^)]*)\\) (.*)");
  private static final Pattern LINE_OF_ROW = Pattern.compile("(?m)^.*\\$i\\b.*\\n");

  private final Path target;
  private final TreeSet<Path> written = new TreeSet<>();

  private GenerateKernels(Path target) {
    this.target = target;
  }

  public static void main(String[] arguments) throws IOException {
    GenerateKernels generator = new GenerateKernels(Path.of(arguments[1]).resolve(PACKAGE));
    List<Path> templates;
    try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
      templates = files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
    for (Path template : templates) {
      String name = template.getFileName().toString().replace(ENDING, "");
      generator.write(name, Files.readString(template), "float", "Float");
      generator.write(name, Files.readString(template), "double", "Double");
    }
    generator.writeRows(Path.of(arguments[0]));
    generator.writeReductions(
        Files.readString(Path.of(arguments[0]).resolve("RowReduction.template")));
    generator.deleteOthers();
  }

  /** The extremes of floats, which are not rounded, are found in floats; all else in doubles. */
  private void writeReductions(String template) throws IOException {
    String[][] kinds = {
      {"SumOf", "add", "0", "all + each", "x", "x"},
      {"SquaresOf", "add", "0", "all + each", "x * x", "x.mul(x)"},
      {"ProductOf", "mul", "1", "all * each", "x", "x"},
      {"GreatestOf", "max", "$Type.NEGATIVE_INFINITY", "Math.max(all, each)", "x", "x"},
      {"LeastOf", "min", "$Type.POSITIVE_INFINITY", "Math.min(all, each)", "x", "x"},
    };
    for (String[] kind : kinds) {
      boolean extreme = kind[2].startsWith("$Type");
      writeReduction(template, kind, extreme, "Row", "float", extreme ? "float" : "double");
      if (!kind[0].equals("ProductOf")) {
        writeReduction(template, kind, extreme, "DoubleRow", "double", "double");
      }
    }
  }

  private void writeReduction(
      String template, String[] kind, boolean extreme, String row, String element, String type)
      throws IOException {
    String lanes = "a.$lanewise(b).$lanewise(c.$lanewise(d))";
    // An extreme is the same in any order.
    String reduced = "new $type[] {" + lanes + ".reduceLanes(VectorOperators.$LANEWISE)}";
    String floats = "FloatVector.fromMemorySegment(ALONG, row, at * Float.BYTES, ORDER)";
    writeFile(
        kind[0] + row,
        withLines(template, element.equals("float") ? "$D" : "$F", "$F", "$D")
            .replace("$class", kind[0] + row)
            .replace("$ends", extreme ? reduced : lanes + ".toArray()")
            .replace("$lanewise", kind[1])
            .replace("$LANEWISE", kind[1].toUpperCase(Locale.ROOT))
            .replace("$identity", kind[2])
            .replace("$joined", kind[3])
            .replace("$term", kind[4])
            .replace("$vector", kind[5])
            .replace("$lanes", type.equals("float") ? floats : "terms(row, at)")
            .replace("$ELEMENT", element.toUpperCase(Locale.ROOT))
            .replace("$Type", capitalized(type))
            .replace("$type", type));
  }

  /** A loop for each formula of rows, and a table of them. */
  private void writeRows(Path sources) throws IOException {
    String template = Files.readString(sources.resolve("RowFormula.template"));
    String ternary = Files.readString(sources.resolve("TernaryFormula.template"));
    String masked = Files.readString(sources.resolve("MaskedRow.template"));
    String tests = Files.readString(sources.resolve("RowTest.template"));
    Map<String, RowTable> tables = new LinkedHashMap<>();
    List<String> truths = new ArrayList<>();
    for (String line : Files.readAllLines(sources.resolve("rows.formulas"))) {
      Matcher parts = FORMULA.matcher(line);
      if (parts.matches()) {
        String kind = parts.group(2) == null ? "float" : parts.group(2);
        boolean test = kind.equals("test");
        String table = test ? "float" : kind;
        String type = kind.equals("truth") ? "byte" : table;
        String[] parameters = parts.group(4).split("; ", 2);
        String[] constants = parameters.length == 1 ? new String[0] : parameters[1].split(", ");
        int operands = parameters[0].split(", ").length;
        String name = parts.group(3);
        if (test) {
          truths.add("\"" + name + "\"");
        }
        String className =
            capitalized(name) + (table.equals("float") ? "" : capitalized(table)) + "Row";
        String form = test ? tests : parts.group(1) == null ? template : masked;
        List<String> fields = Stream.of(constants).map(each -> type + " " + each).toList();
        writeFile(
            className,
            (operands == 3 ? ternary : withLines(form, operands == 1 ? "$2" : "$1", "$1", "$2"))
                .replace("$class", className)
                .replace("$constants", String.join(", ", fields))
                .replace(
                    "import jdk.incubator.vector.VectorSpecies;",
                    parts.group(5).contains("VectorOperators.")
                        ? "import jdk.incubator.vector.VectorOperators;\n"
                            + "import jdk.incubator.vector.VectorSpecies;"
                        : "import jdk.incubator.vector.VectorSpecies;")
                .replace("$expression", parts.group(5))
                .replace("$Type", capitalized(type))
                .replace("$cast", castTo(type))
                .replace("$Box", type.equals("int") ? "Integer" : capitalized(type)));
        tables
            .computeIfAbsent(table, RowTable::new)
            .add(name, className, constants.length, operands);
      }
    }
    writeFile(
        "RowFormulas",
        """
        package dev.staunch.vector;

        import dev.staunch.kernel.primitive.RowFormula;
        import dev.staunch.type.DType;
        import java.util.List;
        import java.util.Map;
        import java.util.Set;
        import org.jspecify.annotations.Nullable;

        /** The loops of formulas by their names. */
        final class RowFormulas {
        %s
          /** Formulas of three operands, of any dtype. */
          static final Set<String> TERNARY = Set.of(%s);

          /** Formulas of floats that give bools. */
          static final Set<String> TESTS = Set.of(%s);

          private RowFormulas() {}

          /** The loop of a formula with these constants; null if there is none. */
          static @Nullable RowFormula of(DType dtype, String name, double[] constants) {
            return switch (dtype) {
              case FLOAT32 -> float32(name, constants);
              case FLOAT64 -> float64(name, constants);
              case INT64 -> LONG_CONSTANT.get(name);
              case INT32 -> INT_CONSTANT.get(name);
              case INT8, UINT8 -> BYTE_CONSTANT.get(name);
              case BOOL -> TRUTH_CONSTANT.get(name);
              default -> null;
            };
          }
        %s}
        """
            .formatted(
                tables.values().stream().map(RowTable::fields).collect(Collectors.joining("\n")),
                tables.values().stream()
                    .flatMap(table -> table.ternary().stream())
                    .distinct()
                    .sorted()
                    .map(name -> "\"" + name + "\"")
                    .collect(Collectors.joining(", ")),
                String.join(", ", truths),
                tables.get("float").method("float32") + tables.get("double").method("float64")));
  }

  /** A cast of a double; of an integer beyond an int, to its lowest bits. */
  private static String castTo(String type) {
    return switch (type) {
      case "double" -> "";
      case "int", "byte" -> "(" + type + ") (long) ";
      default -> "(" + type + ") ";
    };
  }

  private static String capitalized(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** The lines of a template, less those that are marked as unused, and without marks. */
  private static String withLines(String template, String unused, String... marks) {
    return template
        .lines()
        .filter(each -> !each.startsWith(unused))
        .map(each -> Stream.of(marks).anyMatch(each::startsWith) ? each.substring(2) : each)
        .reduce("", (all, each) -> all + each + "\n");
  }

  /** The formulas of one type. */
  private record RowTable(
      String type,
      List<String> names,
      List<String> entries,
      List<String> cases,
      List<String> ternary) {
    RowTable(String type) {
      this(type, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(String name, String className, int constants, int operands) {
      names.add("\"" + name + "\"");
      if (operands == 3) {
        ternary.add(name);
      }
      if (constants == 0) {
        entries.add("Map.entry(\"%s\", new %s())".formatted(name, className));
        return;
      }
      String cast = castTo(type);
      List<String> values = new ArrayList<>();
      for (int i = 0; i < constants; i++) {
        values.add("%sconstants[%d]".formatted(cast, i));
      }
      cases.add("case \"%s\" -> new %s(%s);".formatted(name, className, String.join(", ", values)));
    }

    String fields() {
      String constant = type.toUpperCase(Locale.ROOT);
      return """
        static final List<String> %s_NAMES =
            List.of(
                %s);

        private static final Map<String, RowFormula> %s_CONSTANT =
            Map.ofEntries(
                %s);
      """
          .formatted(
              constant, String.join(", ", names), constant, String.join(",\n          ", entries));
    }

    String method(String name) {
      return """

        private static @Nullable RowFormula %s(String name, double[] constants) {
          return switch (name) {
            %s
            default -> %s_CONSTANT.get(name);
          };
        }
      """
          .formatted(name, String.join("\n      ", cases), type.toUpperCase(Locale.ROOT));
    }
  }

  private void write(String name, String template, String type, String typeName)
      throws IOException {
    String text =
        template
            .replace("$constant", type.toUpperCase(Locale.ROOT))
            .replace("$dtype", "FLOAT" + (type.equals("float") ? 32 : 64))
            .replace("$Type", typeName)
            .replace("$type", type)
            .replace("$Row", type.equals("float") ? "Row" : "DoubleRow");
    if (!text.contains("$rows")) {
      writeFile(typeName + name, text);
      return;
    }
    int[] all =
        switch (name) {
          case "Tile" -> new int[] {4, 8, 12, 13};
          case "TouchingTile" -> new int[] {12, 13};
          case "NarrowTile" -> new int[] {4, 12, 13};
          default -> new int[] {6, 8};
        };
    for (int rows : all) {
      writeFile(typeName + name + rows, repeat(text, rows).replace("$rows", String.valueOf(rows)));
    }
  }

  private static String repeat(String text, int rows) {
    return LINE_OF_ROW
        .matcher(text)
        .replaceAll(line -> {
          StringBuilder lines = new StringBuilder();
          for (int i = 0; i < rows; i++) {
            lines.append(line.group().replace("$i", String.valueOf(i)));
          }
          return Matcher.quoteReplacement(lines.toString());
        });
  }

  /** Leaves a file that would not change as it is, so that nothing is compiled for it. */
  private void writeFile(String className, String text) throws IOException {
    Path file = target.resolve(className + ".java");
    written.add(file);
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(target);
      Files.writeString(file, text);
    }
  }

  private void deleteOthers() throws IOException {
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!written.contains(file)) {
          Files.delete(file);
        }
      }
    }
  }
}
