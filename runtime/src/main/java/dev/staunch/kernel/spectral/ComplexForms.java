package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.scalar.ComplexMath;
import dev.staunch.operation.TensorForm;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How operations on reals are computed if an operand is complex. */
public final class ComplexForms {
  private static final String NAMESPACE = "aten::";
  private static final String SUM = "sum.dim_IntList";
  private static final String MEAN = "mean.dim";

  private ComplexForms() {}

  /**
   * How to compute an operation for complex operands; null if it takes none, or handles them
   * itself.
   */
  public static CatalogEntry.@Nullable Form of(CatalogEntry operation) {
    String name = operation.name();
    Steps.Body body = name.startsWith(NAMESPACE) ? body(name.substring(NAMESPACE.length())) : null;
    return body == null || !(operation.kernel() instanceof Kernel.One)
        ? null
        : new CatalogEntry.Form(OperandTraits.COMPLEX, call -> Steps.within(call, body));
  }

  private static Steps.@Nullable Body body(String name) {
    int dot = (name + ".").indexOf('.');
    String base = name.substring(0, dot);
    String overload = name.substring(dot);
    Steps.Body own = plain(original(base) + overload);
    if (own != null || !base.endsWith("_")) {
      return own;
    }
    String returning = base.substring(0, base.length() - 1);
    if (original(returning).equals("abs")) {
      return null;
    }
    String form = original(returning).equals("pow") ? ".Tensor_" + overload.substring(1) : overload;
    return plain(original(returning) + form) == null ? null : written(returning + form);
  }

  /** The operation of which {@code base} is another name. */
  private static String original(String base) {
    return switch (base) {
      case "not_equal" -> "ne";
      case "multiply" -> "mul";
      case "divide", "true_divide" -> "div";
      case "subtract" -> "sub";
      case "absolute" -> "abs";
      case "negative" -> "neg";
      case "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh" ->
          "a" + base.substring("arc".length());
      default -> base;
    };
  }

  /** An operation in place writes the result of the one that returns it. */
  private static Steps.Body written(String plain) {
    return (steps, call) -> {
      Object made = steps.run(plain, call.arguments());
      if (!Steps.isTensor(made)) {
        return made;
      }
      TensorForm self = call.form(0);
      Fault fault = Promotion.inPlace(Steps.form(made).dtype(), self.dtype());
      if (fault == null && !Steps.form(made).shape().equals(self.shape())) {
        fault =
            Fault.shape(
                    Message.of(
                        "a result of shape %s does not fit the tensor %s, in which it"
                            + " is written in place",
                        Steps.form(made).shape(), self.shape()))
                .withExpected(self.shape().toString(), Steps.form(made).shape().toString());
      }
      Object written = fault == null ? steps.run("copy_", call.tensor(0), made) : fault;
      return written instanceof Fault ? written : call.tensor(0);
    };
  }

