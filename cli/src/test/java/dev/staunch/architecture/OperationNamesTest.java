package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.architecture.SourceTree.Source;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Code outside the catalog asks an entry what its operation does and does not know operations by
 * name, except where the name is something that a user wrote.
 */
class OperationNamesTest {
  private static final String RUNTIME = "runtime/src/main/java/dev/staunch/";
  private static final String VECTOR = "vector/src/main/java/dev/staunch/vector/";
  private static final String TORCHSCRIPT = "torchscript/src/main/java/dev/staunch/torchscript/";

  /** Where names may occur, and why. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          RUNTIME + "kernel/",
          "the entries themselves",
          RUNTIME + "eager/",
          "a method of the user's tensor is a call of the operation it names",
          RUNTIME + "ir/Structure",
          "the operations of programs, which have no entry",
          RUNTIME + "execute/Step.java",
          "as above, of a step that a trace shows",
          TORCHSCRIPT + "lower/",
          "what an operator or a function of the language stands for",
          TORCHSCRIPT + "source/",
          "functions of the language",
          "tfrt/",
          "entries of its own",
          "bench/",
          "measures what it names",
          "peers/",
          "what a peer leaves out, by its names");

  /**
   * Types that share their names with operations, such as the one that converts a value to {@code
   * str}.
   */
  private static final Set<String> TYPES =
      Set.of("str", "int", "float", "bool", "complex", "device", "list", "dict", "tensor");

  /** The files of the catalog that choose between operations by name, and why. */
  private static final Map<String, String> CHOOSING =
      Map.of(
          "quantized/QuantizedForms.java",
          "defines them for quantised operands",
          "sparse/SparseForms.java",
          "defines them for sparse operands",
          "spectral/ComplexForms.java",
          "defines them for complex operands");

  /** Where kernels compare names, and why; the rest asks the entry or what its definition says. */
  private static final Map<String, String> COMPARING =
      Map.of(
          RUNTIME + "kernel/quantized/QuantizedForms.java",
          "finds the operation whose result one in place writes",
          RUNTIME + "kernel/spectral/ComplexForms.java",
          "as above",
          RUNTIME + "kernel/scalar/ContextOperations.java",
          "names of types and devices",
          VECTOR + "VectorKernels.java",
          "a formula of rows has a name only",
          VECTOR + "WarmUpOperands.java",
          "as above");

  /** A name, or what was made of one, compared with text or a constant. */
  private static final Pattern COMPARED =
      Pattern.compile(
          "(?<!parameter\\.)\\b(?:name|title|operation|base|plain|original|returning)"
              + "(?:\\([^()]*\\))?\\s*"
              + "\\.(?:equals|startsWith|endsWith|contains|matches|replace|replaceFirst)"
              + "\\(\\s*[\"A-Z][^)]*");

  /** Any variable, or what a method without arguments returns, compared with one word. */
  private static final Pattern EQUAL =
      Pattern.compile(
          "\\b\\w+(?:\\(\\))?\\.(?:equals|startsWith)\\(\"(?:aten::)?(\\w+)(?:\\.\\w+)?\"\\)"
              + "|\"(?:aten::)?(\\w+)(?:\\.\\w+)?\"\\.equals\\(");

  private static final Pattern QUALIFIED =
      Pattern.compile("\"(?:aten|prim|staunch|torchvision|tfrt|quantized)::\\w+");

  private static final Pattern LIST = Pattern.compile("(?:Set|List|Map)\\.of\\(([^()]*)\\)");
  private static final Pattern DEFINITIONS =
      Pattern.compile("for \\(String \\w+ :\\s+List\\.of\\([^()]*\\)");
  private static final Pattern WORDS = Pattern.compile("\"([\\w.]+(?: [\\w.]+){2,}) ?\"");
  private static final Pattern CASE = Pattern.compile("case ((?:\"\\w+\",?\\s*)+)");
  private static final Pattern WORD = Pattern.compile("\"(\\w+)(?:\\.\\w+)?\"");

  private static final Pattern LABELS = Pattern.compile("case ((?:\"[\\w:.]+\",?\\s*)+)");
  private static final Pattern LABEL = Pattern.compile("\"(?:\\w+::)?(\\w+)(?:\\.\\w+)?\"");

  /** The names of all operations without their namespaces and overloads. */
  private static final Set<String> NAMES =
      StandardOperations.catalog().names().stream()
          .map(name -> name.substring(name.indexOf("::") + 2).replaceFirst("\\..*", ""))
          .filter(name -> !TYPES.contains(name))
          .collect(Collectors.toSet());

  private static List<String> found(String text) {
    List<String> found = new ArrayList<>();
    Matcher qualified = QUALIFIED.matcher(text);
    while (qualified.find()) {
      found.add(qualified.group().substring(1));
    }
    for (Pattern group : List.of(LIST, CASE)) {
      Matcher lists = group.matcher(text);
      while (lists.find()) {
        List<String> words =
            WORD.matcher(lists.group(1)).results().map(word -> word.group(1)).toList();
        if (words.size() > 1 && NAMES.containsAll(words)) {
          found.addAll(words);
        }
      }
    }
    return found;
  }

