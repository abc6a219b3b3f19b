package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.staunch.kernel.container.ContainerOperations;
import dev.staunch.kernel.scalar.ScalarOperations;
import dev.staunch.kernel.text.TextOperations;
import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import dev.staunch.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaTextTest {
  private static final String LIST = "shared/conformance/torchscript/schemas-1.13.txt";

  /** The schemas of libtorch 1.13, found next to the repository; aborts the test without them. */
  private static List<String> published() throws IOException {
    Path directory = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    for (Path at = directory; at != null; at = at.getParent()) {
      Path list = at.resolve(LIST);
      if (Files.exists(list)) {
        return Files.readAllLines(list).stream().filter(line -> line.contains("::")).toList();
      }
    }
    return abort("no " + LIST + " above " + directory);
  }

  @Test
  void everyPublishedSchemaIsRead() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String line : published()) {
      try {
        String name = SchemaText.parse(line).qualifiedName();
        if (!line.startsWith(name + "(")) {
          wrong.add(line + " was read as " + name);
        }
      } catch (RuntimeException e) {
        wrong.add(line + " gave " + e);
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void theOperationsOfScalarsContainersAndTextAreThosePublished() throws IOException {
    Map<String, Schema> published = new HashMap<>();
    for (String line : published()) {
      Schema schema = SchemaText.parse(line);
      published.put(schema.qualifiedName(), schema);
    }
    Catalog.Builder builder = new Catalog.Builder();
    builder.addAll(ScalarOperations.groups());
    builder.addAll(ContainerOperations.groups());
    builder.addAll(TextOperations.groups());
    for (CatalogEntry operation : builder.build().operations()) {
      if (operation.name().startsWith("aten::") || operation.name().startsWith("prim::")) {
        assertEquals(published.get(operation.name()), operation.schema());
      }
    }
  }

  @Test
  void parametersHaveTheirDefaultsAndMarks() {
    Schema schema =
        SchemaText.parse(
            "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
    assertEquals("aten::add_", schema.name());
    assertEquals("Tensor", schema.overload());
    assertEquals(3, schema.parameters().size());
    assertTrue(schema.parameters().get(0).mutated());
    assertEquals("a", schema.parameters().get(0).alias());
    assertNull(schema.parameters().get(1).defaultValue());
    assertFalse(schema.parameters().get(1).keywordOnly());
    assertTrue(schema.parameters().get(2).keywordOnly());
    assertEquals(1L, schema.parameters().get(2).defaultValue());
    assertEquals(Type.Plain.NUMBER, schema.parameters().get(2).type());
    assertEquals("a", schema.results().get(0).alias());
  }

  @Test
  void listsOfFixedLengthTakeOneValueForAll() {
    Schema.Parameter stride =
        SchemaText.parse("aten::f(Tensor self, int[2] stride=1, int[2]? dim=None) -> Tensor")
            .parameters()
            .get(1);
    assertEquals(new Type.ListOf(Type.Plain.INT), stride.type());
    assertEquals(2, stride.broadcastSize());
    assertEquals(1L, stride.defaultValue());
  }

  @Test
  void containersOfFreeTypesAreRead() {
    Schema schema = SchemaText.parse("aten::get.str(Dict(str, t) self, str key) -> t(*)?");
    assertEquals(
        new Type.Dict(Type.Plain.STRING, new Type.Variable("t")),
        schema.parameters().get(0).type());
    assertEquals(new Type.Optional(new Type.Variable("t")), schema.results().get(0).type());
  }

  @Test
  void escapesInStringDefaultsStandForTheirCharacters() {
    Schema schema = SchemaText.parse("aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str");
    assertEquals(" \n\t\f\u000b", schema.parameters().get(1).defaultValue());
  }

  @Test
  void severalResultsNoneAndAnyNumberAreTold() {
    assertEquals(
        List.of("values", "indices"),
        SchemaText.parse("aten::max.dim(Tensor self, int dim) -> (Tensor values, Tensor indices)")
            .results()
            .stream()
            .map(Schema.Result::name)
            .toList());
    assertTrue(SchemaText.parse("aten::warn(str message) -> ()").results().isEmpty());
    assertTrue(SchemaText.parse("prim::TupleUnpack(Any tup) -> ...").variadicResults());
    assertTrue(SchemaText.parse("aten::format(str self, ...) -> str").variadic());
  }

  @Test
  void aSchemaIsPrintedWithItsParametersAndResults() {
    String add = "aten::add.Tensor(Tensor self, Scalar alpha) -> (Tensor)";
    for (String text :
        List.of(add, "aten::format(str self, ...) -> (str)", "prim::Print(...) -> ()")) {
      assertEquals(text.replace("Scalar", "number"), SchemaText.parse(text).toString());
    }
  }

  @Test
  void aListWithoutItsLengthInDigitsIsRefusedWithItsPlace() {
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class,
            () -> SchemaText.parse("aten::f(List[int] sizes) -> Tensor"));
    assertEquals(
        "expected a number of up to 9 digits at column 13 of: aten::f(List[int] sizes) -> Tensor",
        wrong.getMessage());
  }

  @Test
  void everyTextCutShortIsReadOrRefusedWithItsPlace() {
    String whole =
        "aten::f.x(Dict(str, t) d, int[2] s=[1, 2], str? c=\" \\n\", *, float p=1e-5, ...)"
            + " -> (Tensor(a!) out, Future(t)[])";
    for (int end = 0; end < whole.length(); end++) {
      String text = whole.substring(0, end);
      try {
        SchemaText.parse(text);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().matches("expected .+ column \\d+ of: .*"), e.getMessage());
      }
    }
  }

  @Test
  void damagedTextIsRefusedWithItsPlace() {
    for (String text : List.of("aten::f(", "aten", "aten::f() -> Tensor x y", "aten::f(int a=\"")) {
      assertThrows(IllegalArgumentException.class, () -> SchemaText.parse(text), text);
    }
  }
}
