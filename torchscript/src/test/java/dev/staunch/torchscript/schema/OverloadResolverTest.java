package dev.staunch.torchscript.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.OverloadResolver.Arguments;
import dev.staunch.torchscript.schema.OverloadResolver.Conversion;
import dev.staunch.torchscript.schema.OverloadResolver.Filling;
import dev.staunch.torchscript.schema.OverloadResolver.Match;
import dev.staunch.torchscript.schema.OverloadResolver.Resolution;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Parser;
import dev.staunch.torchscript.source.SourceFile;
import dev.staunch.type.Type;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadResolverTest {
  private final OverloadResolver resolver = resolver(10);

  private static OverloadResolver resolver(int version) {
    return new OverloadResolver(
        OperatorTable.standard(),
        new TypeRelations(name -> false),
        LibraryFunctions.forVersion(version));
  }

  private static Type type(String text) {
    return switch (text) {
      case "[]" -> TypeRelations.EMPTY_LIST;
      case "{}" -> TypeRelations.DEFAULT_DICT;
      default -> {
        String code = "def f() -> " + text + ":\n  pass\n";
        SourceFile file = new SourceFile("type", code.getBytes(StandardCharsets.UTF_8));
        yield ((Definition.FunctionDef) Parser.definitions(file).get(0)).returnType();
      }
    };
  }

  private static Arguments arguments(String positional, String keywords) {
    List<Type> types = new ArrayList<>();
    for (String text : positional.isEmpty() ? new String[0] : positional.split(";", -1)) {
      types.add(type(text));
    }
    Map<String, Type> named = new LinkedHashMap<>();
    for (String text : keywords.isEmpty() ? new String[0] : keywords.split(";", -1)) {
      int equals = text.indexOf('=');
      named.put(text.substring(0, equals), type(text.substring(equals + 1)));
    }
    return new Arguments(types, named);
  }

  private Match match(String name, String positional, String keywords) {
    Match match = resolver.resolve(name, arguments(positional, keywords)).match();
    assertNotNull(match, name + " " + positional + " " + keywords);
    return match;
  }

  /**
   * The overload, the implicit conversions and the result types, in the format of the recording.
   */
  private String outcome(String name, String positional, String keywords) {
    Match match = resolver.resolve(name, arguments(positional, keywords)).match();
    if (match == null) {
      return "-\t\t";
    }
    String conversions =
        match.fillings().stream()
            .flatMap(filling -> conversions(filling).stream())
            .map(OverloadResolverTest::word)
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(","));
    String results = match.results().stream().map(Type::toString).collect(Collectors.joining(";"));
    return match.schema().qualifiedName() + "\t" + conversions + "\t" + results;
  }

  private static List<Conversion> conversions(Filling filling) {
    return switch (filling) {
      case Filling.Argument argument -> List.of(argument.conversion());
      case Filling.Trailing trailing -> trailing.conversions();
      case Filling.Default constant -> List.of();
    };
  }

  private static String word(Conversion conversion) {
    return switch (conversion) {
      case TENSOR_TO_INT -> "aten::IntImplicit";
      case TENSOR_TO_FLOAT -> "aten::FloatImplicit";
      case TENSOR_TO_COMPLEX -> "aten::ComplexImplicit";
      case TENSOR_TO_NUMBER -> "aten::ScalarImplicit";
      case NONE, REPEAT, TUPLE_TO_LIST -> "";
      case NUMBER_TO_INT, NUMBER_TO_FLOAT, NUMBER_TO_COMPLEX -> "";
      case BOOL_TO_INT, BOOL_TO_FLOAT -> "";
    };
  }

  /** The recorded outcome of each call, by operator and arguments. */
  private static Map<String, String> recorded(String resource) throws IOException {
    Map<String, String> outcomes = new LinkedHashMap<>();
    try (InputStream stream = OverloadResolverTest.class.getResourceAsStream(resource)) {
      assertNotNull(stream);
      new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", 4))
          .forEach(fields ->
              outcomes.put(String.join("\t", fields[0], fields[1], fields[2]), fields[3]));
    }
    return outcomes;
  }

  private List<String> differences(Map<String, String> recorded) {
    List<String> wrong = new ArrayList<>();
    recorded.forEach((call, outcome) -> {
      String[] fields = call.split("\t", 3);
      String got = outcome(fields[0], fields[1], fields[2]);
      if (!got.equals(outcome)) {
        wrong.add(call + " gave " + got + " in place of " + outcome);
      }
    });
    return wrong;
  }

  @Test
  void callsRecordedFromLibtorch210ResolveAsThere() throws IOException {
    assertEquals(List.of(), differences(recorded("overloads-2.10.tsv")));
  }

  @Test
  void callsRecordedFromLibtorch113ResolveAsThereUnlessTheNewerAnswersOtherwise()
      throws IOException {
    Map<String, String> recorded = recorded("overloads.tsv");
    assertEquals(4000, recorded.size());
    Map<String, String> newer = recorded("overloads-2.10.tsv");
    recorded
        .entrySet()
        .removeIf(call -> {
          String answer = newer.get(call.getKey());
          return answer != null && !answer.equals(call.getValue());
        });
    assertEquals(4000 - 69, recorded.size());
    assertEquals(List.of(), differences(recorded));
  }

  @Test
  void anOverloadThatFitsAsItIsGoesBeforeOneThatNeedsAConversion() {
    assertEquals(
        "aten::add.Tensor", match("aten::add", "Tensor;Tensor", "").schema().qualifiedName());
    assertEquals("aten::add.Scalar", match("aten::add", "Tensor;int", "").schema().qualifiedName());
    assertEquals("aten::add.int", match("aten::add", "int;int", "").schema().qualifiedName());
  }

  @Test
  void trailingNumbersBecomeTheListThatEndsTheArguments() {
    assertEquals(
        new Filling.Trailing(0, List.of(Conversion.NONE, Conversion.NONE)),
        match("aten::zeros", "int;int", "").fillings().get(0));
  }

  @Test
  void oneNumberRepeatsWhereTheSchemaGivesALength() {
    Match match = match("aten::max_pool2d", "Tensor;int", "");
    assertEquals(new Filling.Argument(1, null, Conversion.REPEAT), match.fillings().get(1));
  }

  @Test
  void aBoolCountsAsANumberWhereNothingElseFits() {
    Match number = match("aten::add", "Tensor;bool", "");
    assertEquals("aten::add.Scalar", number.schema().qualifiedName());
    assertEquals(new Filling.Argument(1, null, Conversion.BOOL_TO_INT), number.fillings().get(1));
    Match real = match("aten::dropout", "Tensor;bool;bool", "");
    assertEquals(new Filling.Argument(1, null, Conversion.BOOL_TO_FLOAT), real.fillings().get(1));
    assertNull(resolver.resolve("aten::Complex", arguments("Tensor;str", "")).match());
  }

  @Test
  void whatTheNewerLibtorchDroppedStillResolves() {
    assertEquals("aten::symeig", match("aten::symeig", "Tensor", "").schema().qualifiedName());
    assertEquals(
        "aten::prelu.out",
        match("aten::prelu", "Tensor;Tensor", "out=Tensor").schema().qualifiedName());
  }

  @Test
  void schemasNewSinceKeepTheirDefaultsAndOverloadNames() {
    Match match = match("aten::scaled_dot_product_attention", "Tensor;Tensor;Tensor", "");
    assertEquals(new Filling.Default(0.0), match.fillings().get(4));
    assertEquals(
        "aten::all.dims", match("aten::all", "Tensor;List[int]", "").schema().qualifiedName());
  }

  @Test
  void inputStandsForSelf() {
    Match match = match("aten::relu", "", "input=Tensor");
    assertEquals(new Filling.Argument(-1, "input", Conversion.NONE), match.fillings().get(0));
  }

  @Test
  void aCallThatFitsNoOverloadSaysWhyForEach() {
    Resolution resolution = resolver.resolve("aten::relu", arguments("str;int", ""));
    assertNull(resolution.match());
    assertEquals(2, resolution.refusals().size());
    assertEquals(
        "aten::relu(Tensor self) -> (Tensor): 'self' is Tensor, got str",
        resolution.refusals().get(0));
    String tooMany = resolver.resolve("aten::relu", arguments("Tensor;int", "")).refusals().get(0);
    assertTrue(tooMany.endsWith("takes 1 argument, got 2"), tooMany);
  }

  @Test
  void anUnknownNameHasNoRefusalsButNeighbours() {
    assertEquals(List.of(), resolver.resolve("aten::sigmoidd", arguments("", "")).refusals());
    assertEquals("aten::sigmoid", OperatorTable.standard().similar("aten::sigmoidd").get(0));
  }

  @Test
  void aNumberBeforeATensorIsALibraryFunction() {
    assertEquals("mul_number_first", match("aten::mul", "float;Tensor", "").function());
    assertNull(match("aten::mul", "float;float", "").function());
  }

  @Test
  void operatorsMeanWhatTheyMeantInTheArchivesVersion() {
    Arguments two = arguments("Tensor;Tensor", "");
    Match old = resolver(3).resolve("aten::div", two).match();
    assertNotNull(old);
    assertEquals("div_tensor_before_4", old.function());
    assertNull(match("aten::div", "Tensor;Tensor", "").function());
    assertNull(resolver.resolve("aten::linspace", arguments("int;int", "")).match());
    assertNotNull(resolver(7).resolve("aten::linspace", arguments("int;int", "")).match());
  }

  /** A dtype is an int: libtorch, too, treats an int as a size. */
  @Test
  void aViewByAnIntIsAViewByASize() {
    assertEquals("aten::view", match("aten::view", "Tensor;int", "").schema().qualifiedName());
    Arguments named = arguments("Tensor", "dtype=int");
    assertNull(resolver.resolve("aten::view", named).match());
  }

  @Test
  void everySchemaOfTheTableParses() {
    OperatorTable table = OperatorTable.standard();
    int schemas = 0;
    for (String name : table.names()) {
      List<Schema> overloads = table.overloads(name);
      assertTrue(overloads.stream().allMatch(schema -> schema.name().equals(name)), name);
      schemas += overloads.size();
    }
    assertEquals(4310 + 277 + 7, schemas);
  }

  @Test
  void onlyTheNamesThatAreAskedForAreParsed() {
    OperatorTable table =
        OperatorTable.of("my::good(Tensor self) -> Tensor\nmy::unreadable(Tensor self, \n");
    assertEquals(Set.of("my::good", "my::unreadable"), table.names());
    assertEquals(1, table.overloads("my::good").size());
    assertThrows(IllegalArgumentException.class, () -> table.overloads("my::unreadable"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "aaa::first", "my::goo", "my::goods", "my::good.out", "zzz::last"})
  void aNameThatTheTableLacksHasNoOverloads(String name) {
    OperatorTable table =
        OperatorTable.of("# names\nmy::good(Tensor self) -> Tensor\nmy::great() -> ()\n");
    assertEquals(List.of(), table.overloads(name));
    assertEquals(1, table.overloads("my::great").size());
  }

  @Test
  void kernelsPromiseWhatTheTableSays() {
    for (CatalogEntry kernel : StandardOperations.catalog().operations()) {
      Schema schema = OperatorTable.standard().find(kernel.name());
      if (!kernel.name().startsWith("staunch")) {
        assertEquals(schema, kernel.schema());
      }
    }
  }
}
