package dev.staunch.tfrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.CatalogContract;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Verifier;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S8, F9: an invalid program is refused with a typed fault at its line and column. */
class BadProgramsTest {
  private static final CatalogContract CONTRACT = new CatalogContract(TfrtOperations.catalog());

  /** A program from the golden file. */
  record Case(String name, String text, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() throws Exception {
    List<Case> cases = new ArrayList<>();
    try (InputStream golden = BadProgramsTest.class.getResourceAsStream("bad-programs.txt")) {
      String all =
          new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8);
      String[] parts = all.split("\n== ", -1);
      for (String part : List.of(parts).subList(1, parts.length)) {
        int text = part.indexOf('\n') + 1;
        int answer = part.indexOf("--\n");
        cases.add(
            new Case(
                part.substring(0, text - 1),
                part.substring(text, answer),
                part.substring(answer + 3).strip()));
      }
    }
    return cases;
  }

  private static @Nullable Fault refusal(CharSequence text) {
    try {
      return Verifier.verify(ProgramText.parse("bad.mlir", text, CONTRACT), CONTRACT);
    } catch (StaunchException e) {
      return e.fault();
    }
  }

  private static String told(@Nullable Fault fault) {
    if (fault == null) {
      return "accepted";
    }
    String place = fault.source() == null ? "nowhere" : fault.source().place();
    return place + ": " + fault;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itSaysWhatIsWrongAndWhere(Case one) {
    assertEquals(one.expected, told(refusal(one.text)), one.text);
  }

  /** Programs that are too large for the golden file. */
  static Stream<Case> large() {
    String many = "%a, ".repeat(70_000);
    return Stream.of(
        new Case(
            "a long name",
            "func.func @" + "f".repeat(2000) + "() { tfrt.return }",
            "the name @" + "f".repeat(59) + "... is longer than 1024 characters"),
        new Case(
            "a long string",
            "func.func @f() { \"" + "s".repeat(2_000_000) + "\"() : () -> () }",
            "the string is longer than 1048576 characters"),
        new Case(
            "many operands",
            "func.func @f(%a: !tfrt.chain) { %b = tfrt.merge.chains " + many + "%a\n tfrt.return }",
            "there are more than 65536 elements in one list"),
        new Case(
            "many parameters",
            "func.func @f(" + numbered("%a", ": i32, ", 70_000) + "%a: i32) { tfrt.return }",
            "there are more than 65536 elements in one list"),
        new Case(
            "many types",
            "func.func @f() -> (" + "i32, ".repeat(70_000) + "i32) { tfrt.return }",
            "there are more than 65536 elements in one list"),
        new Case(
            "many names for results",
            "func.func @f() { " + numbered("%a", ", ", 70_000) + "%b = tfrt.new.chain }",
            "there are more than 65536 results"),
        new Case(
            "many attributes",
            "func.func @f() { \"tfrt_test.fail\"() {" + numbered("a", " = 1, ", 70_000) + "b = 1}",
            "there are more than 65536 attributes"),
        new Case(
            "deep nesting",
            "func.func @f(%c: i1) { " + "tfrt.if %c, %c : (i1) -> () { ".repeat(100_000),
            "regions are nested more than 100 deep"));
  }

  private static String numbered(String before, String after, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(before).append(i).append(after);
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("large")
  void whatIsTooMuchIsRefusedWhereItBecomesSo(Case one) {
    Fault fault = present(refusal(one.text));
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertEquals(one.expected, fault.message());
    assertTrue(fault.source() != null && fault.source().column() > 0);
  }

  private static Fault present(@Nullable Fault fault) {
    return Objects.requireNonNull(fault, "accepted");
  }

  /** No machine can hold this program; the reader asks only for its length. */
  @Test
  void aProgramOfTwoBillionCharactersIsRefusedUnread() {
    CharSequence endless =
        new CharSequence() {
          @Override
          public int length() {
            return Integer.MAX_VALUE;
          }

          @Override
          public char charAt(int index) {
            throw new AssertionError("was read");
          }

          @Override
          public CharSequence subSequence(int start, int end) {
            throw new AssertionError("was read");
          }
        };
    Fault fault = present(refusal(endless));
    assertEquals(
        "the program has 2147483647 characters; at most 67108864 are read", fault.message());
  }
}
