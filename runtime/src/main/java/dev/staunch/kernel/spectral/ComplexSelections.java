package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.ComplexArithmetic.Parts;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;

/** Comparisons of complex numbers, selections between them, and what writes them. */
final class ComplexSelections {
  /** What chooses elements. */
  static final ExpectedDType MASK = ExpectedDType.of(DType.BOOL).in("mask");

  /** As {@link #MASK}, by their places. */
  static final ExpectedDType INDEX = ExpectedDType.of(DType.INT64).in("index");

  private ComplexSelections() {}

  static boolean isComplex(Object value) {
    return Steps.isTensor(value) && Steps.form(value).dtype().kind() == DType.Kind.COMPLEX;
  }

  /** As {@link #ofTruths}, of the real parts: a cast to bool drops the imaginary ones. */
  static Object ofRealTruths(Steps steps, Call call, String name) {
    return ComplexArithmetic.with(steps, name, call.arguments(), steps.run("real", call.tensor(0)));
  }

  /** An operation on whether the elements differ from 0. */
  static Object ofTruths(Steps steps, Call call, String name) {
    Object[] arguments = call.arguments();
    for (int i = 0; i < arguments.length; i++) {
      if (isComplex(arguments[i])) {
        arguments[i] = steps.run("ne.Scalar", arguments[i], 0.0);
      }
    }
    return steps.run(name, arguments);
  }

  static Object equal(Steps steps, Call call) {
    Parts a = ComplexArithmetic.of(steps, call.value(0));
    Parts b = ComplexArithmetic.of(steps, call.value(1));
    if (a.im() instanceof Double x && b.im() instanceof Double y) {
      Object re = same(steps, a.re(), b.re());
      return x.equals(y) ? re : steps.run("zeros_like", re);
    }
    return steps.run("logical_and", same(steps, a.re(), b.re()), same(steps, a.im(), b.im()));
  }

  private static Object same(Steps steps, Object a, Object b) {
    if (a instanceof Double) {
      return same(steps, b, a);
    }
    return b instanceof Double ? steps.run("eq.Scalar", a, b) : steps.run("eq.Tensor", a, b);
  }

  /** Whether two tensors of one dtype have the same shape and equal elements. */
  static Object areEqual(Steps steps, Call call) {
    Fault fault = OperandChecks.sameDType("equal", call.dtype(0), "other", call.dtype(1));
    return fault == null
        ? steps.run(
            "equal",
            steps.run("view_as_real", call.tensor(0)),
            steps.run("view_as_real", call.tensor(1)))
        : fault;
  }

  /** Closeness of the numbers by the distance between them. */
  static Object isClose(Steps steps, Call call) {
    Fault fault = OperandChecks.sameDType("isclose", call.dtype(0), "other", call.dtype(1));
    if (fault != null) {
      return fault;
    }
    Object a = call.tensor(0);
    Object b = call.tensor(1);
    Object allowed =
        steps.run("add.Scalar", steps.scaled(steps.run("abs", b), call.value(2)), call.value(3));
    Object distance = steps.run("abs", steps.difference(a, b));
    Object near =
        steps.run(
            "logical_and",
            steps.run("isfinite", distance),
            steps.run("le.Tensor", distance, allowed));
    Object close = steps.run("logical_or", steps.run("eq.Tensor", a, b), near);
    if (!call.bool(4)) {
      return close;
    }
    Object neither = steps.run("logical_and", steps.run("isnan", a), steps.run("isnan", b));
    return steps.run("logical_or", close, neither);
  }

  static Object areClose(Steps steps, Call call) {
    Object all = steps.run("all", steps.run("isclose", call.arguments()));
    return all instanceof Fault ? all : steps.run("is_nonzero", all);
  }

  /** What {@code test} finds for the parts, joined by {@code join}. */
  static Object eitherPart(Steps steps, Call call, String test, String join) {
    Parts z = ComplexArithmetic.of(steps, call.tensor(0));
    return steps.run(join, steps.run(test, z.re()), steps.run(test, z.im()));
  }

  static Object where(Steps steps, Call call) {
    DType part = Promotion.of(call.value(1), call.value(2)).result().parts();
    Parts a = ComplexArithmetic.of(steps, call.value(1), part);
    Parts b = ComplexArithmetic.of(steps, call.value(2), part);
    Object condition = call.value(0);
    if (isComplex(condition)) {
      return misplaced(call.dtype(0), ExpectedDType.of(DType.BOOL).in("condition"));
    }
    return ComplexArithmetic.joined(
        steps,
        new Parts(
            either(steps, condition, part, a.re(), b.re()),
            either(steps, condition, part, a.im(), b.im())));
  }

  private static Object either(Steps steps, Object condition, DType part, Object a, Object b) {
    return steps.run("where.self", condition, tensor(steps, a, part), tensor(steps, b, part));
  }