  /** Lists of operations that state something which belongs in each entry. */
  private static List<String> listed(String text) {
    String lists = DEFINITIONS.matcher(text).replaceAll("");
    List<String> listed = new ArrayList<>();
    Matcher groups = LIST.matcher(lists);
    while (groups.find()) {
      listed.addAll(operations(WORD.matcher(groups.group(1)).results().map(word -> word.group(1))));
    }
    Matcher words = WORDS.matcher(lists);
    while (words.find()) {
      listed.addAll(
          operations(
              Stream.of(words.group(1).split(" ", -1))
                  .map(word -> word.replaceFirst("\\..*", ""))));
    }
    return listed;
  }

  /** Cases that choose between operations, judged by their labels only. */
  private static List<String> chosen(String text) {
    List<String> names =
        LABELS
            .matcher(text)
            .results()
            .flatMap(labels -> LABEL.matcher(labels.group(1)).results())
            .map(label -> label.group(1))
            .filter(NAMES::contains)
            .toList();
    return names.size() > 2 ? names : List.of();
  }

  /** Comparisons on which something about an operation may hang. */
  private static List<String> compared(String text) {
    Stream<String> names = COMPARED.matcher(text).results().map(MatchResult::group);
    Stream<String> words =
        EQUAL
            .matcher(text)
            .results()
            .filter(each -> NAMES.contains(each.group(1) == null ? each.group(2) : each.group(1)))
            .map(MatchResult::group);
    return Stream.concat(names, words).distinct().toList();
  }

  /** The words if all of them are operations; otherwise none. */
  private static List<String> operations(Stream<String> words) {
    List<String> names = words.toList();
    return names.size() > 2 && NAMES.containsAll(names) ? names : List.of();
  }

  private static String path(Source source) {
    return source.path().toString().replace('\\', '/');
  }

  private static boolean mayName(Source source) {
    return ALLOWED.keySet().stream().anyMatch(path(source)::startsWith);
  }

  @Test
  void nobodyElseKnowsOperationsByTheirNames() {
    List<String> found = new ArrayList<>();
    for (Source source : SourceTree.sources()) {
      if (source.isMain() && !mayName(source)) {
        found(source.text()).forEach(name -> found.add(source.path() + ": " + name));
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void theCatalogSaysOfEachOperationAtItsEntryWhatItIs() {
    List<String> found = new ArrayList<>();
    for (Source source : SourceTree.sources()) {
      String path = path(source);
      if (source.isMain() && path.startsWith(RUNTIME + "kernel/")) {
        listed(source.text()).forEach(name -> found.add(path + ": " + name));
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void theCatalogChoosesByNameOnlyWhereItDefines() {
    Map<String, List<String>> found = new TreeMap<>();
    for (Source source : SourceTree.sources()) {
      String path = path(source);
      List<String> names = chosen(source.text());
      if (source.isMain() && path.startsWith(RUNTIME + "kernel/") && !names.isEmpty()) {
        found.put(path.substring((RUNTIME + "kernel/").length()), names);
      }
    }
    assertEquals(CHOOSING.keySet(), found.keySet(), found::toString);
  }

  @Test
  void kernelsDoNotDecideByTheNameOfAnOperation() {
    Map<String, List<String>> found = new TreeMap<>();
    for (Source source : SourceTree.sources()) {
      String path = path(source);
      List<String> compared = compared(source.text());
      if (source.isMain()
          && (path.startsWith(RUNTIME + "kernel/") || path.startsWith(VECTOR))
          && !compared.isEmpty()) {
        found.put(path, compared);
      }
    }
    assertEquals(COMPARING.keySet(), found.keySet(), found::toString);
  }

  @Test
  void comparisonsOfNamesAreFound() {
    String parts = "name.startsWith(\"max_\") || title.endsWith(\"_cell\")";
    assertEquals(List.of("name.startsWith(\"max_\"", "title.endsWith(\"_cell\""), compared(parts));
    assertEquals(1, compared("original(name).equals(\"x\")").size());
    assertEquals(1, compared("name.replace(\"std\", \"var\")").size());
    assertEquals(1, compared("which.equals(\"mm\")").size());
    assertEquals(1, compared("\"aten::sum.int\".equals(which)").size());
    assertEquals(List.of(), compared("parameter.name().endsWith(\"dtype\")"));
    assertEquals(List.of(), compared("mode.equals(\"reflect\") || name.equals(that.name)"));
  }

  @Test
  void aListOfNamesIsFoundUnlessItDefinesThem() {
    assertEquals(List.of("mm", "bmm", "mv"), listed("\"mm bmm mv \""));
    assertEquals(List.of("mm", "sum", "mv"), listed("Set.of(\"mm\", \"sum.int\", \"mv\")"));
    assertEquals(List.of(), listed("for (String name : List.of(\"mm\", \"bmm\", \"mv\")) {"));
    assertEquals(List.of(), listed("\"the sum of all\""));
  }

  @Test
  void casesOfOperationsAreFound() {
    String cases = "case \"aten::mm\", \"mv\" -> 1; case \"sum.dim_IntList\" -> 2;";
    assertEquals(List.of("mm", "mv", "sum"), chosen(cases));
    assertEquals(List.of(), chosen("case \"sum\" -> 1; case \"mean\" -> 2;"));
  }

  @Test
  void aNameAListAndCasesOfNamesAreFound() {
    assertEquals(List.of("aten::wait"), found("name.equals(\"aten::wait\")"));
    assertEquals(List.of("matmul", "add"), found("Set.of(\"matmul\", \"add.Tensor\")"));
    assertEquals(List.of("relu", "gelu"), found("case \"relu\", \"gelu\" -> true;"));
    assertEquals(List.of(), found("List.of(\"index\", \"names\"); case \"sum\" -> 1;"));
  }
}
