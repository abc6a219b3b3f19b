package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.create.ConversionOperations;
import dev.staunch.kernel.create.CreationOperations;
import dev.staunch.kernel.create.NewTensors;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.MemoryFormats;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** New tensors of random numbers. */
public final class RandomOperations {
  private static final String TAIL = NewTensors.TAIL;
  private static final String DTYPE_TAIL = TAIL.replace("dtype=None", "dtype=4");
  private static final String GENERATOR_TAIL = TAIL.replace("*, ", "*, Generator? generator, ");
  private static final String LIKE =
      TAIL.replace(") -> Tensor", ", MemoryFormat? memory_format=None) -> Tensor");

  private RandomOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        catalog -> unit(catalog.with(Trait.DRAWS_RANDOM, Trait.NON_DIFFERENTIABLE)),
        catalog -> integers(catalog.with(Trait.DRAWS_RANDOM, Trait.NON_DIFFERENTIABLE)),
        RandomOperations::normals,
        catalog -> seeds(catalog.with(Trait.DRAWS_RANDOM, Trait.HAS_SIDE_EFFECTS)),
        RandomWriting::addTo,
        Dropout::addTo,
        Sampling::addTo);
  }

  private static void seeds(Catalog.Builder catalog) {
    catalog.none(
        "aten::manual_seed(int seed) -> ()",
        call -> {
          call.environment().generator().seed(call.integer(0));
          return null;
        });
  }

  private static void unit(Catalog.Builder catalog) {
    unit(catalog, "rand", Distribution.uniform(0, 1));
    unit(catalog, "randn", Distribution.normal(0, 1));
  }

  private static void unit(Catalog.Builder catalog, String name, Distribution unit) {
    Drawing.add(
        catalog, name + "(SymInt[] size, " + TAIL, call -> sized(call, 0, 1), -1, call -> unit);
    Drawing.add(
        catalog,
        name + ".generator(SymInt[] size, " + GENERATOR_TAIL,
        call -> sized(call, 0, 2),
        1,
        call -> unit);
    Drawing.add(
        catalog, name + "_like(Tensor self, " + LIKE, call -> like(call, 1), -1, call -> unit);
  }

  private static void integers(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain.withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING));
    String generator = DTYPE_TAIL.replace("*, ", "*, Generator? generator, ");
    String size = "SymInt[] size, ";
    integers(catalog, "randint(int high, " + size + DTYPE_TAIL, call -> 0L, 1, 2, -1);
    integers(catalog, "randint.generator(int high, " + size + generator, call -> 0L, 1, 3, 2);
    integers(
        catalog,
        "randint.low(int low, int high, " + size + DTYPE_TAIL,
        call -> call.integer(0),
        2,
        3,
        -1);
    integers(
        catalog,
        "randint.low_generator(int low, int high, " + size + generator,
        call -> call.integer(0),
        2,
        4,
        3);
    Drawing.add(
        catalog,
        "randint_like(Tensor self, int high, " + LIKE,
        call -> like(call, 2),
        -1,
        call -> Distribution.integers(0, call.integer(1)));
    Drawing.add(
        catalog,
        "randint_like.low_dtype(Tensor self, int low, int high, " + LIKE,
        call -> like(call, 3),
        -1,
        call -> Distribution.integers(call.integer(1), call.integer(2)));
    permutation(plain, "randperm(int n, " + DTYPE_TAIL, 1, -1);
    permutation(plain, "randperm.generator(int n, " + generator, 2, 1);
  }

  /** Adds an operation whose upper bound comes before the sizes. */
  private static void integers(
      Catalog.Builder catalog,
      String schema,
      ToLongFunction<Operands> low,
      int sizesAt,
      int dtypeAt,
      int generatorAt) {
    Drawing.add(
        catalog,
        schema,
        call -> sized(call, sizesAt, dtypeAt),
        generatorAt,
        call -> Distribution.integers(low.applyAsLong(call), call.integer(sizesAt - 1)));
  }

  private static void normals(Catalog.Builder catalog) {
    String tail = ", *, Generator? generator=None) -> Tensor";
    for (String head :
        new String[] {
          "Tensor_float(Tensor mean, float std=1.",
          "float_Tensor(float mean, Tensor std",
          "Tensor_Tensor(Tensor mean, Tensor std"
        }) {
      catalog
          .with(Trait.FAILS_ON_VALUES)
          .withInference(RandomOperations::normalForm)
          .one("aten::normal." + head + tail, RandomOperations::normal);
    }
    Drawing.add(
        catalog,
        "normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
            + TAIL.substring("*, ".length()),
        call -> {
          Fault fault = RandomBounds.normal(dtype(call, 4), call.real(1));
          return fault == null ? sized(call, 2, 4) : fault;
        },
        3,
        call -> Distribution.normal(call.real(0), call.real(1)));
  }

  private static DType dtype(Operands operands, int dtypeAt) {
    DType asked = operands.optionalDType(dtypeAt);
    return asked == null ? DType.FLOAT32 : asked;
  }

  private static Object sized(Operands operands, int sizesAt, int dtypeAt) {
    DType dtype = dtype(operands, dtypeAt);
    return CreationOperations.form(operands, operands.integers(sizesAt), dtype, dtypeAt + 2);
  }

  private static Object like(Operands operands, int dtypeAt) {
    DType asked = operands.optionalDType(dtypeAt);
    Fault fault = Placement.fault(operands, dtypeAt + 1);
    long format = operands.integerOr(dtypeAt + 4, MemoryFormats.PRESERVE);
    return fault == null
        ? ConversionOperations.laid(
            asked == null ? operands.dtype(0) : asked, operands.layout(0), format)
        : fault;
  }

  /**
   * The form of {@code mean + std * z}, where at least one of both is a tensor; it has the first
   * tensor's dtype.
   */
  private static Object normalForm(Operands operands) {
    DType dtype = operands.dtype(operands.isTensor(0) ? 0 : 1);
    Fault fault = RandomBounds.normal(dtype, operands.isTensor(1) ? 0 : operands.real(1));
    if (fault == null && operands.isTensor(1)) {
      fault = RandomBounds.floating("normal", operands.dtype(1));
    }
    Object shape = fault == null ? Pointwise.shape(operands.value(0), operands.value(1)) : fault;
    return shape instanceof Shape known ? TensorForm.contiguous(dtype, known) : shape;
  }

  private static Object normal(Call call) {
    Object form = normalForm(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Fault negative = Fault.value("`std` of normal has a negative element; take its `abs()`");
    Fault fault =
        call.isTensor(1)
            ? Drawing.unlessAll(call, call.tensor(1), value -> !(value < 0), negative)
            : null;
    Object made = fault == null ? call.allocate(DType.FLOAT64, known.shape()) : fault;
    Object noise = Drawing.filled(call, made, 2, Distribution.normal(0, 1));
    if (!(noise instanceof DenseTensor z)) {
      return noise;
    }
    Object mean = call.isTensor(0) ? call.value(0) : (Object) call.real(0);
    Object std = call.isTensor(1) ? call.value(1) : (Object) call.real(1);
    Object result =
        Pointwise.compute(
            call,
            Combination.of("normal", known.dtype(), Formulas.affine(), mean, std, z).lyingAs());
    z.close();
    return result;
  }

  private static void permutation(
      Catalog.Builder catalog, String schema, int dtypeAt, int generatorAt) {
    Inference inference = operands -> permuted(operands, dtypeAt);
    catalog
        .withInference(inference)
        .one("aten::" + schema, call -> permutation(call, inference.infer(call), generatorAt));
  }

  private static Object permuted(Operands operands, int dtypeAt) {
    long n = operands.integer(0);
    DType dtype = dtype(operands, dtypeAt);
    long most =
        dtype.isFloating() ? RandomBounds.greatest(dtype) + 1 : RandomBounds.greatest(dtype);
    if (dtype == DType.BOOL || dtype.kind() == DType.Kind.COMPLEX) {
      return Pointwise.refusal("randperm", dtype);
    }
    if (n > most) {
      String text = "`n` is %d, but %s counts only up to %d; take a wider `dtype`";
      return Fault.value(Message.of(text, n, dtype, most));
    }
    return CreationOperations.form(operands, new long[] {n}, dtype, dtypeAt + 2);
  }

  private static Object permutation(Call call, Object form, int generatorAt) {
    Object made =
        form instanceof TensorForm known ? call.allocate(known.dtype(), known.shape()) : form;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    RandomStream stream = Drawing.stream(call, generatorAt);
    try (Temporaries temporaries = new Temporaries()) {
      Object order =
          target.dtype() == DType.INT64
              ? target
              : temporaries.note(call.allocate(DType.INT64, target.shape()));
      return CancellationPoll.finished(
          target,
          order instanceof DenseTensor numbers
              ? permute(call, stream, numbers, target)
              : (Fault) order);
    }
  }

  private static @Nullable Fault permute(
      Call call, RandomStream stream, DenseTensor order, DenseTensor target) {
    CancellationPoll poll = new CancellationPoll(call);
    Fault stop = Sampling.permute(poll, stream, order);
    return stop != null || order == target
        ? stop
        : Copying.copy(poll, order, order.layout(), target, target.layout());
  }
}
