package dev.staunch.kernel.special;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Doubles;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Storing;
import dev.staunch.kernel.scalar.GammaFunction;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Special functions of one or two tensors. */
public final class SpecialOperations {
  private SpecialOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        SpecialOperations::functions,
        SpecialOperations::orders,
        SpecialOperations::waves,
        PolynomialOperations::addTo,
        SpecialOperations::others);
  }

  private static void functions(Catalog.Builder catalog) {
    Catalog.Builder copied = catalog.with(Trait.COPIED_IN_PLACE);
    Catalog.Builder widened = catalog.with(Trait.AUTOCAST_WIDENS);
    one(copied, GammaFunction::logGamma, "lgamma");
    one(catalog, GammaFunction::logGamma, "special_gammaln");
    one(copied, GammaFamily::digamma, "digamma");
    one(catalog, GammaFamily::digamma, "special_digamma", "special_psi");
    one(widened.with(Trait.COPIED_IN_PLACE), NormalDistribution::inverseErf, "erfinv");
    one(widened, NormalDistribution::inverseErf, "special_erfinv");
    one(catalog, NormalDistribution::scaledErfc, "special_erfcx");
    one(catalog, NormalDistribution::below, "special_ndtr");
    one(catalog, NormalDistribution::logBelow, "special_log_ndtr");
    one(catalog, NormalDistribution::quantile, "special_ndtri");
    one(catalog, x -> BesselFunctions.plain(0, x), "special_i0");
    one(copied, x -> BesselFunctions.plain(0, x), "i0");
    one(catalog, x -> BesselFunctions.scaled(0, x), "special_i0e");
    one(catalog, x -> BesselFunctions.plain(1, x), "special_i1");
    one(catalog, x -> BesselFunctions.scaled(1, x), "special_i1e");
    one(catalog, SpecialOperations::entropy, "special_entr");
    two(catalog, SpecialOperations::timesLog1p, "special_xlog1py");
    two(catalog, GammaFamily::zeta, "special_zeta");
    two(copied, GammaFamily::lower, "igamma");
    two(catalog, GammaFamily::lower, "special_gammainc");
    two(copied, GammaFamily::upper, "igammac");
    two(catalog, GammaFamily::upper, "special_gammaincc");
  }

  private static void waves(Catalog.Builder plain) {
    Catalog.Builder catalog = plain.out("out");
    for (int order = 0; order < 2; order++) {
      int n = order;
      one(catalog, x -> CylinderFunctions.first(n, x), "special_bessel_j" + n);
      one(catalog, x -> CylinderFunctions.second(n, x), "special_bessel_y" + n);
      one(catalog, x -> BesselFunctions.plain(n, x), "special_modified_bessel_i" + n);
      one(catalog, x -> MacdonaldFunction.plain(n, x), "special_modified_bessel_k" + n);
      ofX(catalog, x -> MacdonaldFunction.scaled(n, x), "special_scaled_modified_bessel_k" + n);
    }
    ofX(catalog, AiryFunction::of, "special_airy_ai");
    ofX(
        catalog,
        x -> x == 0 ? 1 : Double.isInfinite(x) ? 0 : Math.sin(x) / x,
        "special_spherical_bessel_j0");
  }

  private static void ofX(Catalog.Builder catalog, DoubleUnaryOperator function, String name) {
    map(catalog, name, "(Tensor x)", 0, operands -> null, call -> function);
  }

  private static double entropy(double x) {
    return x > 0 ? -x * Math.log(x) : x == 0 ? 0 : Double.isNaN(x) ? x : Double.NEGATIVE_INFINITY;
  }

  private static double timesLog1p(double x, double y) {
    return x == 0 && !Double.isNaN(y) ? 0 : x * Math.log1p(y);
  }

  private static void one(Catalog.Builder catalog, DoubleUnaryOperator function, String... names) {
    for (String name : names) {
      map(catalog, name, "(Tensor self)", 0, operands -> null, call -> function);
    }
  }

  /** Chooses the function of an operation whose order is an argument. */
  private interface Choice {
    DoubleUnaryOperator of(Operands operands);
  }

  /** The fault of the arguments other than the tensor; else null. */
  private interface Check {
    @Nullable Fault of(Operands operands);
  }

  /** Adds an operation that computes a function of each element of argument {@code at}. */
  private static void map(
      Catalog.Builder catalog,
      String name,
      String parameters,
      int at,
      Check check,
      Choice function) {
    Filled.add(
        catalog,
        "aten::" + name + parameters + " -> Tensor",
        operands -> {
          Fault fault = check.of(operands);
          return fault == null ? form(name, operands.shape(at), operands.value(at)) : fault;
        },
        (target, call) -> {
          CancellationPoll poll = new CancellationPoll(call);
          DoubleUnaryOperator map = function.of(call);
          double[] values = Doubles.of(poll, call.tensor(at));
          for (int i = 0; i < values.length && poll.mayContinue(16); i++) {
            values[i] = map.applyAsDouble(values[i]);
          }
          Doubles.store(target, values);
          return poll.fault();
        });
  }

  /**
   * @param shape of the result, or the fault of operands that do not broadcast
   */
  static Object form(String name, Object shape, Object... operands) {
    DType dtype = Promotion.of(operands).floatingResult();
    Fault fault = Promotion.unsupported(name, dtype);
    if (fault != null) {
      return fault;
    }
    return shape instanceof Shape known ? DenseStrides.combined(dtype, known, operands) : shape;
  }

  private static void two(Catalog.Builder catalog, DoubleBinaryOperator function, String name) {
    Filled.add(
        catalog,
        "aten::" + name + "(Tensor self, Tensor other) -> Tensor",
        operands ->
            form(
                name,
                Broadcast.shape(operands.shape(0), operands.shape(1)),
                operands.value(0),
                operands.value(1)),
        (target, call) -> {
          CancellationPoll poll = new CancellationPoll(call);
          double[] left = stretched(poll, call, 0, target.shape());
          double[] right = stretched(poll, call, 1, target.shape());
          for (int i = 0; i < left.length && poll.mayContinue(64); i++) {
            left[i] = function.applyAsDouble(left[i], right[i]);
          }
          Doubles.store(target, left);
          return poll.fault();
        });
  }

  static double[] stretched(CancellationPoll poll, Call call, int i, Shape shape) {
    return Doubles.of(poll, call.tensor(i), Broadcast.stretch(call.layout(i), shape));
  }

  private static void orders(Catalog.Builder catalog) {
    for (String name : new String[] {"polygamma", "special_polygamma"}) {
      map(
          catalog,
          name,
          "(int n, Tensor self)",
          1,
          operands -> order("polygamma", "n", 0, operands.integer(0)),
          operands -> {
            long n = operands.integer(0);
            return x -> GammaFamily.polygamma(n, x);
          });
    }
    Composite.add(
        catalog,
        "aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)",
        (steps, call) ->
            Storing.into(
                steps, call.value(0), steps.run("polygamma", call.value(1), call.value(0))));
    multivariate(catalog.with(Trait.COPIED_IN_PLACE), "mvlgamma");
    multivariate(catalog, "special_multigammaln");
  }

  private static void multivariate(Catalog.Builder catalog, String name) {
    map(
        catalog,
        name,
        "(Tensor self, int p)",
        0,
        operands -> order(name, "p", 1, operands.integer(1)),
        operands -> {
          long p = operands.integer(1);
          return x -> GammaFamily.logMultivariate(x, p);
        });
  }

  private static @Nullable Fault order(String name, String parameter, int least, long order) {
    String text = "%s takes an order from %d to 1000, but `%s` is %d";
    return order < least || order > 1000
        ? Fault.value(Message.of(text, name, least, parameter, order))
        : null;
  }

  /** Functions that are aliases of other operations. */
  private static void others(Catalog.Builder catalog) {
    Composite.add(
        catalog,
        "aten::special_sinc(Tensor self) -> Tensor",
        (steps, call) -> steps.run("sinc", call.value(0)));
    Composite.add(
        catalog,
        "aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
        (steps, call) -> steps.run("logsumexp", call.value(0), call.value(1), call.value(2)));
    Composite.add(
        catalog,
        "aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
        (steps, call) -> steps.run("softmax.int", call.value(0), call.value(1), call.value(2)));
    Composite.add(
        catalog,
        "aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
        (steps, call) -> steps.run("log_softmax.int", call.value(0), call.value(1), call.value(2)));
  }
}
