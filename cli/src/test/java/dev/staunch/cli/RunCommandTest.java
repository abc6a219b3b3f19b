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
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs in MLIR text print the same as with TensorFlow Runtime's driver (S8, F2, F5, C2, C4).
 */
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
      Files.write(program, Objects.requireNonNull(resource).readAllBytes());
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
      String queue =
          workers.equals("1")
              ? "Choosing single-threaded work queue."
              : "Choosing Multi-threaded C++ work queue (4 threads, 256 blocking threads) work"
                  + " queue.";
      assertEquals(
          """
          Choosing memory leak check allocator.
          %s
          --- Running 'test_partial_fail':
          int32 = 1
          'test_partial_fail' returned <<error: something bad happened>>
          --- Running 'test_ignore_error':
          'test_ignore_error' returned 1
          --- Running 'arrives_later':
          'arrives_later' returned 62,<<error: something bad happened asynchronously>>
          --- Running 'cancelled':
          'cancelled' returned 7,<<error: Cancelled>>,<<error: something bad happened>>
          --- Not running '' because it has arguments.
          --- Not running '' because it has arguments.
          --- Running 'branches':
          'branches' returned 2
          """
              .formatted(queue),
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

  /**
   * The driver's own programs that can be loaded today, except {@code encoding}, which is about
   * bytes, and programs with options, which have separate tests.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bef_executor/basics", "bef_executor/tutorial", "code_size_test_app/fib"})
  void theDriversOwnProgramsPrintWhatTheyExpectAndNothingElse(String name) throws Exception {
    Path program = Conformance.mlir().resolve("mlir_tests").resolve(name + ".mlir");
    List<String> text = Files.readAllLines(program);
    for (String workers : List.of("1", "4")) {
      String out = run(0, "run", program.toString(), "--workers", workers);
      assertEquals(List.of(), FileCheck.complaints(text, out.lines().toList()), out);
      assertEquals(
          FileCheck.expectedErrors(text).keySet(),
          err.lines().map(RunCommandTest::line).collect(Collectors.toSet()),
          err);
      String[] whole =
          golden("driver/" + name.substring(name.indexOf('/') + 1)).split("\n---\n", -1);
      assertEquals(whole[0].lines().toList(), out.lines().skip(2).toList(), "standard output");
      assertEquals(whole[1].strip(), err.strip(), "standard error");
    }
  }

  @Test
  void aFunctionThatIsNamedToBeginRunsFirst() throws Exception {
    Path program = Conformance.mlir().resolve("mlir_tests/bef_executor/init.mlir");
    String[] options = {"--init-function", "__init__", "--functions", "print_hello,print_bye"};
    String out = run(0, "run", program.toString(), options[0], options[1], options[2], options[3]);
    List<String> lines = out.lines().toList();
    assertEquals(List.of(), FileCheck.complaints(Files.readAllLines(program), lines), out);
    assertEquals(
        List.of(
            "--- Running '__init__':",
            "string = initializing!",
            "--- Running 'print_hello':",
            "hello host executor!",
            "--- Running 'print_bye':",
            "string = bye host executor!"),
        lines.subList(2, lines.size()));
  }

  @Test
  void aFunctionToBeginWithThatIsNotThereIsRefused() throws Exception {
    Path program = Files.writeString(folder.resolve("one.mlir"), IDENTITY);
    run(1, "run", program.toString(), "--init-function", "first");
    assertTrue(err.contains("the program has no function first"), err);
  }

  @Test
  void codesAreShownOnRequest() throws Exception {
    Path program = Conformance.mlir().resolve("mlir_tests/bef_executor/error_code.mlir");
    String out = run(0, "run", program.toString(), "--error-codes");
    List<String> text = Files.readAllLines(program);
    assertEquals(List.of(), FileCheck.complaints(text, out.lines().toList()), out);
  }

  private static int line(String diagnosis) {
    return Integer.parseInt(diagnosis.split(":", -1)[1]);
  }

  private static String golden(String name) throws Exception {
    try (var resource = RunCommandTest.class.getResourceAsStream(name + ".txt")) {
      byte[] all = Objects.requireNonNull(resource, name).readAllBytes();
      return new String(all, StandardCharsets.UTF_8);
    }
  }

  /** F6, F7: in program order, through calls and branches, on any number of workers. */
  @RepeatedTest(10)
  void faultsAreToldInTheOrderOfTheProgramWithTheWayThere() throws Exception {
    Path program = folder.resolve("nested.mlir");
    Files.writeString(
        program,
        """
        func.func @inner(%c: i1) -> i32 {
          %r = tfrt.if %c : () -> i32 {
            %late = "tfrt_test.report_error_async"() : () -> i32
            tfrt.return %late : i32
          } else {
            %now = "tfrt_test.fail"() : () -> i32
            tfrt.return %now : i32
          }
          tfrt.return %r : i32
        }
        func.func @outer() -> i32 {
          %yes = tfrt.constant.i1 true
          %no = tfrt.constant.i1 false
          %a = tfrt.call @inner(%yes) : (i1) -> i32
          %b = tfrt.call @inner(%no) : (i1) -> i32
          %sum = tfrt.add.i32 %b, %a
          tfrt.return %sum : i32
        }
        """);
    for (String workers : List.of("1", "2", "4")) {
      String out = run(0, "run", program.toString(), "--workers", workers);
      assertTrue(
          out.endsWith("'outer' returned <<error: something bad happened asynchronously>>\n"), out);
      assertEquals(
          """
          nested.mlir:3:13: error: runtime error: something bad happened asynchronously
            in: outer at nested.mlir:14:8
            in: inner at nested.mlir:3:13
            in: if true at nested.mlir:2:8
          nested.mlir:6:12: error: runtime error: something bad happened
            in: outer at nested.mlir:15:8
            in: inner at nested.mlir:6:12
            in: if false at nested.mlir:2:8
          """,
          err);
    }
  }

  /** The two functions of the document on error handling, unchanged. */
  @Test
  void aFaultReachesWhatDependsOnItAndNothingElse() throws Exception {
    assertEquals(
        """
        Choosing memory leak check allocator.
        Choosing single-threaded work queue.
        --- Running 'test_partial_fail':
        int32 = 1
        'test_partial_fail' returned <<error: something bad happened>>
        --- Running 'test_ignore_error':
        'test_ignore_error' returned 1
        """,
        text(
            """
            func @test_partial_fail() -> !tfrt.chain {
              // Sets %x to 1 and %y to an error.
              %x, %y = "tfrt_test.partial_fail"() : () -> (i32, i32)

              %ch0 = tfrt.new.chain
              // This tfrt.print will run.
              tfrt.print.i32 %x, %ch0
              // This tfrt.print won't run. The executor propagates the error in %y to %ch1.
              %ch1 = tfrt.print.i32 %y, %ch0

              // Returns an error.
              tfrt.return %ch1 : !tfrt.chain
            }

            func @test_ignore_error() -> i32 {
              %unused = "tfrt_test.fail"() : () -> i32
              %x = tfrt.constant.i32 1
              tfrt.return %x : i32
            }
            """));
  }

  @Test
  void functionsAndBlocksWithArgumentsAreNamedInsteadOfRun() throws Exception {
    assertEquals(
        """
        Choosing memory leak check allocator.
        Choosing single-threaded work queue.
        --- Not running '' because it has arguments.
        --- Not running '' because it has arguments.
        --- Not running 'chosen' because it has arguments.
        --- Running 'all':
        'all' returned 1,-7,2.500000e-01,1.000000e+300,!tfrt.chain value
        """,
        text(
            """
            func.func @chosen(%c: i1, %a: i32) -> i32 {
              tfrt.if %c : () -> () {
                tfrt.return
              }
              %r = tfrt.if %c, %a : (i32) -> i32 {
                tfrt.return %a : i32
              } else {
                tfrt.return %a : i32
              }
              tfrt.return %r : i32
            }
            func.func @all() -> (i1, i64, f32, f64, !tfrt.chain) {
              %b = tfrt.constant.i1 true
              %i = tfrt.constant.i64 -7
              %f = tfrt.constant.f32 0.25
              %d = tfrt.constant.f64 1.0e300
              %ch = tfrt.new.chain
              tfrt.return %b, %i, %f, %d, %ch : i1, i64, f32, f64, !tfrt.chain
            }
            """));
  }

  private String text(String program) throws Exception {
    Path file = Files.writeString(folder.resolve("text.mlir"), program);
    return run(0, "run", file.toString());
  }

  private static final String IDENTITY = "func.func @id(%a: i32) -> i32 { tfrt.return %a : i32 }\n";

  /** An error, and the line where it is found. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tfrt.return %x : i32                         | 4:3 | 'tfrt.return' op has 1 operands, but enclosing function returns 0
          %r = tfrt.call @id(%l) : (i64) -> i32        | 4:8 | operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0 of id
          %r = tfrt.call @id(%x) : (i32) -> i64        | 4:8 | result type mismatch: expected result type 'i32', but provided 'i64' for result number 0 of id
          %r = tfrt.call @id(%x, %x) : (i32, i32) -> i32 | 4:8 | incorrect number of operands for callee: id has 1, not 2
          tfrt.call @id(%x) : (i32) -> ()              | 4:3 | incorrect number of results for callee: id has 1, not 0
          tfrt.call @id(%x) : (i64) -> i32             | 4:3 | %x is of type i32 where tfrt.call says i64
          tfrt.call @none(%x) : (i32) -> i32           | 4:3 | 'none' does not reference a valid function
          tfrt.if %b, %x : (i32) -> i64 { tfrt.return %x : i32 } else { tfrt.return %x : i32 } | 4:35 | 'tfrt.return' op operand types don't match 'tfrt.if' result types: [i32], not [i64]
          tfrt.if %b, %x : (i32) -> () { tfrt.return } else { tfrt.return %x : i32 } | 4:55 | 'tfrt.return' op operand types don't match 'tfrt.if' result types: [i32], not []
          tfrt.if %x, %x : (i32) -> () { tfrt.return } | 4:3 | prim::If needs a bool, got i32
          tfrt.if %b : () -> i32 { tfrt.return %x : i32 } else { tfrt.return %x : i32 } | 4:40 | %x is not defined here
          tfrt.if %b, %x : () -> () { tfrt.return }    | 4:3 | tfrt.if has 1 operands but 0 types
          "tfrt.add.i32"(%x, %x) : (i32, i64) -> i32   | 4:3 | %x is of type i32 where tfrt.add.i32 says i64
          """)
  void typesOfReturnsCallsAndBranchesAreThoseDeclared(String line, String place, String words)
      throws Exception {
    Path program = folder.resolve("types.mlir");
    // The third line defines the values; the fourth is under test.
    Files.writeString(
        program,
        IDENTITY
            + "func.func @f() {\n"
            + "  %b = tfrt.constant.i1 1 %x = tfrt.constant.i32 1 %l = tfrt.constant.i64 1\n  "
            + line
            + (line.startsWith("tfrt.return") ? "\n}\n" : "\n  tfrt.return\n}\n"));
    run(1, "run", program.toString());
    assertTrue(err.contains(words), err);
    assertTrue(err.contains("types.mlir:" + place), err);
  }

  @Test
  void aReturnOfAnotherTypeIsRefusedAtItsLine() throws Exception {
    Path program = folder.resolve("types.mlir");
    Files.writeString(
        program, "func.func @f(%x: i32) -> !tfrt.chain {\n\n  tfrt.return %x : i32\n}\n");
    run(1, "run", program.toString());
    assertTrue(
        err.contains(
            "type of return operand 0 ('i32') doesn't match function result type ('!tfrt.chain')"),
        err);
    assertTrue(err.contains("types.mlir:3:3: tfrt.return %x : i32"), err);
    Files.writeString(program, "\nfunc.func private @external() -> i32\n");
    run(1, "run", program.toString());
    assertTrue(err.contains("external functions are not allowed: @external has no body"), err);
    assertTrue(err.contains("types.mlir:2:1"), err);
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
      text = Objects.requireNonNull(resource).readAllBytes();
    }
    Path program = folder.resolve("mutated.mlir");
    for (int i = 0; i < (Boolean.getBoolean("tests.whole") ? 300 : 100); i++) {
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
