package dev.staunch.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of tensors whose dtype, and perhaps shape, is known, in the text of programs. */
class TensorTypesTest {
  private static String program(String type) {
    return """
    func.func @f(%%a: %1$s) -> (%1$s) {
      tfrt.return %%a : %1$s
    }
    """
        .formatted(type);
  }

  private static Program parse(String type) {
    return ProgramText.parse("types.mlir", program(type), name -> null);
  }

  private static Type read(String type) {
    return parse(type).functions().iterator().next().body().parameters().getFirst().type();
  }

  @Test
  void sizesAreReadWhereTheyAreKnown() {
    long unknown = Type.TensorOf.UNKNOWN;
    assertEquals(new Type.TensorOf(DType.FLOAT32, List.of(2L, 3L)), read("tensor<2x3xf32>"));
    assertEquals(new Type.TensorOf(DType.INT64, List.of(unknown, 40L)), read("tensor<?x40xi64>"));
    assertEquals(new Type.TensorOf(DType.FLOAT64, null), read("tensor<*xf64>"));
    assertEquals(new Type.TensorOf(DType.BOOL, List.of()), read("tensor<i1>"));
    assertEquals(new Type.TensorOf(DType.COMPLEX64, List.of(5L)), read("tensor<5xcomplex<f32>>"));
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyDtypeIsPrintedAndReadBack(DType dtype) {
    for (List<Long> sizes : List.of(List.<Long>of(), List.of(7L), List.of(1L, -1L, 12L))) {
      Type type = new Type.TensorOf(dtype, sizes);
      assertEquals(type, read(type.toString()));
      Program program = parse(type.toString());
      String printed = ProgramPrinter.print(program).text();
      assertTrue(printed.contains("%a: " + type), printed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tensor<2x3>",
        "tensor<xf32>",
        "tensor<-1xf32>",
        "tensor<2xf31>",
        "tensor<99999999999999999999xf32>",
        "tensor<2x3xf32",
        "tensor<",
        "tensor<>",
        "tensor<2x*xf32>"
      })
  void whatIsNoTypeIsAFault(String type) {
    StaunchException refused = assertThrows(StaunchException.class, () -> parse(type));
    assertTrue(refused.fault().source() != null, refused.fault().toString());
  }
}