  private static Steps.@Nullable Body plain(String name) {
    return switch (name) {
      case "mul.Tensor", "mul.Scalar" -> ComplexArithmetic::product;
      case "div.Tensor", "div.Scalar" -> ComplexArithmetic.pairs(ComplexArithmetic::quotient);
      case "div.Tensor_mode", "div.Scalar_mode" -> ComplexArithmetic::exactQuotient;
      case "add.Tensor", "add.Scalar" -> (steps, call) -> ComplexArithmetic.sum(steps, call, 1);
      case "sub.Tensor", "sub.Scalar" -> (steps, call) -> ComplexArithmetic.sum(steps, call, -1);
      case "rsub.Tensor", "rsub.Scalar" -> ComplexArithmetic::difference;
      case "addcmul" -> (steps, call) -> ComplexArithmetic.more(steps, call, "mul.Tensor");
      case "addcdiv" -> (steps, call) -> ComplexArithmetic.more(steps, call, "div.Tensor");
      case "lerp.Scalar", "lerp.Tensor" -> ComplexArithmetic::between;
      case "abs" -> ComplexArithmetic::absolute;
      case "conj", "_conj", "conj_physical" -> ComplexArithmetic::conjugate;
      case "adjoint", "mH" -> (steps, call) -> steps.run("conj", steps.run("mT", call.tensor(0)));
      case "matrix_H" -> (steps, call) -> ComplexProducts.adjoint(steps, call.tensor(0));
      case "resolve_conj", "resolve_neg", "positive" ->
          (steps, call) -> steps.run("alias", call.tensor(0));
      case "neg", "im2col" -> (steps, call) -> ComplexArithmetic.apart(steps, call, name);
      case "reciprocal" -> ComplexArithmetic::inverse;
      case "square" -> (steps, call) -> steps.product(call.tensor(0), call.tensor(0));
      case "pow.Tensor_Scalar" -> ComplexFunctions::power;
      case "pow.Tensor_Tensor", "pow.Scalar" -> ComplexFunctions::anyPower;
      case "float_power.Tensor_Tensor", "float_power.Tensor_Scalar", "float_power.Scalar" ->
          ComplexFunctions::widePower;
      case "sum" -> (steps, call) -> ComplexReductions.sum(steps, call, name, SUM, 1);
      case "mean" -> (steps, call) -> ComplexReductions.sum(steps, call, name, MEAN, 1);
      case SUM -> (steps, call) -> ComplexReductions.sum(steps, call, name, SUM, 3);
      case MEAN -> (steps, call) -> ComplexReductions.sum(steps, call, name, MEAN, 3);
      case "cumsum" -> (steps, call) -> ComplexReductions.sum(steps, call, name, null, 2);
      case "cumprod" -> ComplexReductions::runningProduct;
      case "prod" -> ComplexReductions::product;
      case "prod.dim_int" -> ComplexReductions::productAlong;
      case "norm.Scalar" -> (steps, call) -> ComplexReductions.ofSizes(steps, call, name, -1);
      case "norm.ScalarOpt_dim" ->
          (steps, call) -> ComplexReductions.ofSizes(steps, call, name, -1);
      case "norm.ScalarOpt_dtype" ->
          (steps, call) -> ComplexReductions.castOfSizes(steps, call, name, 2);
      case "norm.ScalarOpt_dim_dtype" ->
          (steps, call) -> ComplexReductions.castOfSizes(steps, call, name, 4);
      case "linalg_vector_norm" -> (steps, call) -> ComplexReductions.ofSizes(steps, call, name, 4);
      case "var", "var.dim", "var.correction" ->
          (steps, call) -> ComplexReductions.variance(steps, call, name);
      case "std" -> ComplexReductions.deviation("var");
      case "std.dim" -> ComplexReductions.deviation("var.dim");
      case "std.correction" -> ComplexReductions.deviation("var.correction");
      case "any", "any.dim", "all", "all.dim" ->
          (steps, call) -> ComplexSelections.ofRealTruths(steps, call, name);
      case "count_nonzero", "count_nonzero.dim_IntList" ->
          (steps, call) -> ComplexSelections.ofTruths(steps, call, name);
      case "nonzero", "nonzero_numpy", "argwhere", "logical_not" ->
          (steps, call) -> ComplexSelections.ofTruths(steps, call, name);
      case "logical_and", "logical_or", "logical_xor" ->
          (steps, call) -> ComplexSelections.ofTruths(steps, call, name);
      case "eq.Tensor", "eq.Scalar" -> ComplexSelections::equal;
      case "ne.Tensor", "ne.Scalar" ->
          (steps, call) -> steps.run("logical_not", ComplexSelections.equal(steps, call));
      case "equal" -> ComplexSelections::areEqual;
      case "isclose" -> ComplexSelections::isClose;
      case "allclose" -> ComplexSelections::areClose;
      case "isnan", "isinf" ->
          (steps, call) -> ComplexSelections.eitherPart(steps, call, name, "logical_or");
      case "isfinite" ->
          (steps, call) -> ComplexSelections.eitherPart(steps, call, name, "logical_and");
      case "where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar" ->
          ComplexSelections::where;
      case "masked_fill.Scalar", "masked_fill.Tensor" ->
          (steps, call) -> ComplexSelections.chosen(steps, call, name, 2, ComplexSelections.MASK);
      case "masked_scatter" -> ComplexSelections.moved(name, "source", 2, ComplexSelections.MASK);
      case "index_put", "index_put.hacked_twin" -> ComplexSelections.put(name);
      case "put" -> ComplexSelections.moved(name, "source", 2, ComplexSelections.INDEX);
      case "scatter.src", "scatter_add" ->
          ComplexSelections.moved(name, "src", 3, ComplexSelections.INDEX);
      case "index_copy" -> ComplexSelections.moved(name, "source", 3, ComplexSelections.INDEX);
      case "scatter.value", "index_fill.int_Scalar", "index_fill.int_Tensor" ->
          (steps, call) -> ComplexSelections.chosen(steps, call, name, 3, ComplexSelections.INDEX);
      case "constant_pad_nd" -> (steps, call) -> ComplexSelections.partwise(steps, call, name, 2);
      case "pad" -> ComplexSelections::pad;
      case "copy_", "copy_.Tensor", "copy_.float", "copy_.int" ->
          (steps, call) -> ComplexSelections.overwritten(steps, call, call.value(1));
      case "fill_.Scalar", "fill_.Tensor" -> ComplexSelections::filled;
      case "zero_" -> (steps, call) -> ComplexSelections.overwritten(steps, call, 0.0);
      case "matmul", "mm", "bmm", "mv", "dot" ->
          (steps, call) -> ComplexProducts.of(steps, call, name);
      case "linear" -> ComplexProducts::linear;
      case "conv1d", "conv2d", "conv3d", "convolution", "_convolution", "_convolution.deprecated" ->
          (steps, call) -> ComplexProducts.convolution(steps, call, name);
      case "conv1d.padding", "conv2d.padding", "conv3d.padding" ->
          (steps, call) -> ComplexProducts.convolution(steps, call, name);
      case "conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input" ->
          (steps, call) -> ComplexProducts.convolution(steps, call, name);
      case "addmm" -> (steps, call) -> ComplexProducts.added(steps, call, "mm");
      case "addmv" -> (steps, call) -> ComplexProducts.added(steps, call, "mv");
      case "baddbmm" -> (steps, call) -> ComplexProducts.added(steps, call, "bmm");
      case "addbmm" -> ComplexProducts::addedBatch;
      case "addr" -> (steps, call) -> ComplexProducts.added(steps, call, "outer");
      case "einsum" -> ComplexProducts::contraction;
      default -> {
        UnaryOperator<ComplexNumber> function = function(name);
        yield function == null ? null : ComplexFunctions.each(function);
      }
    };
  }

