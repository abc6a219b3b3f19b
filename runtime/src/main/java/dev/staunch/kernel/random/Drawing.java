package dev.staunch.kernel.random;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Generator;
import dev.staunch.kernel.RandomStream;
import dev.staunch.kernel.loop.DenseStrides;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills tensors with random numbers: the element at row-major position i gets the stream's i-th.
 */
final class Drawing {
  /** A random number costs as much as this many other elements. */
  private static final long COST = 4;

  private Drawing() {}

  /** The next stream of the generator at argument {@code i}, or of the environment's. */
  static RandomStream stream(Call call, int i) {
    boolean own = i >= 0 && call.value(i) instanceof Generator;
    return own ? ((Generator) call.value(i)).next() : call.environment().random();
  }

  /** Adds an operation that returns a new tensor; {@code form} is its form, or a fault. */
  static void add(
      Catalog.Builder catalog,
      String schema,
      Inference form,
      int generatorAt,
      Function<Operands, Distribution> wanted) {
    catalog
        .withInference(operands -> drawn(form.infer(operands), wanted.apply(operands)))
        .one(
            "aten::" + schema,
            call -> {
              Object found = form.infer(call);
              Object made =
                  found instanceof TensorForm known ? DenseStrides.allocate(call, known) : found;
              return filled(call, made, generatorAt, wanted.apply(call));
            });
  }

  private static Object drawn(Object form, Distribution distribution) {
    Object draw = form instanceof TensorForm known ? distribution.draw(known.dtype()) : form;
    return draw instanceof Fault ? draw : form;
  }

  /** The form of the result of {@link #written}. */
  static Object form(Operands operands, Distribution distribution) {
    Object draw = distribution.draw(operands.dtype(0));
    Fault fault = draw instanceof Fault wrong ? wrong : OperandChecks.writable(operands.layout(0));
    return fault == null ? new TensorForm(operands.dtype(0), operands.layout(0)) : fault;
  }

  /**
   * Fills {@code made}, or returns its fault; takes the stream once everything has been checked.
   */
  static Object filled(Call call, Object made, int generatorAt, Distribution distribution) {
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Object draw = distribution.draw(target.dtype());
    Fault fault = draw instanceof Fault wrong ? wrong : null;
    fault = fault == null ? fill(call, target, stream(call, generatorAt), (Draw) draw) : fault;
    return CancellationPoll.finished(target, fault);
  }

  /** Overwrites the call's first argument; returns a view of it, or a fault. */
  static Object written(Call call, int generatorAt, Distribution distribution) {
    DenseTensor self = call.tensor(0);
    Object draw = distribution.draw(self.dtype());
    Fault fault = draw instanceof Fault wrong ? wrong : OperandChecks.writable(self.layout());
    fault = fault == null ? fill(call, self, stream(call, generatorAt), (Draw) draw) : fault;
    return fault == null ? Views.same(call, self) : fault;
  }

  /** Fills the tensor; returns the fault of a cancellation, or null. */
  private static @Nullable Fault fill(
      Call call, DenseTensor target, RandomStream stream, Draw draw) {
    Places places = Places.of(target.layout());
    CancellationPoll poll = new CancellationPoll(call);
    Operand into = Operand.of(target);
    long total = target.elements();
    for (long first = 0; first < total && poll.fault() == null; ) {
      int count = tile(places, first, total);
      draw.store(stream, first, into, places.at(first), places.step(), count);
      first += count;
      poll.mayContinue(COST * count);
    }
    return poll.fault();
  }

  /** The number of elements of one row to process together. */
  private static int tile(Places places, long first, long total) {
    return (int) Math.min(Draw.TILE, Math.min(total - first, places.leftInRow(first)));
  }

  /**
   * Checks all elements of a real tensor. Returns null if all satisfy {@code demand}, else {@code
   * otherwise}; or the fault of a cancellation.
   */
  static @Nullable Fault unlessAll(
      Call call, DenseTensor tensor, DoublePredicate demand, Fault otherwise) {
    Places places = Places.of(tensor.layout());
    CancellationPoll poll = new CancellationPoll(call);
    Operand from = Operand.of(tensor);
    double[] tile = new double[Draw.TILE];
    long total = tensor.elements();
    for (long first = 0; first < total; ) {
      int count = tile(places, first, total);
      from.load(tile, places.at(first), places.step(), count);
      for (int i = 0; i < count; i++) {
        if (!demand.test(tile[i])) {
          return otherwise;
        }
      }
      first += count;
      if (!poll.mayContinue(count)) {
        return poll.fault();
      }
    }
    return null;
  }
}
