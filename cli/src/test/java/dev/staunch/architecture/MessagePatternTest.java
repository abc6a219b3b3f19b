package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.staunch.architecture.SourceTree.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The text of a message does not depend on where the process runs, and each of its placeholders has
 * a value. javac checks placeholders of {@link String#format} only, and nothing else checks the
 * locale.
 */
class MessagePatternTest {
  /** Calls that format numbers or change the case of letters by the default locale. */
  private static final Pattern FOR_SOME_COUNTRY =
      Pattern.compile(
          "\\.formatted\\(|(\\bString\\.format|\\.printf)\\(\\s*(?!\\s*Locale\\.ROOT)"
              + "|\\.to(Lower|Upper)Case\\(\\)");

  private static final Pattern PLACE = Pattern.compile("%(%|(?:([1-9])\\$)?[sd])");

  @Test
  void noTextDependsOnTheDefaultLocale() {
    List<String> offending = new ArrayList<>();
    for (Source source : SourceTree.sources()) {
      boolean ofTheProduct = source.isMain() && !source.path().startsWith("bench");
      if (ofTheProduct && FOR_SOME_COUNTRY.matcher(source.text()).find()) {
        offending.add(source.path().toString());
      }
    }
    assertEquals(List.of(), offending);
  }

  @Test
  void eachPlaceOfAMessageHasAValueAndEachValueAPlace() {
    Calls calls = new Calls();
    for (CompilationUnitTree unit : parsed(SourceTree.sources())) {
      calls.scan(unit, new HashMap<>());
    }
    assertEquals(List.of(), calls.offending);
    assertTrue(calls.checked > 250, "messages whose pattern is in sight: " + calls.checked);
  }

  /**
   * The number of values that {@code pattern} needs; negative if it has a placeholder of another
   * kind.
   */
  private static int places(String pattern) {
    int next = 0;
    int numbered = 0;
    var matcher = PLACE.matcher(pattern);
    while (matcher.find()) {
      if (matcher.group(2) != null) {
        numbered = Math.max(numbered, Integer.parseInt(matcher.group(2)));
      } else if (!matcher.group(1).equals("%")) {
        next++;
      }
    }
    boolean others = PLACE.matcher(pattern).replaceAll("").contains("%");
    return others ? -1 : Math.max(next, numbered);
  }

  /** The main sources that build messages. */
  private static Iterable<? extends CompilationUnitTree> parsed(List<Source> sources) {
    List<JavaFileObject> files =
        sources.stream()
            .filter(source -> source.isMain() && source.text().contains("Message.of("))
            .map(MessagePatternTest::file)
            .toList();
    var task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler().getTask(null, null, null, List.of(), null, files);
    try {
      return task.parse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaFileObject file(Source source) {
    String path = source.path().toString().replace('\\', '/');
    return new SimpleJavaFileObject(URI.create("source:///" + path), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source.text();
      }
    };
  }

  /** Finds the calls of {@code Message.of}. */
  private static final class Calls extends TreeScanner<@Nullable Void, Map<String, String>> {
    private final List<String> offending = new ArrayList<>();
    private String file = "";
    private int checked;

    @Override
    public @Nullable Void visitCompilationUnit(
        CompilationUnitTree tree, Map<String, String> known) {
      file = tree.getSourceFile().getName();
      return super.visitCompilationUnit(tree, known);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, Map<String, String> known) {
      // A constant may be declared below the method that uses it.
      tree.getMembers().stream()
          .filter(VariableTree.class::isInstance)
          .forEach(member -> note((VariableTree) member, known));
      return super.visitClass(tree, known);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, Map<String, String> known) {
      return super.visitMethod(tree, new HashMap<>(known));
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, Map<String, String> known) {
      note(tree, known);
      return super.visitVariable(tree, known);
    }

    @Override
    public @Nullable Void visitMethodInvocation(
        MethodInvocationTree tree, Map<String, String> known) {
      if (tree.getMethodSelect().toString().equals("Message.of")) {
        String pattern = text(tree.getArguments().getFirst(), known);
        if (pattern != null) {
          checked++;
          if (places(pattern) != tree.getArguments().size() - 1) {
            offending.add(file + ": " + pattern);
          }
        }
      }
      return super.visitMethodInvocation(tree, known);
    }

    private static void note(VariableTree tree, Map<String, String> known) {
      ExpressionTree initial = tree.getInitializer();
      String text = initial == null ? null : text(initial, known);
      String name = tree.getName().toString();
      if (text == null) {
        known.remove(name);
      } else {
        known.put(name, text);
      }
    }

    /** The text that {@code tree} evaluates to; null if only a run can tell. */
    private static @Nullable String text(ExpressionTree tree, Map<String, String> known) {
      if (tree instanceof LiteralTree literal) {
        return literal.getValue() instanceof String text ? text : null;
      }
      if (tree instanceof IdentifierTree identifier) {
        return known.get(identifier.getName().toString());
      }
      if (tree instanceof ParenthesizedTree parenthesized) {
        return text(parenthesized.getExpression(), known);
      }
      if (tree instanceof BinaryTree sum) {
        String left = text(sum.getLeftOperand(), known);
        String right = text(sum.getRightOperand(), known);
        return left == null || right == null ? null : left + right;
      }
      return null;
    }
  }
}
