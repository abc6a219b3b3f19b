package dev.staunch.kernel.random;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.formula.Formulas;
import dev.staunch.kernel.loop.Broadcast;
import dev.staunch.kernel.loop.Combination;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.loop.Pointwise;
import dev.staunch.kernel.loop.Reals;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.reduce.Reduction;
import dev.staunch.kernel.reduce.StableOrder;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Samples by probabilities that tensors hold. */
final class Sampling {
  private static final String TAIL = "*, Generator? generator=None) -> Tensor";

  /** The number of random values drawn together; even, because a stream makes them in pairs. */
  private static final int PIECE = 1 << 13;

  private Sampling() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder ofValues = catalog.with(Trait.FAILS_ON_VALUES);
    ofValues
        .withInference(operands -> form(operands, 0, false))
        .one(
            "aten::bernoulli(Tensor self, " + TAIL,
            call -> bernoulli(call, call.tensor(0), 1, false));
    ofValues
        .withInference(operands -> form(operands, 1, false))
        .one(
            "aten::bernoulli.Tensor(Tensor self, Tensor p, " + TAIL,
            call -> bernoulli(call, call.tensor(1), 2, false));
    ofValues
        .with(Trait.OVERWRITES)
        .withInference(operands -> form(operands, 1, true))
        .one(
            "aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, " + TAIL + "(a!)",
            call -> bernoulli(call, call.tensor(1), 2, true));
    Drawing.add(
        catalog,
        "bernoulli.p(Tensor self, float p, " + TAIL,
        call -> {
          Fault fault = RandomBounds.probability("bernoulli_", call.real(1));
          return fault == null
              ? new TensorForm(call.dtype(0), DenseStrides.like(call.layout(0)))
              : fault;
        },
        2,
        call -> Distribution.bernoulli(call.real(1)));
    ofValues
        .withInference(Sampling::sampled)
        .one(
            "aten::multinomial(Tensor self, int num_samples, bool replacement=False, " + TAIL,
            Sampling::multinomial);
  }

  private static Object form(Operands operands, int probabilitiesAt, boolean inPlace) {
    Fault fault = misfit(operands, probabilitiesAt);
    boolean complex = operands.dtype(0).kind() == DType.Kind.COMPLEX;
    fault = fault == null && complex ? RandomBounds.complex(operands.dtype(0)) : fault;
    fault = fault == null && inPlace ? OperandChecks.writable(operands.layout(0)) : fault;
    return fault != null
        ? fault
        : inPlace ? operands.form(0) : TensorForm.contiguous(operands.dtype(0), operands.shape(0));
  }

  private static @Nullable Fault misfit(Operands operands, int probabilitiesAt) {
    Shape self = operands.shape(0);
    Shape p = operands.shape(probabilitiesAt);
    if (!self.equals(Broadcast.shape(self, p))) {
      String text = "probabilities of shape %s do not expand to %s";
      return Fault.shape(Message.of(text, p, self))
          .withExpected("a shape that expands to " + self, p.toString());
    }
    return RandomBounds.floating("bernoulli_", operands.dtype(probabilitiesAt));
  }

  /** Each element of self's shape is 1 with the probability at the same position of {@code p}. */
  private static Object bernoulli(Call call, DenseTensor p, int generatorAt, boolean inPlace) {
    DenseTensor self = call.tensor(0);
    Object form = form(call, generatorAt - 1, inPlace);
    Fault fault = form instanceof Fault found ? found : outside(call, p);
    Object made = fault == null ? call.allocate(DType.FLOAT64, self.shape()) : fault;
    Object noise = Drawing.filled(call, made, generatorAt, Distribution.uniform(0, 1));
    if (!(noise instanceof DenseTensor u)) {
      return noise;
    }
    DType dtype = self.dtype();
    Object result =
        inPlace
            ? Pointwise.write(call, below("bernoulli_", p, u).giving(dtype))
            : Pointwise.compute(call, below("bernoulli", p, u).giving(dtype));
    u.close();
    return result;
  }

  private static Combination below(String name, DenseTensor p, DenseTensor u) {
    return Combination.of(name, DType.FLOAT64, Formulas.below(), p, u).lyingAs();
  }

  private static @Nullable Fault outside(Call call, DenseTensor p) {
    Fault outside =
        Fault.value("`p` of bernoulli_ has an element outside of 0 to 1; `clamp` it before")
            .withExpected("probabilities from 0 to 1", "others among them");
    return Drawing.unlessAll(call, p, value -> value >= 0 && value <= 1, outside);
  }

  /** The form of the sampled categories. */
  private static Object sampled(Operands operands) {
    Fault fault = unsampled(operands);
    Shape self = operands.shape(0);
    long samples = operands.integer(1);
    return fault == null
        ? TensorForm.contiguous(
            DType.INT64, self.rank() == 1 ? Shape.of(samples) : Shape.of(self.size(0), samples))
        : fault;
  }

  private static Object multinomial(Call call) {
    DenseTensor self = call.tensor(0);
    Object form = sampled(call);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Fault fault =
        Drawing.unlessAll(
            call,
            self,
            value -> value >= 0 && value < Double.POSITIVE_INFINITY,
            Fault.value(
                "the weights of multinomial must be finite and not negative, but one of them is"
                    + " not"));
    if (fault != null) {
      return fault;
    }
    CancellationPoll poll = new CancellationPoll(call);
    long rows = self.rank() == 1 ? 1 : self.shape().size(0);
    Reals weights = Reals.of(poll, self);
    fault = empty(poll, weights, rows);
    Object made = fault == null ? call.allocate(DType.INT64, known.shape()) : fault;
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    RandomStream stream = Drawing.stream(call, 3);
    try (Temporaries temporaries = new Temporaries()) {
      Object line =
          temporaries.note(
              call.allocate(DType.FLOAT64, Shape.of(self.shape().size(self.rank() - 1))));
      Fault stop =
          line instanceof DenseTensor spare
              ? call.bool(2)
                  ? replace(poll, stream, weights, spare, rows, target)
                  : keep(call, poll, stream, weights, spare, rows, target)
              : (Fault) line;
      return CancellationPoll.finished(target, stop);
    }
  }

  /**
   * The fault for a row whose weights do not have a positive sum, or of a cancellation; else null.
   */
  private static @Nullable Fault empty(CancellationPoll poll, Reals weights, long rows) {
    long categories = rows == 0 ? 0 : weights.size() / rows;
    double[] piece = new double[(int) Math.min(categories, PIECE)];
    for (long row = 0; row < rows; row++) {
      double total = sum(poll, weights, row, categories, piece, null);
      if (poll.fault() != null) {
        return poll.fault();
      }
      if (!(total > 0)) {
        return Fault.value(
            "multinomial draws from weights with a positive sum, but there is a row of zeros");
      }
    }
    return null;
  }

  /**
   * The sum of a row's weights.
   *
   * @param piece scratch space
   * @param sums gets the sum up to each weight
   */
  private static double sum(
      CancellationPoll poll,
      Reals weights,
      long row,
      long categories,
      double[] piece,
      @Nullable DenseTensor sums) {
    double total = 0;
    for (long from = 0; from < categories && poll.fault() == null; from += PIECE) {
      int count = (int) Math.min(PIECE, categories - from);
      weights.load(row * categories + from, count, piece);
      for (int j = 0; j < count; j++) {
        total += piece[j];
        piece[j] = total;
      }
      if (sums != null) {
        Operand.of(sums).store(piece, from, 1, count);
      }
      poll.mayContinue(count);
    }
    return total;
  }

  private static @Nullable Fault unsampled(Operands operands) {
    Shape self = operands.shape(0);
    long samples = operands.integer(1);
    if (!operands.dtype(0).isFloating()) {
      return Fault.dtype(
          "multinomial takes weights of a floating dtype, but they are " + operands.dtype(0));
    }
    if (self.rank() != 1 && self.rank() != 2) {
      return Fault.shape("multinomial takes weights of 1 or 2 dimensions, but the shape is " + self)
          .withExpected("1 or 2 dimensions", self.toString());
    }
    if (samples <= 0) {
      return Fault.value("`num_samples` must be positive, but it is " + samples);
    }
    long categories = self.size(self.rank() - 1);
    if (!operands.bool(2) && samples > categories) {
      String text = "%d samples without replacement need as many categories, but there are %d";
      return Fault.value(Message.of(text, samples, categories))
          .withExpected("at most " + categories + " samples", samples + " samples");
    }
    return categories > 1 << 24
        ? Fault.value(
            "multinomial draws from up to 16777216 categories, but there are " + categories)
        : null;
  }

  /**
   * Draws categories by inverting the distribution function of each row of weights.
   *
   * @param sums scratch space for the distribution function
   */
  private static @Nullable Fault replace(
      CancellationPoll poll,
      RandomStream stream,
      Reals weights,
      DenseTensor sums,
      long rows,
      DenseTensor target) {
    long samples = rows == 0 ? 0 : target.elements() / rows;
    MemorySegment function = sums.segment();
    MemorySegment drawn = target.segment();
    double[] uniform = new double[PIECE];
    RandomStream.Scratch scratch = RandomStream.scratch(PIECE);
    for (long row = 0; row < rows && poll.fault() == null; row++) {
      double most = sum(poll, weights, row, sums.elements(), uniform, sums);
      long start = row * samples;
      poll.inPieces(
          samples,
          PIECE,
          (from, count) -> {
            stream.uniforms(start + from, uniform, count, scratch);
            for (int k = 0; k < count; k++) {
              double value = Math.min(uniform[k] * most, Math.nextDown(most));
              long category = firstAbove(function, sums.elements(), value);
              drawn.setAtIndex(JAVA_LONG, start + from + k, category);
            }
            poll.mayContinue(4L * count);
          });
    }
    return poll.fault();
  }

  private static long firstAbove(MemorySegment sums, long count, double value) {
    long low = 0;
    long high = count - 1;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (sums.getAtIndex(JAVA_DOUBLE, middle) > value) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Draws categories without replacement: those with the greatest ratios of weight to an
   * exponential random number, in descending order.
   *
   * @param keys scratch space for these ratios
   */
  private static @Nullable Fault keep(
      Call call,
      CancellationPoll poll,
      RandomStream stream,
      Reals weights,
      DenseTensor keys,
      long rows,
      DenseTensor target) {
    long samples = rows == 0 ? 0 : target.elements() / rows;
    if (samples == 1) {
      return keepOne(poll, stream, weights, rows, target);
    }
    Reduction all = (Reduction) Reduction.over(keys, new long[0], false);
    double[] tile = new double[(int) Math.min(keys.elements(), PIECE)];
    RandomStream.Scratch scratch = RandomStream.scratch(tile.length);
    try (Temporaries made = new Temporaries()) {
      Object found = StableOrder.of(call, poll, made, all, true);
      if (!(found instanceof StableOrder order)) {
        return (Fault) found;
      }
      for (long row = 0; row < rows && poll.fault() == null; row++) {
        long start = row * keys.elements();
        poll.inPieces(
            keys.elements(),
            PIECE,
            (from, count) -> {
              stream.uniforms(start + from, tile, count, scratch);
              for (int j = 0; j < count; j++) {
                tile[j] = weights.at(start + from + j) / exponential(tile[j]);
              }
              Operand.of(keys).store(tile, from, 1, count);
              poll.mayContinue(4L * count);
            });
        boolean sorted = poll.fault() == null && order.sort(0);
        for (int k = 0; sorted && k < samples && poll.mayContinue(1); k++) {
          target.segment().setAtIndex(JAVA_LONG, row * samples + k, order.at(k));
        }
      }
      return poll.fault();
    }
  }

  /** As {@link #keep}, of one category of each row. */
  private static @Nullable Fault keepOne(
      CancellationPoll poll, RandomStream stream, Reals weights, long rows, DenseTensor target) {
    long categories = rows == 0 ? 0 : weights.size() / rows;
    double[] uniform = new double[(int) Math.min(categories, PIECE)];
    double[] weight = new double[uniform.length];
    RandomStream.Scratch scratch = RandomStream.scratch(uniform.length);
    for (long row = 0; row < rows && poll.fault() == null; row++) {
      double greatest = 0;
      long place = 0;
      for (long from = 0; from < categories && poll.fault() == null; from += uniform.length) {
        int count = (int) Math.min(uniform.length, categories - from);
        long start = row * categories + from;
        stream.uniforms(start, uniform, count, scratch);
        weights.load(start, count, weight);
        for (int j = 0; j < count; j++) {
          if (mayExceed(greatest, weight[j], uniform[j])) {
            double ratio = weight[j] / exponential(uniform[j]);
            if (ratio > greatest) {
              greatest = ratio;
              place = from + j;
            }
          }
        }
        poll.mayContinue(4L * count);
      }
      target.segment().setAtIndex(JAVA_LONG, row, place);
    }
    return poll.fault();
  }

  private static double exponential(double uniform) {
    return -StrictMath.log1p(-uniform - 0x1p-54);
  }

  /**
   * Whether the ratio of a weight to the {@link #exponential} of a number may be above another
   * ratio: not if that to the number itself is not, because a logarithm is farther from 0.
   */
  private static boolean mayExceed(double ratio, double weight, double uniform) {
    double least = ratio * uniform * (1 - 0x1p-50); // less what the logarithm may be rounded by
    return weight > least || least < Double.MIN_NORMAL;
  }

  /**
   * Writes the numbers 0 to n - 1 in random order (Fisher-Yates shuffle) into an int64 tensor
   * without gaps; returns the fault of a cancellation, or null.
   */
  static @Nullable Fault permute(CancellationPoll poll, RandomStream stream, DenseTensor target) {
    MemorySegment order = target.segment();
    poll.inPieces(
        target.elements(),
        (first, count) -> {
          for (long i = first; i < first + count; i++) {
            order.setAtIndex(JAVA_LONG, i, i);
          }
        });
    long[] bits = new long[(int) Math.min(target.elements(), PIECE)];
    RandomStream.Scratch scratch = RandomStream.scratch(bits.length);
    for (long end = target.elements(); end > 0 && poll.fault() == null; ) {
      long start = (end - 1) / PIECE * PIECE;
      stream.bits(start, bits, (int) (end - start), scratch);
      exchange(order, start, end, bits);
      poll.mayContinue(4L * (end - start));
      end = start;
    }
    return poll.fault();
  }

  private static void exchange(MemorySegment order, long start, long end, long[] bits) {
    for (long i = end - 1; i >= start; i--) {
      long other = Math.unsignedMultiplyHigh(bits[(int) (i - start)], i + 1);
      long swapped = order.getAtIndex(JAVA_LONG, i);
      order.setAtIndex(JAVA_LONG, i, order.getAtIndex(JAVA_LONG, other));
      order.setAtIndex(JAVA_LONG, other, swapped);
    }
  }
}
