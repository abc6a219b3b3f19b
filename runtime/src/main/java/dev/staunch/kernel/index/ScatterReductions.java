package dev.staunch.kernel.index;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.index.InPlaceVariants.Target;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Temporaries;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Promotion;
import dev.staunch.kernel.operand.Scalars;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Combines elements with those at the positions that an index names. */
final class ScatterReductions {
  private ScatterReductions() {}

  /** How elements are combined; {@code MEAN} divides the sum by the count at the end. */
  private enum Kind {
    SUM,
    PROD,
    MEAN,
    AMAX,
    AMIN;

    double combine(double a, double b) {
      return switch (this) {
        case SUM, MEAN -> a + b;
        case PROD -> a * b;
        case AMAX -> Math.max(a, b);
        case AMIN -> Math.min(a, b);
      };
    }

    long combine(long a, long b) {
      return switch (this) {
        case SUM, MEAN -> a + b;
        case PROD -> a * b;
        case AMAX -> Math.max(a, b);
        case AMIN -> Math.min(a, b);
      };
    }
  }

  static void addTo(Catalog.Builder plain) {
    Catalog.Builder catalog =
        plain.withDTypes(DType.of(DType.Kind.BOOL, DType.Kind.INTEGRAL, DType.Kind.FLOATING));
    PlacingOperations.both(
        catalog,
        Target.ROW_MAJOR_COPY,
        "scatter_reduce",
        "two",
        "int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True",
        (steps, call, target) ->
            combined(call, target, call.value(3), kind(call.string(4)), call.bool(5)));
    for (String form : new String[] {"Tensor src", "Scalar value"}) {
      PlacingOperations.both(
          catalog,
          Target.ROW_MAJOR_COPY,
          "scatter",
          form.startsWith("Tensor") ? "reduce" : "value_reduce",
          "int dim, Tensor index, " + form + ", *, str reduce",
          (steps, call, target) ->
              combined(call, target, call.value(3), old(call.string(4)), true));
    }
  }

