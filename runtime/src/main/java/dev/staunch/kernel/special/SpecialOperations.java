package dev.staunch.kernel.special;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.scalar.GammaFunction;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Special functions of one tensor, or of two. */
public final class SpecialOperations {
  private SpecialOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        SpecialOperations::functions, SpecialOperations::orders, SpecialOperations::others);
  }

  private static void functions(Catalog.Builder catalog) {
    one(catalog, GammaFunction::logGamma, "lgamma", "special_gammaln");
    one(catalog, GammaFamily::digamma, "digamma", "special_digamma", "special_psi");
    one(catalog, NormalDistribution::inverseErf, "erfinv", "special_erfinv");
    one(catalog, NormalDistribution::scaledErfc, "special_erfcx");
    one(catalog, NormalDistribution::below, "special_ndtr");
    one(catalog, NormalDistribution::logBelow, "special_log_ndtr");
    one(catalog, NormalDistribution::quantile, "special_ndtri");
    one(catalog, x -> BesselFunctions.plain(0, x), "i0", "special_i0");
    one(catalog, x -> BesselFunctions.scaled(0, x), "special_i0e");
    one(catalog, x -> BesselFunctions.plain(1, x), "special_i1");
    one(catalog, x -> BesselFunctions.scaled(1, x), "special_i1e");
    one(catalog, SpecialOperations::entropy, "special_entr");
    two(catalog, SpecialOperations::timesLog1p, "special_xlog1py(Tensor self, Tensor other)");
    two(catalog, GammaFamily::zeta, "special_zeta(Tensor self, Tensor other)");
    for (String head : new String[] {"igamma", "special_gammainc"}) {
      two(catalog, GammaFamily::lower, head + "(Tensor self, Tensor other)");
    }
    for (String head : new String[] {"igammac", "special_gammaincc"}) {
      two(catalog, GammaFamily::upper, head + "(Tensor self, Tensor other)");
    }
  }

  private static double entropy(double x) {
    return x > 0 ? -x * Math.log(x) : x == 0 ? 0 : Double.isNaN(x) ? x : Double.NEGATIVE_INFINITY;
  }

  private static double timesLog1p(double x, double y) {
    return x == 0 && !Double.isNaN(y) ? 0 : x * Math.log1p(y);
  }

  private static void one(Catalog.Builder catalog, DoubleUnaryOperator function, String... names) {
    for (String name : names) {
      catalog.one(
          "aten::" + name + "(Tensor self) -> Tensor",
          Marking.one(call -> mapped(call, name, call.tensor(0), function)));
    }
  }

  private static Object mapped(
      Call call, String name, DenseTensor self, DoubleUnaryOperator function) {
    DType dtype = Promotion.of(self).floatingResult();
    Fault fault = Promotion.unsupported(name, dtype);
    if (fault != null) {
      return fault;
    }
    Lookout lookout = new Lookout(call);
    double[] values = Doubles.of(lookout, self);
    for (int i = 0; i < values.length && lookout.goesOn(16); i++) {
      values[i] = function.applyAsDouble(values[i]);
    }
    return lookout.fault() == null
        ? Doubles.tensor(call, dtype, self.shape(), values)
        : lookout.orFault(values);
  }

  private static void two(Catalog.Builder catalog, DoubleBinaryOperator function, String head) {
    Steps.add(
        catalog,
        "aten::" + head + " -> Tensor",
        (steps, call) -> paired(steps, call, head, function));
  }

  private static Object paired(Steps steps, Call call, String head, DoubleBinaryOperator function) {
    DType dtype = Promotion.of(call.tensor(0), call.tensor(1)).floatingResult();
    Fault fault = Promotion.unsupported(head.substring(0, head.indexOf('(')), dtype);
    Object both =
        fault == null
            ? steps.run("broadcast_tensors", Steps.list(call.tensor(0), call.tensor(1)))
            : fault;
    if (!(both instanceof List<?> pair)) {
      return both;
    }
    Lookout lookout = new Lookout(call);
    double[] left = Doubles.of(lookout, (DenseTensor) pair.get(0));
    double[] right = Doubles.of(lookout, (DenseTensor) pair.get(1));
    for (int i = 0; i < left.length && lookout.goesOn(64); i++) {
      left[i] = function.applyAsDouble(left[i], right[i]);
    }
    Shape shape = ((DenseTensor) pair.get(0)).shape();
    return lookout.fault() == null
        ? Doubles.tensor(call, dtype, shape, left)
        : lookout.orFault(left);
  }

  private static void orders(Catalog.Builder catalog) {
    for (String name : new String[] {"polygamma", "special_polygamma"}) {
      catalog.one(
          "aten::" + name + "(int n, Tensor self) -> Tensor",
          Marking.one(call -> {
            long n = call.integer(0);
            return n < 0 || n > 1000
                ? Fault.value("polygamma takes an order from 0 to 1000, but `n` is " + n)
                : mapped(call, name, call.tensor(1), x -> GammaFamily.polygamma(n, x));
          }));
    }
    for (String name : new String[] {"mvlgamma", "special_multigammaln"}) {
      catalog.one(
          "aten::" + name + "(Tensor self, int p) -> Tensor",
          Marking.one(call -> {
            long p = call.integer(1);
            return p < 1 || p > 1000
                ? Fault.value(name + " takes an order from 1 to 1000, but `p` is " + p)
                : mapped(call, name, call.tensor(0), x -> GammaFamily.logMultivariate(x, p));
          }));
    }
  }

  /** Functions that have another name elsewhere. */
  private static void others(Catalog.Builder catalog) {
    Steps.add(
        catalog,
        "aten::special_sinc(Tensor self) -> Tensor",
        (steps, call) -> steps.run("sinc", call.tensor(0)));
    Steps.add(
        catalog,
        "aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
        (steps, call) -> steps.run("logsumexp", call.tensor(0), call.value(1), call.value(2)));
    for (String name : new String[] {"softmax", "log_softmax"}) {
      Steps.add(
          catalog,
          "aten::special_" + name + "(Tensor self, int dim" + dtype(name) + ") -> Tensor",
          (steps, call) -> steps.run(name + ".int", call.tensor(0), call.value(1), call.value(2)));
    }
  }

  private static String dtype(String name) {
    return name.equals("softmax") ? ", ScalarType? dtype=None" : ", *, ScalarType? dtype=None";
  }
}
