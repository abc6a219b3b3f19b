package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.ComplexArithmetic.Parts;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Products of complex matrices, and what is linear in them. */
final class ComplexProducts {
  /** An einsum of n operands takes 2^n of reals. */
  private static final int MOST_OPERANDS = 8;

  private ComplexProducts() {}

  /** A product of two parts. */
  private interface Product {
    Object of(Object a, Object b);
  }

  /** An operation that is linear in its first two operands and has no others. */
  static Object of(Steps steps, Call call, String name) {
    return bilinear(steps, call.value(0), call.value(1), (a, b) -> steps.run(name, a, b));
  }

  private static Object bilinear(Steps steps, Object first, Object second, Product product) {
    Fault fault = mixed(List.of(first, second));
    if (fault != null) {
      return fault;
    }
    Parts a = ComplexArithmetic.of(steps, first);
    Parts b = ComplexArithmetic.of(steps, second);
    Object re = product.of(a.re(), b.re());
    Object im = ComplexArithmetic.isNone(b.im()) ? 0.0 : product.of(a.re(), b.im());
    if (!ComplexArithmetic.isNone(a.im())) {
      im = ComplexArithmetic.plus(steps, im, product.of(a.im(), b.re()), 1);
      re =
          ComplexArithmetic.isNone(b.im())
              ? re
              : ComplexArithmetic.plus(steps, re, product.of(a.im(), b.im()), -1);
    }
    return ComplexArithmetic.joined(steps, new Parts(re, im));
  }

  /** The fault for operands of several dtypes; else null. */
  private static @Nullable Fault mixed(List<Object> operands) {
    DType first = Steps.form(operands.get(0)).dtype();
    for (Object operand : operands) {
      DType other = Steps.form(operand).dtype();
      if (other != first) {
        String text = "the operands of a product must have one dtype, but are %s and %s";
        return Fault.dtype(Message.of(text, first, other))
            .withExpected(ExpectedDType.same(other), first);
      }
    }
    return null;
  }

  static Object linear(Steps steps, Call call) {
    Object product =
        bilinear(
            steps, call.value(0), call.value(1), (a, b) -> steps.run("linear", a, b, None.NONE));
    return call.value(2) == None.NONE ? product : steps.sum(product, call.value(2));
  }

  /** A convolution; the bias follows the input and the weight. */
  static Object convolution(Steps steps, Call call, String name) {
    Object[] arguments = call.arguments();
    Object bias = arguments[2];
    arguments[2] = None.NONE;
    Object product =
        bilinear(
            steps,
            arguments[0],
            arguments[1],
            (a, b) -> {
              Object[] parts = arguments.clone();
              parts[0] = a;
              parts[1] = b;
              return steps.run(name, parts);
            });
    if (bias == None.NONE || !Steps.isTensor(product)) {
      return product;
    }
    long[] sizes = new long[call.rank(1) - 1];
    Arrays.fill(sizes, 1);
    sizes[0] = -1;
    return steps.sum(product, steps.view(bias, sizes));
  }

  /** {@code beta * self + alpha * product}; self does not count if beta is 0. */
  static Object added(Steps steps, Call call, String product) {
    return added(steps, call, (a, b) -> steps.run(product, a, b));
  }

  /** As {@link #added}, of the sum of a batch of products. */
  static Object addedBatch(Steps steps, Call call) {
    return added(
        steps, call, (a, b) -> steps.run("sum.dim_IntList", steps.run("bmm", a, b), Steps.ints(0)));
  }

  private static Object added(Steps steps, Call call, Product of) {
    Fault fault = mixed(List.of(call.value(0), call.value(1), call.value(2)));
    if (fault == null && !ComplexArithmetic.isComplex(call.dtype(0))) {
      fault =
          Fault.value("`alpha` and `beta` must be real for tensors of " + call.dtype(0))
              .withExpected("real numbers", "beta=" + call.value(3) + ", alpha=" + call.value(4));
    }
    if (fault != null) {
      return fault;
    }
    Object product = of.of(call.value(1), call.value(2));
    Object beta = call.value(3);
    Object scaled = isOne(call.value(4)) ? product : steps.scaled(product, call.value(4));
    if (beta instanceof Number number && number.doubleValue() == 0) {
      return scaled;
    }
    return steps.sum(isOne(beta) ? call.value(0) : steps.scaled(call.value(0), beta), scaled);
  }

  private static boolean isOne(Object factor) {
    return factor instanceof Number number && number.doubleValue() == 1;
  }

  /** Linear in every operand: a sum over the choices of a part from each. */
  static Object contraction(Steps steps, Call call) {
    List<Object> operands = call.list(1);
    Fault fault = mixed(operands);
    if (fault != null) {
      return fault;
    }
    if (operands.size() > MOST_OPERANDS) {
      return Fault.unsupported(
          "an einsum of complex numbers takes up to " + MOST_OPERANDS + " operands");
    }
    List<Parts> parts = new ArrayList<>();
    for (Object operand : operands) {
      parts.add(ComplexArithmetic.of(steps, operand));
    }
    Object[] sums = {0.0, 0.0};
    for (int choice = 0; choice < 1 << parts.size(); choice++) {
      List<Object> chosen = chosen(parts, choice);
      if (!chosen.contains(0.0)) {
        int turns = Integer.bitCount(choice) % 4;
        Object term = steps.run("einsum", call.value(0), chosen);
        sums[turns % 2] = ComplexArithmetic.plus(steps, sums[turns % 2], term, turns < 2 ? 1 : -1);
      }
    }
    return ComplexArithmetic.joined(steps, new Parts(sums[0], sums[1]));
  }

  /** The imaginary part of operand i if bit i of {@code choice} is set, else the real one. */
  private static List<Object> chosen(List<Parts> parts, int choice) {
    List<Object> chosen = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      chosen.add((choice >> i & 1) == 0 ? parts.get(i).re() : parts.get(i).im());
    }
    return chosen;
  }

  /** The parts are turned, one matrix each, and the imaginary ones change their signs. */
  static Object adjoint(Steps steps, Object self) {
    Parts z = ComplexArithmetic.of(steps, self);
    Object im = steps.run("neg", steps.run("matrix_H", z.im()));
    return ComplexArithmetic.joined(steps, new Parts(steps.run("matrix_H", z.re()), im));
  }
}
