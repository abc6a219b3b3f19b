package dev.staunch.tfrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.CatalogContract;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramText;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S7, S8: the number of characters that the reader looks at grows only linearly with the text. */
class LinearTextTest {
  private static final CatalogContract CONTRACT = new CatalogContract(TfrtOperations.catalog());

  /** A way to write a program of {@code count} operations. */
  record Form(String name, String head, String operation, String tail) {
    String of(int count) {
      StringBuilder text = new StringBuilder(head);
      for (int i = 0; i < count; i++) {
        text.append(operation.replace("$n", Integer.toString(i)));
      }
      return text.append(tail).toString();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A text that counts how many of its characters are read. */
  private record Counted(String text, AtomicLong looks) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      looks.incrementAndGet();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      looks.addAndGet(end - start);
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      looks.addAndGet(text.length());
      return text;
    }
  }

  static Stream<Form> forms() {
    String open = "func.func @f() {\n";
    String close = "tfrt.return\n}\n";
    return Stream.of(
        new Form("a line for each", open, "  %x$n = tfrt.constant.i32 $n\n", close),
        new Form("all in one line", "func.func @f() { ", "%x$n = tfrt.constant.i32 $n ", close),
        new Form("comments", open, "// $n\n\n%x$n = tfrt.new.chain // %\n", close),
        new Form("one function for each", "", "func.func @f$n(%a: i32) { tfrt.return }\n", ""),
        new Form(
            "one use after the other",
            "func.func @f(%x: i32) {\n",
            "  %y$n = tfrt.add.i32 %x, %x\n",
            close),
        new Form(
            "branches",
            "func.func @f(%c: i1, %a: i32) {\n",
            "  tfrt.if %c, %a : (i32) -> () { %b = tfrt.add.i32 %a, %a tfrt.return }\n",
            close));
  }

  private static long looks(Form form, int count) {
    Counted text = new Counted(form.of(count), new AtomicLong());
    Program program = ProgramText.parse("linear.mlir", text, CONTRACT);
    long operations =
        program.functions().stream().mapToLong(each -> each.body().operations().size()).sum();
    boolean functions = form.head.isEmpty();
    assertEquals(count, functions ? program.functions().size() : operations);
    return text.looks.get();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void tenTimesTheOperationsAreTenTimesTheWork(Form form) {
    int few = 3_000;
    long small = looks(form, few);
    long large = looks(form, 10 * few);
    double length = (double) form.of(10 * few).length() / form.of(few).length();
    assertTrue(large <= 1.02 * length * small, () -> small + " then " + large + " looks");
    assertTrue(large <= 60L * form.of(10 * few).length(), () -> large + " looks");
  }
}