  private static Object kind(String name) {
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
        return kind;
      }
    }
    return Fault.value("`reduce` takes sum, prod, mean, amax or amin, but got '" + name + "'");
  }

  private static Object old(String name) {
    return switch (name) {
      case "add" -> Kind.SUM;
      case "multiply" -> Kind.PROD;
      default -> Fault.value("`reduce` takes add or multiply, but got '" + name + "'");
    };
  }

  private static Object combined(
      Call call, DenseTensor target, Object source, Object asked, boolean includesSelf) {
    if (!(asked instanceof Kind kind)) {
      return asked;
    }
    DenseTensor tensor = source instanceof DenseTensor given ? given : null;
    if (tensor != null && tensor.dtype() != target.dtype()) {
      return ScatterPositions.otherDType(target, tensor);
    }
    Fault fault = Promotion.unsupported("scatter", target.dtype());
    fault =
        source instanceof ComplexNumber ? Promotion.unsupported("scatter", DType.COMPLEX64) : fault;
    fault = fault == null ? OperandChecks.fits(source, target.dtype()) : fault;
    if (fault != null) {
      return fault;
    }
    if (kind == Kind.SUM && includesSelf && tensor != null) {
      return summed(call, target, tensor);
    }
    if (kind != Kind.MEAN && includesSelf) {
      return combined(call, target, call.tensor(2), null, kind, true);
    }
    try (Temporaries made = new Temporaries()) {
      Object counts =
          made.note(Filling.zeros(call, DType.INT32, Shape.of(target.layout().extent())));
      return counts instanceof DenseTensor zeros
          ? combined(call, target, call.tensor(2), zeros, kind, includesSelf)
          : counts;
    }
  }

  /** Adds all elements of the source, for a sum that needs no counts. */
  private static Object summed(Call call, DenseTensor target, DenseTensor source) {
    CancellationPoll poll = new CancellationPoll(call);
    Object positions =
        ScatterPositions.of(
            poll, "scatter", target, call.integer(1), call.tensor(2), source, /* ahead= */ true);
    if (!(positions instanceof ScatterPositions found)) {
      return positions;
    }
    Fault stop =
        ScatterOperations.move(
            call, poll, source, found.sources(), target, found.targets(), /* adds= */ true);
    return stop == null ? target : stop;
  }

  /**
   * Combines all elements of the source.
   *
   * @param counts how often each position of the storage was written; zeros at first, null if it
   *     does not matter
   */
  private static Object combined(
      Call call,
      DenseTensor target,
      DenseTensor index,
      @Nullable DenseTensor counts,
      Kind kind,
      boolean includesSelf) {
    DenseTensor tensor = call.value(3) instanceof DenseTensor given ? given : null;
    Source source = new Source(tensor, call.value(3));
    CancellationPoll poll = new CancellationPoll(call);
    Object positions =
        ScatterPositions.of(
            poll, "scatter", target, call.integer(1), index, tensor, /* ahead= */ true);
    if (!(positions instanceof ScatterPositions found)) {
      return positions;
    }
    boolean[] isFirst = new boolean[Integers.TILE];
    long[] from = new long[Integers.TILE];
    found
        .targets()
        .each((start, count, to) -> {
          found.sources().load(start, count, from);
          if (counts != null) {
            note(counts.segment(), to, count, isFirst, includesSelf);
          }
          if (target.dtype() == DType.FLOAT32 && tensor != null) {
            floats(target.segment(), to, tensor.segment(), from, count, kind, isFirst);
          } else if (target.dtype().isFloating()) {
            reals(target, to, source, from, count, kind, isFirst);
          } else {
            integers(target, to, source, from, count, kind, isFirst);
          }
        });
    if (kind == Kind.MEAN && counts != null) {
      divide(poll, target, counts, includesSelf ? 1 : 0);
    }
    return poll.fault() == null ? target : poll.fault();
  }

  /** The values to combine: the elements of a tensor, or one number for all. */
  private record Source(@Nullable DenseTensor tensor, Object number) {
    double real(long at) {
      return tensor == null
          ? Scalars.real(number)
          : Elements.asDouble(tensor.segment(), tensor.dtype(), at);
    }

    long integer(long at, DType dtype) {
      return tensor == null
          ? Scalars.integer(number, dtype)
          : Elements.asLong(tensor.segment(), tensor.dtype(), at);
    }
  }

  /** Counts the writes to each position; finds those before which self must not be read. */
  private static void note(
      MemorySegment counts, long[] to, int count, boolean[] isFirst, boolean includesSelf) {
    for (int i = 0; i < count; i++) {
      int before = counts.getAtIndex(JAVA_INT, to[i]);
      counts.setAtIndex(JAVA_INT, to[i], before + 1);
      isFirst[i] = before == 0 && !includesSelf;
    }
  }

  /** As {@link #reals}, for float32. */
  private static void floats(
      MemorySegment written,
      long[] to,
      MemorySegment read,
      long[] from,
      int count,
      Kind kind,
      boolean[] isFirst) {
    for (int i = 0; i < count; i++) {
      double value = read.getAtIndex(JAVA_FLOAT, from[i]);
      double before = written.getAtIndex(JAVA_FLOAT, to[i]);
      double result = isFirst[i] ? value : kind.combine(before, value);
      written.setAtIndex(JAVA_FLOAT, to[i], (float) result);
    }
  }

  private static void reals(
      DenseTensor target,
      long[] to,
      Source source,
      long[] from,
      int count,
      Kind kind,
      boolean[] isFirst) {
    DType dtype = target.dtype();
    MemorySegment written = target.segment();
    for (int i = 0; i < count; i++) {
      double value = source.real(from[i]);
      double before = Elements.asDouble(written, dtype, to[i]);
      Elements.putDouble(written, dtype, to[i], isFirst[i] ? value : kind.combine(before, value));
    }
  }

  private static void integers(
      DenseTensor target,
      long[] to,
      Source source,
      long[] from,
      int count,
      Kind kind,
      boolean[] isFirst) {
    DType dtype = target.dtype();
    MemorySegment written = target.segment();
    for (int i = 0; i < count; i++) {
      long value = source.integer(from[i], dtype);
      long before = Elements.asLong(written, dtype, to[i]);
      Elements.putLong(written, dtype, to[i], isFirst[i] ? value : kind.combine(before, value));
    }
  }

  private static void divide(
      CancellationPoll poll, DenseTensor target, DenseTensor counts, int more) {
    DType dtype = target.dtype();
    for (long at = 0; at < counts.elements() && poll.mayContinue(1); at++) {
      int written = counts.segment().getAtIndex(JAVA_INT, at);
      int count = written + more;
      if (written > 0 && dtype.isFloating()) {
        double sum = Elements.asDouble(target.segment(), dtype, at);
        Elements.putDouble(target.segment(), dtype, at, sum / count);
      } else if (written > 0) {
        long sum = Elements.asLong(target.segment(), dtype, at);
        Elements.putLong(target.segment(), dtype, at, Math.floorDiv(sum, (long) count));
      }
    }
  }
}