  private static Object tensor(Steps steps, Object part, DType dtype) {
    return part instanceof Double ? steps.run("scalar_tensor", part, (long) dtype.code()) : part;
  }

  /** The fault for complex numbers where reals belong, such as {@code mask of bool}. */
  private static Fault misplaced(DType found, ExpectedDType expected) {
    return Fault.dtype("complex numbers are given where it takes " + expected)
        .withExpected(expected, found);
  }

  /** As {@link #partwise}, where the argument before {@code value} chooses the elements. */
  static Object chosen(Steps steps, Call call, String name, int value, ExpectedDType choice) {
    Object choosing = call.value(value - 1);
    for (Object each : choosing instanceof List<?> list ? list : List.of(choosing)) {
      if (isComplex(each)) {
        return misplaced(Steps.form(each).dtype(), choice);
      }
    }
    return partwise(steps, call, name, value);
  }

  /**
   * As {@link #chosen}, where the elements of {@code source} keep their dtype: it has to be that of
   * self, or of its parts.
   */
  static Steps.Body moved(String name, String source, int at, ExpectedDType choice) {
    return (steps, call) -> {
      DType self = call.dtype(0);
      DType given = call.dtype(at);
      boolean fits = given == self || given == self.parts();
      if (fits || !isComplex(call.value(0))) {
        return chosen(steps, call, name, at, choice);
      }
      String text = "`%s` must have the dtype of the tensor, %s, but it is %s";
      return Fault.dtype(Message.of(text, source, self, given))
          .withExpected(ExpectedDType.same(self), given);
    };
  }

  /** As {@link #moved}, but one value put everywhere may have another dtype. */
  static Steps.Body put(String name) {
    ExpectedDType choice = ExpectedDType.of(DType.INT64).in("indices");
    Steps.Body several = moved(name, "values", 2, choice);
    return (steps, call) ->
        call.shape(2).elements() == 1
            ? chosen(steps, call, name, 2, choice)
            : several.run(steps, call);
  }

  /** An operation that does with both parts of the argument {@code value} the same to self. */
  static Object partwise(Steps steps, Call call, String name, int value) {
    Object[] arguments = call.arguments();
    if (!isComplex(arguments[0])) {
      return Fault.unsupported(
          "complex numbers are not written into a tensor of "
              + call.dtype(0)
              + "; take their part with `real` or `imag`");
    }
    Parts self = ComplexArithmetic.of(steps, arguments[0]);
    Parts given = ComplexArithmetic.of(steps, arguments[value]);
    Object[] imaginary = arguments.clone();
    arguments[value] = given.re();
    boolean real = given.im() instanceof Double && Steps.isTensor(given.re());
    imaginary[value] = real ? steps.run("zeros_like", given.re()) : given.im();
    return ComplexArithmetic.joined(
        steps,
        new Parts(
            ComplexArithmetic.with(steps, name, arguments, self.re()),
            ComplexArithmetic.with(steps, name, imaginary, self.im())));
  }

  /** Pads the parts; a constant other than 0 is real. */
  static Object pad(Steps steps, Call call) {
    Object[] arguments = call.arguments();
    Parts z = ComplexArithmetic.of(steps, call.tensor(0));
    Object re = ComplexArithmetic.with(steps, "pad", arguments, z.re());
    Object[] imaginary = call.arguments();
    imaginary[3] = imaginary[3] == None.NONE ? None.NONE : (Object) 0.0;
    return ComplexArithmetic.joined(
        steps, new Parts(re, ComplexArithmetic.with(steps, "pad", imaginary, z.im())));
  }

  /** As {@link #overwritten}, by a number or a tensor without dimensions. */
  static Object filled(Steps steps, Call call) {
    Object source = call.value(1);
    return Steps.isTensor(source) && Steps.form(source).rank() > 0
        ? Fault.shape(
            "fill_ takes a `value` without dimensions, but its shape is "
                + Steps.form(source).shape()
                + "; `copy_` broadcasts one with dimensions")
        : overwritten(steps, call, source);
  }

  /** Casts {@code source} into all elements of self; the imaginary parts are lost among reals. */
  static Object overwritten(Steps steps, Call call, Object source) {
    DenseTensor self = call.tensor(0);
    Parts given = ComplexArithmetic.of(steps, source);
    Object written;
    if (isComplex(self)) {
      Object re = write(steps, steps.run("real", self), given.re());
      Object im = write(steps, steps.run("imag", self), given.im());
      written = re instanceof Fault ? re : im;
    } else if (!Steps.isTensor(source) && !ComplexArithmetic.isNone(given.im())) {
      return Fault.value("the complex number " + source + " does not fit " + self.dtype())
          .withExpected("a real number", source.toString());
    } else {
      written = write(steps, self, given.re());
    }
    return written instanceof Fault ? written : self;
  }

  private static Object write(Steps steps, Object target, Object source) {
    return Steps.isTensor(source)
        ? steps.run("copy_", target, source)
        : steps.run("fill_.Scalar", target, source);
  }
}
