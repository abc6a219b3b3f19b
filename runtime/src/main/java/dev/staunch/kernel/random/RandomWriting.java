package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Catalog;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Trait;
import java.util.function.Function;

/** Operations that overwrite a tensor with random numbers. */
final class RandomWriting {
  private static final String TAIL = ", *, Generator? generator=None) -> Tensor(a!)";

  private RandomWriting() {}

  static void addTo(Catalog.Builder catalog) {
    reals(catalog);
    add(catalog, "random_(", 1, call -> Distribution.integersFrom(0));
    add(catalog, "random_.to(int to, ", 2, call -> Distribution.integers(0, call.integer(1)));
    add(
        catalog,
        "random_.from(int from, int? to, ",
        3,
        call ->
            call.isNone(2)
                ? Distribution.integersFrom(call.integer(1))
                : Distribution.integers(call.integer(1), call.integer(2)));
  }

  private static void reals(Catalog.Builder catalog) {
    add(
        catalog,
        "uniform_(float from=0., float to=1., ",
        3,
        call -> Distribution.uniform(call.real(1), call.real(2)));
    add(
        catalog,
        "normal_(float mean=0., float std=1., ",
        3,
        call -> Distribution.normal(call.real(1), call.real(2)));
    add(
        catalog,
        "log_normal_(float mean=1., float std=2., ",
        3,
        call -> Distribution.logNormal(call.real(1), call.real(2)));
    add(
        catalog,
        "cauchy_(float median=0., float sigma=1., ",
        3,
        call -> Distribution.cauchy(call.real(1), call.real(2)));
    add(
        catalog,
        "exponential_(float lambd=1., ",
        2,
        call -> Distribution.exponential(call.real(1)));
    add(catalog, "geometric_(float p, ", 2, call -> Distribution.geometric(call.real(1)));
    add(
        catalog,
        "bernoulli_.float(float p=0.5, ",
        2,
        call -> {
          Fault fault = RandomBounds.probability("bernoulli_", call.real(1));
          return fault == null ? Distribution.bernoulli(call.real(1)) : dtype -> fault;
        });
  }

  /** Adds an operation; {@code head} is its name and its parameters after self. */
  private static void add(
      Catalog.Builder catalog,
      String head,
      int generatorAt,
      Function<Operands, Distribution> wanted) {
    String name = head.substring(0, head.indexOf('(') + 1);
    String rest = head.substring(name.length());
    String parameters = rest.isEmpty() ? "" : ", " + rest.substring(0, rest.length() - 2);
    catalog
        .with(Trait.OVERWRITES)
        .withInference(operands -> Drawing.form(operands, wanted.apply(operands)))
        .one(
            "aten::" + name + "Tensor(a!) self" + parameters + TAIL,
            call -> Drawing.written(call, generatorAt, wanted.apply(call)));
  }
}
