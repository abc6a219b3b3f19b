import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the loops of kernels: one for each formula and kind of number, so that each is compiled by
 * itself, and one matrix product for each kind. Run by Maven, before it compiles:
 *
 * <pre>java GenerateKernels.java FOLDER-OF-THIS-FILE TARGET-FOLDER</pre>
 */
final class GenerateKernels {
  private static final String FORMULAS = "dev.staunch.kernel.formula";
  private static final String[] ARRAYS = {"x", "y", "z"};
  private static final String BOOLS = "bools";
  private static final String TRUTH = "truth ";
  private static final List<String> KINDS = List.of("real", "integer", "float", BOOLS);

  private final Path target;
  private final TreeSet<Path> written = new TreeSet<>();

  private GenerateKernels(Path target) {
    this.target = target;
  }

  public static void main(String[] arguments) throws IOException {
    Path sources = Path.of(arguments[0]);
    GenerateKernels generator = new GenerateKernels(Path.of(arguments[1]));
    List<Formula> formulas = read(Files.readAllLines(sources.resolve("pointwise.formulas")));
    for (Formula formula : formulas) {
      generator.write(FORMULAS, formula.className(), rule(formula));
    }
    generator.write(FORMULAS, "Formulas", index(formulas));
    String product = Files.readString(sources.resolve("Product.java.template"));
    String block = Files.readString(sources.resolve("Block.java.template"));
    String rows = Files.readString(sources.resolve("RowSums.java.template"));
    for (String[] kind :
        new String[][] {
          {"float", "Float"}, {"double", "Double"}, {"int", "Int"}, {"long", "Long"}
        }) {
      String text = product.replace("$type", kind[0]).replace("$Type", kind[1]);
      generator.write("dev.staunch.kernel.plain", kind[1] + "Product", text);
      text = block.replace("$type", kind[0]).replace("$Type", kind[1]);
      generator.write("dev.staunch.kernel.plain", kind[1] + "Block", text);
      text = rowSums(rows, kind[0]).replace("$type", kind[0]).replace("$Type", kind[1]);
      generator.write("dev.staunch.kernel.plain", kind[1] + "RowSums", text);
    }
    String gather = Files.readString(sources.resolve("Gather.java.template"));
    for (String[] kind :
        new String[][] {
          {"float", "Float", "Float"},
          {"double", "Double", "Double"},
          {"int", "Int", "Integer"},
          {"long", "Long", "Long"}
        }) {
      String text =
          gather
              .replace("$TYPE", kind[0].toUpperCase(Locale.ROOT))
              .replace("$type", kind[0])
              .replace("$Type", kind[1])
              .replace("$Box", kind[2]);
      generator.write("dev.staunch.kernel.plain", kind[1] + "Gather", text);
    }
    generator.deleteOthers();
  }

  /** Floating numbers have fused products; the lines for these are marked. */
  private static String rowSums(String template, String type) {
    boolean floating = type.equals("float") || type.equals("double");
    return floating
        ? template
            .replaceAll("(?m)^ *// \\$floating [{}]\\n", "")
            .replace("$together", "FusedMultiplyAdd.IS_FAST ? 3 : 1")
        : template
            .replaceAll("(?s) *// \\$floating \\{.*?// \\$floating }\\n", "")
            .replace("$together", "1");
  }

  /** Leaves an unchanged file alone, so that it is not recompiled. */
  private void write(String packageName, String className, String text) throws IOException {
    Path file = target.resolve(packageName.replace('.', '/')).resolve(className + ".java");
    written.add(file);
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
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

  /**
   * An entry of the table.
   *
   * @param truth whether results are bools
   * @param choice whether the first operand is a truth
   * @param constants type and name of each constant
   * @param texts the expression by kind of number: real, integer, float, bools
   */
  private record Formula(
      String name,
      boolean truth,
      boolean choice,
      List<String> operands,
      List<String> constants,
      Map<String, String> texts) {
    String className() {
      return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    boolean takes(String kind) {
      return texts.containsKey(kind);
    }

    /** The lines that assign the operands {@code a}, {@code b} ... for element {@code i}. */
    String elements(String type) {
      return IntStream.range(0, operands.size())
          .mapToObj(k -> "      " + type + " " + operands.get(k) + " = " + ARRAYS[k] + "[i];\n")
          .collect(Collectors.joining());
    }
  }

  private static List<Formula> read(List<String> lines) {
    List<Formula> formulas = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("  ")) {
        String[] kindAndText = line.strip().split(" ", 2);
        if (!KINDS.contains(kindAndText[0])) {
          throw new IllegalArgumentException("unknown kind of number: " + line);
        }
        formulas.getLast().texts().put(kindAndText[0], kindAndText[1]);
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        formulas.add(head(line));
      }
    }
    return formulas;
  }

