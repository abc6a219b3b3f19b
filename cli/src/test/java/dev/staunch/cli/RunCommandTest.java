package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in MLIR text print what TensorFlow Runtime's driver prints (S8, F2, F5, C2, C4). */
class RunCommandTest {
  @TempDir private Path folder = Path.of("");
  private String err = "";

  private String run(int status, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int actual = Main.run(new PrintWriter(out, true), new PrintWriter(errors, true), arguments);
    err = errors.toString();
    assertEquals(status, actual, err);
    return out.toString();
  }

  private String errorsProgram(String... options) throws Exception {
    try (var resource = RunCommandTest.class.getResourceAsStream("errors.mlir")) {
      Path program = folder.resolve("errors.mlir");
      Files.write(program, java.util.Objects.requireNonNull(resource).readAllBytes());
      String[] arguments = new String[2 + options.length];
      arguments[0] = "run";
      arguments[1] = program.toString();
      System.arraycopy(options, 0, arguments, 2, options.length);
      return run(0, arguments);
    }
  }

  @RepeatedTest(20)
  void errorsReachTheirDependentsOnlyOnAnyNumberOfWorkers() throws Exception {
    for (String workers : List.of("1", "4")) {
      assertEquals(
          """
          --- Running 'test_partial_fail':
          int32 = 1
          'test_partial_fail' returned <<error: something bad happened>>
          --- Running 'test_ignore_error':
          'test_ignore_error' returned 1
          --- Running 'arrives_later':
          'arrives_later' returned 62,<<error: something bad happened asynchronously>>
          --- Running 'cancelled':
          'cancelled' returned 7,<<error: Cancelled>>,<<error: something bad happened>>
          --- Running 'branches':
          'branches' returned 2
          """,
          errorsProgram("--workers", workers));
    }
  }

  @Test
  void eachFaultIsReportedOnceAtItsLine() throws Exception {
    errorsProgram("--functions", "test_partial_fail,arrives_later");
    assertEquals(
        """
        errors.mlir:3:12: error: runtime error: something bad happened
        errors.mlir:22:10: error: runtime error: something bad happened asynchronously
        """,
        err);
  }

  @Test
  void theDriversOwnProgramPrintsWhatItExpects() throws Exception {
    Path program = Conformance.mlir().resolve("mlir_tests/bef_executor/basics.mlir");
    String out = run(0, "run", program.toString());
    int at = 0;
    for (String line : Files.readAllLines(program)) {
      String check = line.replaceFirst(".*// CHECK(-NEXT|-LABEL)?: ?", "\0");
      if (check.startsWith("\0")) {
        int found = out.indexOf(check.substring(1).strip(), at);
        assertTrue(found >= 0, "expected " + check.strip() + " after:\n" + out.substring(0, at));
        at = found + check.strip().length() - 1;
      }
    }
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() throws Exception {
    Path program = folder.resolve("wrong.mlir");
    Files.writeString(
        program,
        "func.func @f() -> i32 {\n  %x = tfrt.constant.i32 1\n  %y = tfrt.ad.i32 %x, %x\n  tfrt.return %y : i32\n}\n");
    run(1, "run", program.toString());
    assertTrue(err.contains("there is no operation tfrt.ad.i32"), err);
    assertTrue(err.contains("wrong.mlir:3:8"), err);
    Files.writeString(
        program,
        "func.func @f() -> i32 {\n  %x = tfrt.constant.i64 1\n  %y = tfrt.add.i32 %x, %x\n  tfrt.return %y : i32\n}\n");
    run(1, "run", program.toString());
    assertTrue(err.contains("tfrt::add.i32 takes [i32, i32], got [i64, i64]"), err);
  }

  @Test
  void mutatedProgramsAreRunOrRefused() throws Exception {
    Random random = new Random(5);
    byte[] text;
    try (var resource = RunCommandTest.class.getResourceAsStream("errors.mlir")) {
      text = java.util.Objects.requireNonNull(resource).readAllBytes();
    }
    Path program = folder.resolve("mutated.mlir");
    for (int i = 0; i < 300; i++) {
      byte[] mutated = text.clone();
      mutated[random.nextInt(mutated.length)] = (byte) (32 + random.nextInt(95));
      Files.write(program, mutated);
      StringWriter errors = new StringWriter();
      Main.run(
          new PrintWriter(new StringWriter()),
          new PrintWriter(errors, true),
          "run",
          program.toString());
      String shown = new String(mutated, StandardCharsets.UTF_8);
      assertTrue(!errors.toString().contains("Exception"), errors + " from " + shown);
    }
  }
}
