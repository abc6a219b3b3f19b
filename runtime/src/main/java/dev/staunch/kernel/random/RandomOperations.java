package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Lookout;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.Trait;
import dev.staunch.kernel.create.ConversionOperations;
import dev.staunch.kernel.create.CreationOperations;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Marking;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** New tensors of random numbers. */
public final class RandomOperations {
  private static final String TAIL = CreationOperations.TAIL;
  private static final String DTYPE_TAIL = TAIL.replace("dtype=None", "dtype=4");
  private static final String GENERATOR_TAIL = TAIL.replace("*, ", "*, Generator? generator, ");
  private static final String LIKE =
      TAIL.replace(") -> Tensor", ", MemoryFormat? memory_format=None) -> Tensor");

  private RandomOperations() {}

  /** Adds all operations of this package. */
  public static void addTo(Catalog.Builder catalog) {
    unit(catalog.with(Trait.DRAWS));
    integers(catalog.with(Trait.DRAWS));
    normals(catalog);
    RandomWriting.addTo(catalog);
    Dropout.addTo(catalog);
    Sampling.addTo(catalog);
  }

  private static void unit(Catalog.Builder catalog) {
    catalog.one("aten::rand(SymInt[] size, " + TAIL, call -> uniform(call, made(call, 0, 1), -1));
    catalog.one(
        "aten::rand.generator(SymInt[] size, " + GENERATOR_TAIL,
        call -> uniform(call, made(call, 0, 2), 1));
    catalog.one("aten::rand_like(Tensor self, " + LIKE, call -> uniform(call, like(call, 1), -1));
    catalog.one("aten::randn(SymInt[] size, " + TAIL, call -> normal(call, made(call, 0, 1), -1));
    catalog.one(
        "aten::randn.generator(SymInt[] size, " + GENERATOR_TAIL,
        call -> normal(call, made(call, 0, 2), 1));
    catalog.one("aten::randn_like(Tensor self, " + LIKE, call -> normal(call, like(call, 1), -1));
  }

  private static void integers(Catalog.Builder catalog) {
    String generator = DTYPE_TAIL.replace("*, ", "*, Generator? generator, ");
    catalog.one(
        "aten::randint(int high, SymInt[] size, " + DTYPE_TAIL,
        call -> integers(call, 0, 1, 2, -1));
    catalog.one(
        "aten::randint.generator(int high, SymInt[] size, " + generator,
        call -> integers(call, 0, 1, 3, 2));
    catalog.one(
        "aten::randint.low(int low, int high, SymInt[] size, " + DTYPE_TAIL,
        call -> integers(call, call.integer(0), 2, 3, -1));
    catalog.one(
        "aten::randint.low_generator(int low, int high, SymInt[] size, " + generator,
        call -> integers(call, call.integer(0), 2, 4, 3));
    catalog.one(
        "aten::randint_like(Tensor self, int high, " + LIKE, call -> integersLike(call, 0, 2));
    catalog.one(
        "aten::randint_like.low_dtype(Tensor self, int low, int high, " + LIKE,
        call -> integersLike(call, call.integer(1), 3));
    catalog.one("aten::randperm(int n, " + DTYPE_TAIL, call -> permutation(call, 1, -1));
    catalog.one("aten::randperm.generator(int n, " + generator, call -> permutation(call, 2, 1));
  }

  private static void normals(Catalog.Builder catalog) {
    catalog.one(
        "aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None)"
            + " -> Tensor",
        Marking.one(call -> normal(call, call.tensor(0), call.real(1), call.tensor(0).shape())));
    catalog.one(
        "aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None)"
            + " -> Tensor",
        Marking.one(call -> normal(call, call.real(0), call.tensor(1), call.tensor(1).shape())));
    catalog.one(
        "aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None)"
            + " -> Tensor",
        Marking.one(call ->
            normal(
                call,
                call.tensor(0),
                call.tensor(1),
                Pointwise.shape(call.tensor(0), call.tensor(1)))));
    catalog.one(
        "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator?"
            + " generator=None, "
            + TAIL.substring("*, ".length()),
        RandomOperations::normal);
  }

  private static DType dtype(Call call, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    return asked == null ? DType.FLOAT32 : asked;
  }

  private static Object made(Call call, int sizesAt, int dtypeAt) {
    DType dtype = dtype(call, dtypeAt);
    return CreationOperations.allocated(call, call.integers(sizesAt), dtype, dtypeAt + 2);
  }