  private static Formula head(String line) {
    boolean truth = line.startsWith(TRUTH);
    String text = truth ? line.substring(TRUTH.length()) : line;
    String[] nameAndRest = text.substring(0, text.length() - 1).split("\\(", 2);
    String[] parts = nameAndRest[1].split("; ", 2);
    List<String> constants = parts.length == 1 ? List.of() : List.of(parts[1].split(", ", -1));
    boolean choice = parts[0].startsWith(TRUTH);
    String operands = choice ? parts[0].substring(TRUTH.length()) : parts[0];
    return new Formula(
        nameAndRest[0],
        truth,
        choice,
        List.of(operands.split(", ", -1)),
        constants,
        new LinkedHashMap<>());
  }

  private static String rule(Formula formula) {
    String kind = formula.truth() ? "Truths" : "Numbers";
    return """
    package %s;

    import static dev.staunch.kernel.formula.IntegerFunctions.*;
    import static dev.staunch.kernel.formula.Picks.*;
    import static dev.staunch.kernel.formula.RealFunctions.*;
    import static dev.staunch.kernel.formula.SingleFunctions.*;
    import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

    import dev.staunch.kernel.loop.Rule;
    import dev.staunch.kernel.scalar.ErrorFunction;
    import dev.staunch.kernel.scalar.InverseHyperbolic;
    import dev.staunch.operation.Formula;
    import dev.staunch.tensor.Elements;
    import dev.staunch.type.DType;
    import java.lang.foreign.MemorySegment;
    import java.util.List;
    import java.util.Map;
    import org.jspecify.annotations.Nullable;

    /** Generated from a table of formulas: {@code %s}. */
    record %s(%s) implements Rule.%s {
      @Override
      public String name() {
        return "%s";
      }

      @Override
      public double @Nullable [] constants() {
        return %s;
      }

      @Override
      public Formula formula() {
        return new Formula(
            name(),
            List.of(%s),
            Map.of(%s),
            Map.of(%s));
      }

      @Override
      public int operands() {
        return %d;
      }

      @Override
      public boolean takesReals() {
        return %s;
      }

      @Override
      public boolean takesIntegers() {
        return %s;
      }

      @Override
      public boolean takesPackedBools() {
        return %s;
      }
    %s}
    """
        .formatted(
            FORMULAS,
            formula.texts().values().iterator().next(),
            formula.className(),
            String.join(", ", formula.constants()),
            kind,
            formula.name(),
            constants(formula),
            quoted(formula.operands()),
            formula.constants().stream()
                .map(constant -> constant.split(" ", 2)[1])
                .map(name -> "\"" + name + "\", " + name)
                .collect(Collectors.joining(", ")),
            formula.texts().entrySet().stream()
                .filter(it -> !it.getKey().equals(BOOLS)) // the same as for integers
                .map(it ->
                    "Formula.Kind."
                        + it.getKey().toUpperCase(Locale.ROOT)
                        + ", \""
                        + it.getValue()
                        + "\"")
                .collect(Collectors.joining(", ")),
            formula.operands().size(),
            formula.takes("real"),
            formula.takes("integer"),
            formula.takes(BOOLS),
            loops(formula));
  }

  /** The array of a formula's constants, if all of them are numbers. */
  private static String constants(Formula formula) {
    if (formula.constants().isEmpty()) {
      return "NO_CONSTANTS";
    }
    boolean numbers =
        formula.constants().stream().allMatch(it -> it.matches("(double|long|int) .*"));
    return !numbers
        ? "null"
        : formula.constants().stream()
            .map(constant -> constant.split(" ", 2)[1])
            .collect(Collectors.joining(", ", "new double[] {", "}"));
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
  }

