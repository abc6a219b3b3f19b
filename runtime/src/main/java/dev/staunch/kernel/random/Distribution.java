package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.type.DType;
import java.util.function.DoubleUnaryOperator;

/** The requested distribution; checked once the dtype of the tensor to fill is known. */
@FunctionalInterface
interface Distribution {
  /** The {@link Draw} for tensors of {@code dtype}; or a fault. */
  Object draw(DType dtype);

  static Distribution uniform(double from, double to) {
    return dtype -> {
      Fault fault = RandomBounds.uniform(dtype, from, to);
      return fault == null ? Draw.uniform(dtype, from, to) : fault;
    };
  }

  static Distribution normal(double mean, double std) {
    return dtype -> {
      Fault fault = RandomBounds.normal(dtype, std);
      return fault == null ? Draw.normal(mean, std, x -> x) : fault;
    };
  }

  /** {@code e} to the power of a normal number. */
  static Distribution logNormal(double mean, double std) {
    return dtype -> {
      String text = "`std` of log_normal_ must be positive, but it is " + NumberText.brief(std);
      Fault fault = std > 0 ? RandomBounds.floating("log_normal", dtype) : Fault.value(text);
      return fault == null ? Draw.normal(mean, std, StrictMath::exp) : fault;
    };
  }

  /** Ones with probability {@code p}, which the caller has checked, else zeros; any real dtype. */
  static Distribution bernoulli(double p) {
    return dtype ->
        dtype.kind() == DType.Kind.COMPLEX ? RandomBounds.complex(dtype) : Draw.bernoulli(p);
  }

  static Distribution exponential(double lambda) {
    return dtype -> {
      String text = "`lambd` of exponential_ must not be negative, but it is ";
      Fault fault =
          lambda >= 0
              ? RandomBounds.floating("exponential", dtype)
              : Fault.value(text + NumberText.brief(lambda));
      DoubleUnaryOperator quantile =
          u -> lambda == 0 ? Double.POSITIVE_INFINITY : -StrictMath.log1p(-u) / lambda;
      return fault == null ? Draw.of(quantile) : fault;
    };
  }

  static Distribution cauchy(double median, double sigma) {
    return dtype -> {
      Fault fault = RandomBounds.floating("cauchy", dtype);
      return fault == null
          ? Draw.of(u -> median + sigma * StrictMath.tan(Math.PI * (u - 0.5)))
          : fault;
    };
  }

  /** The number of trials up to and including the first success. */
  static Distribution geometric(double p) {
    return dtype -> {
      String text = "`p` of geometric_ must lie between 0 and 1, but it is " + NumberText.brief(p);
      if (!(p > 0 && p < 1)) {
        return Fault.value(text);
      }
      return dtype == DType.BOOL || dtype.kind() == DType.Kind.COMPLEX
          ? Pointwise.refusal("geometric", dtype)
          : Draw.of(u -> Math.max(1, Math.ceil(StrictMath.log1p(-u) / StrictMath.log1p(-p))));
    };
  }

  /** Integers from {@code low} to {@code high}, exclusive. */
  static Distribution integers(long low, long high) {
    return dtype -> {
      Fault fault = RandomBounds.rising(low, high);
      fault = fault == null ? RandomBounds.integers(dtype, low, high - 1) : fault;
      return fault == null ? Draw.integers(low, high - low) : fault;
    };
  }

  /** Integers from {@code low} to the greatest up to which the dtype holds every integer. */
  static Distribution integersFrom(long low) {
    return dtype -> {
      long last = RandomBounds.greatest(dtype);
      Fault fault = RandomBounds.rising(low, last);
      fault = fault == null ? RandomBounds.integers(dtype, low, last) : fault;
      return fault == null ? Draw.integers(low, last - low + 1) : fault;
    };
  }
}
