package dev.staunch.kernel.composed;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Storing;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongFunction;

/** Operations that are one or two others with other arguments. */
final class ShortPrograms {
  private ShortPrograms() {}

  static void addTo(Catalog.Builder catalog) {
    Composite.one(
        catalog,
        "concatenate(Tensor[] tensors, int dim=0)",
        (steps, call) -> steps.run("cat", call.value(0), call.value(1)));
    Composite.one(
        catalog.with(Trait.NARROW_AS_FLOAT32),
        "linalg_matmul(Tensor self, Tensor other)",
        (steps, call) -> steps.run("matmul", call.value(0), call.value(1)));
    Composite.one(
        catalog.with(Trait.COPIED_IN_PLACE),
        "round.decimals(Tensor self, *, int decimals)",
        ShortPrograms::rounded);
    Composite.one(catalog, "special_round(Tensor self, *, int decimals=0)", ShortPrograms::rounded);
    Composite.one(
        catalog,
        "float_power.Tensor_Scalar(Tensor self, Scalar exponent)",
        (steps, call) ->
            steps.run("pow.Tensor_Scalar", exact(steps, call.value(0)), call.value(1)));
    Composite.one(
        catalog,
        "float_power.Scalar(Scalar self, Tensor exponent)",
        (steps, call) -> steps.run("pow.Scalar", call.value(0), exact(steps, call.value(1))));
    Composite.one(
        catalog,
        "float_power.Tensor_Tensor(Tensor self, Tensor exponent)",
        (steps, call) ->
            steps.run(
                "pow.Tensor_Tensor", exact(steps, call.value(0)), exact(steps, call.value(1))));
    Set<DType> exact = EnumSet.of(DType.FLOAT64, DType.COMPLEX128);
    for (String form : new String[] {"Tensor", "Scalar"}) {
      Set<DType> dtypes = EnumSet.copyOf(exact);
      if (form.equals("Scalar")) {
        dtypes.add(DType.COMPLEX64); // its power by a number is complex64
      }
      Composite.add(
          catalog.withDTypes(dtypes),
          "aten::float_power_." + form + "(Tensor(a!) self, " + form + " exponent) -> Tensor(a!)",
          (steps, call) ->
              powered(
                  steps,
                  call,
                  steps.run("float_power.Tensor_" + form, call.value(0), call.value(1))));
    }
    Composite.one(
        catalog,
        "isreal(Tensor self)",
        (steps, call) ->
            call.dtype(0).kind() == DType.Kind.COMPLEX
                ? steps.run("eq.Scalar", steps.run("imag", call.value(0)), 0.0)
                : steps.run("ones_like", call.value(0), (long) DType.BOOL.code()));
    Composite.one(
        catalog.with(Trait.SHARES, Trait.COPIED_IN_PLACE),
        "conj_physical(Tensor self)",
        (steps, call) -> steps.run("alias", call.value(0)));
    Composite.one(
        catalog.withDTypes(DType.of(DType.Kind.FLOATING, DType.Kind.COMPLEX)),
        "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0)",
        ShortPrograms::timeFirst);
    split(catalog, "hsplit", 1);
    split(catalog, "vsplit", 0);
    split(catalog, "dsplit", 2);
    Composite.add(
        catalog.with(Trait.SHARES),
        "aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
        (steps, call) ->
            steps.run("split_with_sizes", call.value(0), call.value(1), call.value(2)));
  }

  private static Object exact(Steps steps, Object tensor) {
    DType dtype = Steps.isTensor(tensor) ? Steps.form(tensor).dtype() : DType.FLOAT64;
    Fault complex =
        dtype.kind() == DType.Kind.COMPLEX ? OperandChecks.floating("float_power", dtype) : null;
    return complex == null ? steps.cast(tensor, DType.FLOAT64) : complex;
  }

  /** A convolution of {@code [time, batch, channels]} with weights {@code [width, in, out]}. */
  private static Object timeFirst(Steps steps, Operands call) {
    for (int i = 0; i < 2; i++) {
      if (call.shape(i).rank() != 3) {
        String text = "conv_tbc takes [time, batch, channels] and [width, in, out], but got %s";
        return OperandChecks.shape(Message.of(text, call.shape(i)), "3 dimensions", call.shape(i));
      }
    }
    Object lines = steps.run("permute", call.value(0), Steps.ints(1, 2, 0));
    Object filters = steps.run("permute", call.value(1), Steps.ints(2, 1, 0));
    Object one = Steps.ints(1);
    Object made =
        steps.run(
            "conv1d", lines, filters, call.value(2), one, Steps.ints(call.integer(3)), one, 1L);
    return steps.run("contiguous", steps.run("permute", made, Steps.ints(2, 0, 1)));
  }

  /** Self, into which a power is written that has its dtype. */
  private static Object powered(Steps steps, Operands call, Object power) {
    DType dtype = Steps.isTensor(power) ? Steps.form(power).dtype() : call.dtype(0);
    Fault fault =
        dtype == call.dtype(0)
            ? null
            : Fault.dtype(Message.of("float_power_ gives %s, but self is %s", dtype, call.dtype(0)))
                .withExpected(ExpectedDType.of(dtype), call.dtype(0));
    return fault == null ? Storing.into(steps, call.value(0), power) : fault;
  }

  private static Object rounded(Steps steps, Operands call) {
    TensorForm self = call.form(0);
    long decimals = call.integer(1);
    boolean narrow = self.dtype() == DType.BFLOAT16;
    Fault fault = narrow ? null : OperandChecks.floating("round", self.dtype());
    if (fault != null) {
      return fault;
    }
    double exact = Math.pow(10, Math.abs((double) decimals));
    // each step rounds to bfloat16, and so does the power
    double power = narrow ? Elements.rounded(DType.BFLOAT16, exact) : exact;
    String up = decimals < 0 ? "div.Scalar" : "mul.Scalar";
    String down = decimals < 0 ? "mul.Scalar" : "div.Scalar";
    return steps.run(down, steps.run("round", steps.run(up, call.value(0), power)), power);
  }

  /**
   * Splits along columns, rows or depth; a vector is split along its only dimension for the first.
   */
  private static void split(Catalog.Builder catalog, String name, int dim) {
    String self = "aten::" + name + ".%s(Tensor(a -> *) self, %s) -> Tensor(a)[]";
    Composite.add(
        catalog,
        Message.of(self, "int", "int sections"),
        (steps, call) ->
            along(name, call.form(0), dim, at -> sections(steps, call, name, (int) at)));
    Composite.add(
        catalog,
        Message.of(self, "array", "int[] indices"),
        (steps, call) ->
            along(
                name,
                call.form(0),
                dim,
                at -> steps.run("tensor_split.indices", call.value(0), call.value(1), at)));
  }

  private static Object along(String name, TensorForm self, int dim, LongFunction<Object> parts) {
    Fault misfit = Steps.ranked(name, self.shape(), dim == 1 ? 1 : dim == 0 ? 2 : 3);
    return misfit == null ? parts.apply(dim == 1 && self.rank() == 1 ? 0 : dim) : misfit;
  }

  private static Object sections(Steps steps, Operands call, String name, int at) {
    Shape shape = call.form(0).shape();
    long sections = call.integer(1);
    if (sections < 1 || shape.size(at) % sections != 0) {
      String text = "%s into %d parts of one size does not fit the shape %s";
      return OperandChecks.shape(
          Message.of(text, name, sections, shape), "a size that " + sections + " divides", shape);
    }
    return steps.run("tensor_split.sections", call.value(0), sections, (long) at);
  }
}
