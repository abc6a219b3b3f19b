package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first example of each guide shows its imports: it compiles as the body of a method. */
class GuideImportsTest {
  @TempDir private Path classes = Path.of("");

  /** The guide, and the result and the parameters of the method around its example. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          README.md              | String  | java.nio.file.Path archive, String json
          docs/data.md           | void    | java.nio.file.Path file, dev.staunch.memory.OffHeap memory
          docs/from-djl.md       | float[] | dev.staunch.inference.Model model, float[] features
          docs/own-operations.md | void    | java.nio.file.Path archive, dev.staunch.memory.OffHeap memory
          docs/service.md        | void    | java.nio.file.Path archive
          docs/verify-in-ci.md   | void    | java.nio.file.Path archive, java.nio.file.Path recording, dev.staunch.memory.OffHeap memory
          """)
  void theFirstExampleCompilesWithTheImportsThatItShows(String guide, String result, String given)
      throws IOException {
    List<String> example = firstExample(guide);
    StringWriter said = new StringWriter();
    ToolProvider.getSystemJavaCompiler()
        .getTask(
            said,
            null,
            null,
            List.of("-proc:none", "-cp", path(), "-d", classes.toString()),
            null,
            List.of(source(example, result, given)))
        .call();
    assertEquals("", said.toString(), guide);
  }

  /** The first block of Java that imports a type of Staunch. */
  private static List<String> firstExample(String guide) throws IOException {
    List<String> lines = Files.readAllLines(Conformance.root().resolve(guide));
    List<String> before =
        lines.stream().takeWhile(line -> !line.startsWith("import dev.staunch.")).toList();
    assertNotEquals(lines, before, guide + " has no example with imports");
    return lines.stream()
        .skip(before.lastIndexOf("```java") + 1L)
        .takeWhile(line -> !line.startsWith("```"))
        .toList();
  }

  private static JavaFileObject source(List<String> example, String result, String given) {
    String imports = lines(example, true);
    String body = lines(example, false);
    String text =
        imports
            + "\nclass Example {\n"
            + (result + " example(" + given + ") throws Exception {\n" + body + "\n}\n}\n");
    return new SimpleJavaFileObject(
        URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  private static String lines(List<String> example, boolean imports) {
    return example.stream()
        .filter(line -> line.startsWith("import ") == imports)
        .collect(Collectors.joining("\n"));
  }

  /** The class path and the module path of this test. */
  private static String path() {
    return System.getProperty("java.class.path")
        + System.getProperty("path.separator")
        + System.getProperty("jdk.module.path", "");
  }
}
