package dev.staunch.tfrt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.execute.CatalogContract;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramPrinter;
import dev.staunch.ir.ProgramText;
import dev.staunch.testkit.Conformance;
import dev.staunch.testkit.ReadBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** S8: a program is printed as text that parses to the same program. */
class PrintedProgramTest {
  private static final CatalogContract CONTRACT = new CatalogContract(TfrtOperations.catalog());

  private static final String PROGRAM =
      """
      func.func @f(%a: i32, %c: i1) -> (i32, f32, !tfrt.string) {
        %two = tfrt.constant.i32 -2
        %half = tfrt.constant.f32 0.5
        %small = tfrt.constant.f64 1.0E-300
        %yes = tfrt.constant.i1 true
        %s = "tfrt_test.get_string"() {value = "a \\"b\\" \\\\ \\0A"} : () -> (!tfrt.string)
        %x, %y = "tfrt_test.partial_fail"() : () -> (i32, i32)
        %r = tfrt.if %c, %a, %two : (i32, i32) -> (i32) {
          %sum = "tfrt.add.i32"(%a, %two) : (i32, i32) -> (i32)
          tfrt.return %sum : i32
        } else {
          %less = tfrt.call @g(%a) : (i32) -> (i32)
          tfrt.return %less : i32
        }
        tfrt.return %r, %half, %s : i32, f32, !tfrt.string
      }
      func.func @g(%a: i32) -> (i32) {
        tfrt.return %a : i32
      }
      """;

  private static Program parse(String text) {
    return ProgramText.parse("printed.mlir", text, CONTRACT);
  }

  /** Except for the locations, which only the printed text has. */
  @Test
  void theTextIsWhatPeopleWrite() {
    String printed = ProgramPrinter.print(parse(PROGRAM)).text();
    assertEquals(PROGRAM, printed.replaceAll(" loc\\(.*\\)", ""));
  }

  @Test
  void whatWasWrittenByHandIsReadBack() {
    ReadBack.assertSameProgram(parse(PROGRAM));
  }

  @TestFactory
  Stream<DynamicTest> theProgramsOfTensorFlowRuntimeAreReadBack() throws IOException {
    try (Stream<Path> files = Files.walk(Conformance.mlir())) {
      return files.filter(file -> file.toString().endsWith(".mlir")).sorted().toList().stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
    }
  }

  /** Checks a program if it can be read. */
  private static void check(Path file) throws IOException {
    Program program;
    try {
      program = parse(Files.readString(file));
    } catch (StaunchException refused) {
      return;
    }
    ReadBack.assertSameProgram(program);
  }
}