  private static String loops(Formula formula) {
    StringBuilder loops = new StringBuilder();
    if (formula.choice()) {
      loops.append(
          """

            @Override
            public boolean isChoice() {
              return true;
            }
          """);
    }
    if (formula.takes("real")) {
      String kind = formula.takes("float") ? "float" : "real";
      String computed = formula.takes("float") ? "float" : "double";
      loops.append(loop(formula, "float", computed, formula.texts().get(kind)));
      loops.append(loop(formula, "double", "double", formula.texts().get("real")));
      if (!formula.truth() && formula.operands().size() < ARRAYS.length) {
        loops.append(rows(formula));
        loops.append(number(formula));
      }
    }
    if (formula.takes("integer")) {
      loops.append(loop(formula, "long", "long", formula.texts().get("integer")));
    }
    if (formula.takes(BOOLS)) {
      loops.append(packed(formula));
    }
    return loops.toString();
  }

  private static String arrays(Formula formula, String type) {
    return IntStream.range(0, formula.operands().size())
        .mapToObj(k -> "    " + type + "[] " + ARRAYS[k] + " = in[" + k + "];\n")
        .collect(Collectors.joining());
  }

  /** A loop over longs, each of which holds eight bools. */
  private static String packed(Formula formula) {
    return """

      @Override
      public void runPacked(long[][] in, long[] out, int count) {
    %s    for (int i = 0; i < count; i++) {
    %s      out[i] = %s;
        }
      }
    """
        .formatted(arrays(formula, "long"), formula.elements("long"), formula.texts().get(BOOLS));
  }

  /** A loop over arrays of {@code type}, whose elements are combined as {@code computed}. */
  private static String loop(Formula formula, String type, String computed, String text) {
    return """

      @Override
      public void run(%s[][] in, %s[] out, int count) {
    %s    for (int i = 0; i < count; i++) {
    %s      out[i] = %s;
        }
      }
    """
        .formatted(
            type,
            formula.truth() ? "byte" : type,
            arrays(formula, type),
            formula.elements(computed),
            formula.truth() ? "(byte) ((" + text + ") ? 1 : 0)" : rounded(computed, type, text));
  }

  private static String rounded(String computed, String type, String text) {
    return computed.equals(type) ? text : "(" + type + ") (" + text + ")";
  }

  /** A loop over a few float32 elements of two rows, in place. */
  private static String rows(Formula formula) {
    boolean single = formula.operands().size() == 1;
    return direct(
        formula,
        "MemorySegment y, long fromY",
        single ? "" : element(formula, 1, "y.getAtIndex(JAVA_FLOAT, fromY + i)"));
  }

  /** A loop over a few float32 elements of a row, with a number, in place. */
  private static String number(Formula formula) {
    boolean single = formula.operands().size() == 1;
    String number = formula.takes("float") ? "(float) y" : "y";
    return direct(formula, "double y", single ? "" : element(formula, 1, number));
  }

  private static String direct(Formula formula, String second, String setSecond) {
    return """

      @Override
      public void run(
          MemorySegment x, long fromX, %s, MemorySegment out, long to, int count) {
        for (int i = 0; i < count; i++) {
    %s%s      out.setAtIndex(JAVA_FLOAT, to + i, %s);
        }
      }
    """
        .formatted(
            second,
            element(formula, 0, "x.getAtIndex(JAVA_FLOAT, fromX + i)"),
            setSecond,
            formula.takes("float")
                ? formula.texts().get("float")
                : rounded("double", "float", formula.texts().get("real")));
  }

  private static String element(Formula formula, int operand, String value) {
    String type = formula.takes("float") ? "float" : "double";
    return "      " + type + " " + formula.operands().get(operand) + " = " + value + ";\n";
  }

  /** The class through which other packages refer to the rules. */
  private static String index(List<Formula> formulas) {
    return """
    package %s;

    import dev.staunch.kernel.loop.Rule;
    import dev.staunch.type.DType;

    /** The rules of pointwise operations, generated from a table of formulas; loaded one by one. */
    public final class Formulas {
      private Formulas() {}
    %s}
    """
        .formatted(
            FORMULAS, formulas.stream().map(GenerateKernels::entry).collect(Collectors.joining()));
  }

  private static String entry(Formula formula) {
    String comment = "\n  /** {@code " + formula.texts().values().iterator().next() + "}. */\n";
    String names =
        formula.constants().stream()
            .map(constant -> constant.split(" ", 2)[1])
            .collect(Collectors.joining(", "));
    return comment
        + """
          public static Rule %s(%s) {
            return new %s(%s);
          }
        """
            .formatted(
                formula.name(), String.join(", ", formula.constants()), formula.className(), names);
  }
}