  private static @Nullable UnaryOperator<ComplexNumber> function(String name) {
    return switch (name) {
      case "exp" -> ComplexMath::exp;
      case "log" -> ComplexMath::log;
      case "log2" -> ComplexMath::log2;
      case "log10" -> ComplexMath::log10;
      case "sqrt" -> ComplexMath::sqrt;
      case "rsqrt" -> ComplexFunctions::inverseRoot;
      case "sin" -> ComplexMath::sin;
      case "cos" -> ComplexMath::cos;
      case "tan" -> ComplexMath::tan;
      case "sinh" -> ComplexMath::sinh;
      case "cosh" -> ComplexMath::cosh;
      case "tanh" -> ComplexMath::tanh;
      case "asin" -> ComplexMath::asin;
      case "acos" -> ComplexMath::acos;
      case "atan" -> ComplexMath::atan;
      case "asinh" -> ComplexMath::asinh;
      case "acosh" -> ComplexMath::acosh;
      case "atanh" -> ComplexMath::atanh;
      case "sgn" -> ComplexFunctions::direction;
      case "sigmoid" -> ComplexFunctions::sigmoid;
      case "silu" -> ComplexFunctions::silu;
      case "sinc" -> ComplexFunctions::sinc;
      default -> null;
    };
  }
}
