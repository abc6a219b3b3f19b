package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import org.jspecify.annotations.Nullable;

/** Draws by probabilities that tensors hold. */
final class Sampling {
  private static final String TAIL = "*, Generator? generator=None) -> Tensor";
  private static final Rule BELOW = Rule.binary((p, u) -> u < p ? 1 : 0, null);

  /** Random bits that are drawn together; even, as a stream makes them in pairs. */
  private static final int PIECE = 1 << 13;

  private Sampling() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::bernoulli(Tensor self, " + TAIL, call -> bernoulli(call, call.tensor(0), 1, false));
    catalog.one(
        "aten::bernoulli.Tensor(Tensor self, Tensor p, " + TAIL,
        call -> bernoulli(call, call.tensor(1), 2, false));
    catalog.one(
        "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, " + TAIL + "(a!)",
        call -> bernoulli(call, call.tensor(1), 2, true));
    catalog.one("aten::bernoulli.p(Tensor self, float p, " + TAIL, Sampling::bernoulli);
    catalog.one(
        "aten::multinomial(Tensor self, int num_samples, bool replacement=False, " + TAIL,
        Sampling::multinomial);
  }

  private static Object bernoulli(Call call) {
    Fault fault = RandomBounds.probability("bernoulli_", call.real(1));
    DenseTensor self = call.tensor(0);
    Object made = fault == null ? DenseStrides.allocateLike(call, self, self.dtype()) : fault;
    return Drawing.filled(call, made, 2, Distribution.bernoulli(call.real(1)));
  }

  /** Each element of self's shape is 1 with the probability that {@code p} has there. */
  private static Object bernoulli(Call call, DenseTensor p, int generatorAt, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    Fault fault = probabilities(call, self, p);
    fault = fault == null && inPlace ? Overlap.within(self) : fault;
    Object made = fault == null ? call.allocate(DType.FLOAT64, self.shape()) : fault;
    Object noise = Drawing.filled(call, made, generatorAt, Distribution.uniform(0, 1));
    if (!(noise instanceof DenseTensor u)) {
      return noise;
    }
    DType dtype = self.dtype();
    Object result =
        inPlace
            ? Pointwise.write(call, "bernoulli_", dtype, DType.FLOAT64, BELOW, p, u)
            : Pointwise.compute(call, "bernoulli", dtype, DType.FLOAT64, BELOW, p, u);
    u.close();
    return result;
  }

  private static @Nullable Fault probabilities(Call call, DenseTensor self, DenseTensor p) {
    Object common = Broadcast.shape(self.shape(), p.shape());
    if (!self.shape().equals(common)) {
      String text = "probabilities of shape %s do not expand to %s";
      return Fault.shape(text.formatted(p.shape(), self.shape()))
          .withExpected("a shape that expands to " + self.shape(), p.shape().toString());
    }
    Fault fault = RandomBounds.floating("bernoulli_", p.dtype());
    Fault outside =
        Fault.value("bernoulli_ expects all elements of p to be in [0, 1]")
            .withExpected("probabilities from 0 to 1", "others among them");
    return fault == null
        ? Drawing.unlessAll(call, p, value -> value >= 0 && value <= 1, outside)
        : fault;
  }

  private static Object multinomial(Call call) {
    DenseTensor self = call.tensor(0);
    Fault fault = unsampled(call, self, call.integer(1), call.bool(2));
    if (fault != null) {
      return fault;
    }
    Lookout lookout = new Lookout(call);
    double[] weights = Filling.read(lookout, self);
    int categories = (int) self.shape().size(self.rank() - 1);
    int rows = self.rank() == 1 ? 1 : (int) self.shape().size(0);
    for (int row = 0; fault == null && row < rows; row++) {
      double total = 0;
      for (int j = 0; j < categories; j++) {
        total += weights[row * categories + j];
      }
      fault =
          total > 0 || !lookout.goesOn(categories)
              ? lookout.fault()
              : Fault.value("invalid multinomial distribution (sum of probabilities <= 0)");
    }
    int samples = Math.toIntExact(call.integer(1));
    Shape shape = self.rank() == 1 ? Shape.of(samples) : Shape.of(rows, samples);
    Object made = fault == null ? call.allocate(DType.INT64, shape) : fault;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    RandomStream stream = Drawing.stream(call, 3);
    Object keys =
        call.bool(2) ? Kernel.None.NONE : call.allocate(DType.FLOAT64, Shape.of(categories));
    if (keys instanceof Fault wrong) {
      return Lookout.finished(target, wrong);
    }
    long[] drawn = new long[samples];
    for (int row = 0; row < rows && lookout.fault() == null; row++) {
      int start = row * categories;
      if (keys instanceof DenseTensor scratch) {
        keep(lookout, stream, weights, start, scratch, drawn);
      } else {
        replace(lookout, stream, weights, start, categories, (long) row * samples, drawn);
      }
      Operand.of(target).store(drawn, (long) row * samples, 1, samples);
    }
    if (keys instanceof DenseTensor scratch) {
      scratch.close();
    }
    return Lookout.finished(target, lookout.fault());
  }

