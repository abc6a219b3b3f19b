package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;

/** Casts between numbers, from strings, and between numbers and tensors of one element. */
public final class CastOperations {
  private CastOperations() {}

  static void addTo(Catalog.Builder catalog) {
    numbers(catalog);
    catalog.one("aten::Int.str(str a) -> int", call -> NumberText.parseInt(call.string(0)));
    catalog.one("aten::Float.str(str a) -> float", call -> NumberText.parseFloat(call.string(0)));
    fromTensors(catalog);
    complexFromTensors(catalog);
    Catalog.Builder single =
        catalog.withInference(
            operands -> TensorForm.contiguous(dtypeOf(operands.scalar(0)), Shape.SCALAR));
    single.one("prim::NumToTensor.Scalar(Scalar a) -> Tensor", CastOperations::toTensor);
    single.one("prim::NumToTensor.bool(bool a) -> Tensor", CastOperations::toTensor);
    catalog.one("prim::unchecked_cast(t x) -> t", call -> call.value(0));
    catalog.one("prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)", call -> call.value(0));
    catalog.one(
        "aten::_unwrap_optional(t(a)? optional) -> t(a)",
        call ->
            call.isNone(0)
                ? Fault.value(
                    "an Optional value is None where one is needed; test it with `is not None`"
                        + " before")
                : call.value(0));
  }

  private static void numbers(Catalog.Builder catalog) {
    catalog.one("aten::Int.bool(bool a) -> int", call -> toInt(call.value(0)));
    catalog.one("aten::Int.float(float a) -> int", call -> FloatOperations.toInt(call.real(0)));
    catalog.one("aten::Int.Scalar(Scalar a) -> int", call -> toInt(call.value(0)));
    catalog.one("aten::Float.bool(bool a) -> float", call -> Scalars.real(call.value(0)));
    catalog.one("aten::Float.int(int a) -> float", call -> Scalars.real(call.value(0)));
    catalog.one("aten::Float.Scalar(Scalar a) -> float", call -> toFloat(call.value(0)));
    catalog.one("aten::Bool.int(int a) -> bool", call -> call.integer(0) != 0);
    catalog.one("aten::Bool.float(float a) -> bool", call -> call.real(0) != 0);
  }

  private static Object toInt(Object value) {
    if (value instanceof Double real) {
      return real >= -0x1p63 && real < 0x1p63
          ? real.longValue()
          : Fault.value(NumberText.brief(real) + " does not fit an int of 64 bits");
    }
    return isRealValued(value) ? (Object) Scalars.integer(value) : lossOf("an int");
  }

  private static Object toFloat(Object value) {
    return isRealValued(value) ? (Object) Scalars.real(value) : lossOf("a float");
  }

  private static boolean isRealValued(Object value) {
    return !(value instanceof ComplexNumber complex) || complex.im() == 0;
  }

  private static Fault lossOf(String type) {
    return Fault.value("a complex number with an imaginary part is not " + type);
  }

  private static void fromTensors(Catalog.Builder catalog) {
    Kernel.One item = call -> item(call.tensor(0));
    Kernel.One integer = call -> cast(call.tensor(0), CastOperations::toInt);
    Kernel.One real = call -> cast(call.tensor(0), CastOperations::toFloat);
    Kernel.One bool = call -> truth(call.tensor(0));
    catalog.one("aten::item(Tensor self) -> Scalar", item);
    catalog.one("aten::ScalarImplicit(Tensor a) -> Scalar", implicit(item, DType.Kind.FLOATING));
    catalog.one("aten::Int.Tensor(Tensor a) -> int", integer);
    catalog.one("aten::IntImplicit(Tensor a) -> int", implicit(integer, DType.Kind.INTEGRAL));
    catalog.one("aten::Float.Tensor(Tensor a) -> float", real);
    catalog.one("aten::FloatImplicit(Tensor a) -> float", implicit(real, DType.Kind.FLOATING));
    catalog.one("aten::Bool.Tensor(Tensor a) -> bool", bool);
    catalog.one("aten::is_nonzero(Tensor self) -> bool", bool);
    catalog.one(
        "aten::ComplexImplicit(Tensor a) -> complex",
        call -> cast(call.tensor(0), Scalars::complex));
  }