  private static Object like(Call call, int dtypeAt) {
    DType asked = call.optionalDType(dtypeAt);
    DenseTensor self = call.tensor(0);
    Fault fault = ConversionOperations.elsewhere(call, dtypeAt + 2);
    return fault == null
        ? DenseStrides.allocateLike(call, self, asked == null ? self.dtype() : asked)
        : fault;
  }

  private static Object uniform(Call call, Object made, int generatorAt) {
    return Drawing.filled(call, made, generatorAt, Distribution.uniform(0, 1));
  }

  private static Object normal(Call call, Object made, int generatorAt) {
    return Drawing.filled(call, made, generatorAt, Distribution.normal(0, 1));
  }

  private static Object normal(Call call) {
    Fault fault = RandomBounds.normal(dtype(call, 4), call.real(1));
    Distribution normal = Distribution.normal(call.real(0), call.real(1));
    return fault == null ? Drawing.filled(call, made(call, 2, 4), 3, normal) : fault;
  }

  private static Object integers(Call call, long low, int sizesAt, int dtypeAt, int generatorAt) {
    Object made = made(call, sizesAt, dtypeAt);
    Distribution integers = Distribution.integers(low, call.integer(sizesAt - 1));
    return Drawing.filled(call, made, generatorAt, integers);
  }

  private static Object integersLike(Call call, long low, int dtypeAt) {
    Distribution integers = Distribution.integers(low, call.integer(dtypeAt - 1));
    return Drawing.filled(call, like(call, dtypeAt), -1, integers);
  }

  /** {@code mean + std * z}, where one of both is a tensor; the dtype is the first tensor's. */
  private static Object normal(Call call, Object mean, Object std, Object shape) {
    DType dtype = (mean instanceof DenseTensor tensor ? tensor : (DenseTensor) std).dtype();
    Fault fault = RandomBounds.normal(dtype, std instanceof Double single ? single : 0);
    if (std instanceof DenseTensor tensor && fault == null) {
      fault = RandomBounds.floating("normal", tensor.dtype());
      Fault negative = Fault.value("`std` of normal has a negative element; take its `abs()`");
      fault =
          fault == null ? Drawing.unlessAll(call, tensor, value -> !(value < 0), negative) : fault;
    }
    if (fault != null || !(shape instanceof Shape common)) {
      return fault == null ? shape : fault;
    }
    Object made = call.allocate(DType.FLOAT64, common);
    Object noise = Drawing.filled(call, made, 2, Distribution.normal(0, 1));
    if (!(noise instanceof DenseTensor z)) {
      return noise;
    }
    Object result = Pointwise.compute(call, "normal", dtype, dtype, Formulas.AFFINE, mean, std, z);
    z.close();
    return result;
  }

  private static Object permutation(Call call, int dtypeAt, int generatorAt) {
    long n = call.integer(0);
    DType dtype = dtype(call, dtypeAt);
    long most =
        dtype.isFloating() ? RandomBounds.greatest(dtype) + 1 : RandomBounds.greatest(dtype);
    if (dtype == DType.BOOL || dtype.kind() == DType.Kind.COMPLEX) {
      return Pointwise.refusal("randperm", dtype);
    }
    if (n > most) {
      String text = "`n` is %d, but %s counts only up to %d; take a wider `dtype`";
      return Fault.value(Message.of(text, n, dtype, most));
    }
    Object made = CreationOperations.allocated(call, new long[] {n}, dtype, dtypeAt + 2);
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    RandomStream stream = Drawing.stream(call, generatorAt);
    try (Temporaries temporaries = new Temporaries()) {
      Object order =
          dtype == DType.INT64 ? target : temporaries.note(call.allocate(DType.INT64, Shape.of(n)));
      return Lookout.finished(
          target,
          order instanceof DenseTensor numbers
              ? permute(call, stream, numbers, target)
              : (Fault) order);
    }
  }

  private static @Nullable Fault permute(
      Call call, RandomStream stream, DenseTensor order, DenseTensor target) {
    Lookout lookout = new Lookout(call);
    Fault stop = Sampling.permute(lookout, stream, order);
    return stop != null || order == target
        ? stop
        : Copying.copy(lookout, order, order.layout(), target, target.layout());
  }
}