  private static @Nullable Fault unsampled(
      Call call, DenseTensor self, long samples, boolean replacement) {
    if (!self.dtype().isFloating()) {
      String text = "multinomial only supports floating-point dtypes for input, got: ";
      return Fault.dtype(text + self.dtype());
    }
    if (self.rank() != 1 && self.rank() != 2) {
      return Fault.shape("prob_dist must be 1 or 2 dim")
          .withExpected("1 or 2 dimensions", self.shape().toString());
    }
    if (samples <= 0) {
      return Fault.value("cannot sample n_sample <= 0 samples");
    }
    long categories = self.shape().size(self.rank() - 1);
    if (!replacement && samples > categories) {
      return Fault.value("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
          .withExpected("at most " + categories + " samples", samples + " samples");
    }
    if (categories > 1 << 24) {
      return Fault.value("number of categories cannot exceed 2^24");
    }
    return Drawing.unlessAll(
        call,
        self,
        value -> value >= 0 && value < Double.POSITIVE_INFINITY,
        Fault.value("probability tensor contains either `inf`, `nan` or element < 0"));
  }

  /** Draws categories by inverting the distribution function of the weights from {@code start}. */
  private static void replace(
      Lookout lookout,
      RandomStream stream,
      double[] weights,
      int start,
      int categories,
      long first,
      long[] drawn) {
    double[] sums = new double[categories];
    double total = 0;
    for (int j = 0; j < categories && lookout.goesOn(1); j++) {
      total += weights[start + j];
      sums[j] = total;
    }
    double most = total;
    double[] uniform = new double[Math.min(drawn.length, PIECE)];
    lookout.inPieces(
        drawn.length,
        PIECE,
        (from, count) -> {
          stream.uniforms(first + from, uniform, count);
          for (int k = 0; k < count; k++) {
            double value = Math.min(uniform[k] * most, Math.nextDown(most));
            drawn[(int) from + k] = firstAbove(sums, value);
          }
          lookout.goesOn(4L * count);
        });
  }

  private static int firstAbove(double[] sums, double value) {
    int low = 0;
    int high = sums.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] > value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Draws categories in the order of weight by exponential number, greatest first. */
  private static void keep(
      Lookout lookout,
      RandomStream stream,
      double[] weights,
      int start,
      DenseTensor keys,
      long[] drawn) {
    double[] tile = new double[(int) Math.min(keys.elements(), PIECE)];
    lookout.inPieces(
        keys.elements(),
        PIECE,
        (from, count) -> {
          stream.uniforms(start + from, tile, count);
          for (int j = 0; j < count; j++) {
            tile[j] = weights[start + (int) from + j] / -StrictMath.log1p(-tile[j] - 0x1p-54);
          }
          Operand.of(keys).store(tile, from, 1, count);
          lookout.goesOn(4L * count);
        });
    Reduction all = (Reduction) Reduction.over(keys, new long[0], false);
    StableOrder order = new StableOrder(all, lookout, true);
    boolean sorted = order.sort(0);
    for (int k = 0; sorted && k < drawn.length; k++) {
      drawn[k] = order.at(k);
    }
  }

  /** The numbers 0 to n - 1 in random order (Fisher and Yates). */
  static long[] permutation(Lookout lookout, RandomStream stream, int n) {
    long[] order = new long[n];
    lookout.inPieces(
        n,
        (first, count) -> {
          for (int i = (int) first; i < first + count; i++) {
            order[i] = i;
          }
        });
    long[] bits = new long[Math.min(n, PIECE)];
    for (int end = n; end > 0 && lookout.fault() == null; ) {
      int start = (end - 1) / PIECE * PIECE;
      stream.bits(start, bits, end - start);
      for (int i = end - 1; i >= start; i--) {
        int other = (int) Math.unsignedMultiplyHigh(bits[i - start], i + 1L);
        long swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
      }
      lookout.goesOn(4L * (end - start));
      end = start;
    }
    return order;
  }
}