  private static void complexFromTensors(Catalog.Builder catalog) {
    Kernel.One kernel =
        call -> {
          Object x = scalarOf(call.value(0));
          Object y = scalarOf(call.value(1));
          if (x instanceof Fault || y instanceof Fault) {
            return x instanceof Fault ? x : y;
          }
          return new ComplexNumber(Scalars.real(x), Scalars.real(y));
        };
    catalog.one("aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex", kernel);
    for (String type : new String[] {"bool", "int", "float"}) {
      catalog.one(
          Message.of("aten::Complex.Tensor_%s(Tensor x, %s y) -> complex", type, type), kernel);
      catalog.one(
          Message.of("aten::Complex.%s_Tensor(%s x, Tensor y) -> complex", type, type), kernel);
    }
  }

  private static Object scalarOf(Object value) {
    return value instanceof DenseTensor tensor ? item(tensor) : value;
  }

  /** Implicit conversions accept only tensors without dimensions, and only dtypes of this kind. */
  private static Kernel.One implicit(Kernel.One kernel, DType.Kind kind) {
    return call -> {
      DenseTensor tensor = call.tensor(0);
      if (tensor.requiresGrad()) {
        return Fault.value(
            "a tensor that requires gradients is not a number; `detach()` it before");
      }
      if (tensor.rank() != 0) {
        return Fault.shape(
            "a tensor of shape "
                + tensor.shape()
                + " is not a number; take one element, as `x[0]` does");
      }
      return kind == DType.Kind.INTEGRAL && tensor.dtype().kind() != kind
          ? Fault.dtype("a tensor of " + tensor.dtype() + " is not an integer")
          : kernel.run(call);
    };
  }

  private static Object truth(DenseTensor tensor) {
    return tensor.elements() == 1
        ? cast(tensor, CastOperations::isTrue)
        : Fault.value(
            "a tensor of "
                + tensor.elements()
                + " elements is neither true nor false; use `any` or `all`");
  }

  private static boolean isTrue(Object value) {
    ComplexNumber number = Scalars.complex(value);
    return number.re() != 0 || number.im() != 0;
  }

  private static Object cast(DenseTensor tensor, Function<Object, Object> cast) {
    Object item = item(tensor);
    return item instanceof Fault ? item : cast.apply(item);
  }

  /** The only element of a tensor as a run-time scalar; or a fault if there is not exactly one. */
  public static Object item(DenseTensor tensor) {
    if (tensor.elements() != 1) {
      return Fault.value(
          "a tensor of "
              + tensor.elements()
              + " elements is not one number; take one element, as `x[0]` does");
    }
    return element(tensor, tensor.layout().offset());
  }

  /** The element at a position of the storage as a run-time scalar. */
  public static Object element(DenseTensor tensor, long at) {
    MemorySegment segment = tensor.segment();
    return switch (tensor.dtype()) {
      case BOOL -> Elements.asLong(segment, DType.BOOL, at) != 0;
      case UINT8, INT8, INT16, INT32, INT64 -> Elements.asLong(segment, tensor.dtype(), at);
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> Elements.asDouble(segment, tensor.dtype(), at);
      case COMPLEX64 ->
          new ComplexNumber(
              segment.getAtIndex(ValueLayout.JAVA_FLOAT, 2 * at),
              segment.getAtIndex(ValueLayout.JAVA_FLOAT, 2 * at + 1));
      case COMPLEX128 ->
          new ComplexNumber(
              segment.getAtIndex(ValueLayout.JAVA_DOUBLE, 2 * at),
              segment.getAtIndex(ValueLayout.JAVA_DOUBLE, 2 * at + 1));
    };
  }

  private static DType dtypeOf(Object number) {
    return switch (number) {
      case Boolean flag -> DType.BOOL;
      case Long integer -> DType.INT64;
      case ComplexNumber complex -> DType.COMPLEX128;
      default -> DType.FLOAT64;
    };
  }

  private static Object toTensor(Call call) {
    Object value = call.value(0);
    DType dtype = dtypeOf(value);
    Object made = call.allocate(dtype, Shape.SCALAR);
    if (made instanceof DenseTensor tensor) {
      if (value instanceof ComplexNumber complex) {
        tensor.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, 0, complex.re());
        tensor.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, 1, complex.im());
      } else if (dtype == DType.FLOAT64) {
        Elements.putDouble(tensor.segment(), dtype, 0, Scalars.real(value));
      } else {
        Elements.putLong(tensor.segment(), dtype, 0, Scalars.integer(value));
      }
    }
    return made;
  }
}
