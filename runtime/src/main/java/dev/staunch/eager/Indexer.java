package dev.staunch.eager;

import static dev.staunch.eager.operators.Arguments.code;
import static dev.staunch.eager.operators.Arguments.longs;
import static dev.staunch.operation.None.NONE;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies a list of indices to one tensor, from left to right, each to the view that the ones
 * before produced. Tensors are collected for one operation at the end. Intermediate views are
 * closed.
 */
final class Indexer {
  private final Tensor origin;
  private Tensor view;
  private long dim;
  private final List<Object> picks = new ArrayList<>();
  private final List<Long> backwards = new ArrayList<>();
  private final List<Tensor> widened = new ArrayList<>();
  private boolean picking;

  /**
   * Whether no operation has yet checked that the last whole slice has a dimension to stand for.
   */
  private boolean unseen;

  private @Nullable Fault fault;

  private Indexer(Tensor origin) {
    this.origin = origin;
    this.view = origin;
  }

  static Tensor get(Tensor tensor, Index... indices) {
    return new Indexer(tensor).walked(indices).done(Indexer::read);
  }

  static Tensor set(Tensor tensor, Tensor value, Index... indices) {
    return new Indexer(tensor).walked(indices).done(it -> it.write(value));
  }

  /** As {@link #set(Tensor, Tensor, Index...)}, with one number of {@code dtype} everywhere. */
  static Tensor set(Tensor tensor, Number value, DType dtype, Index... indices) {
    Tensor single = tensor.apply("aten::scalar_tensor", value, code(dtype), NONE, NONE, NONE);
    Tensor result = set(tensor, single, indices);
    single.close();
    return result;
  }

  private Indexer walked(Index... indices) {
    for (int i = 0; i < indices.length && fault == null; i++) {
      switch (indices[i]) {
        case Index.At(long index) -> move(view.select(dim, index));
        case Slice slice -> slice(slice);
        case Tensor tensor -> pick(tensor);
        case Index.Mark mark when mark == Index.Mark.NEW_AXIS -> {
          move(view.unsqueeze(dim));
          pass(1);
        }
        case Index.Mark mark -> ellipsis(indices, i);
      }
    }
    if (fault == null && unseen) {
      move(view.apply("aten::slice.Tensor", view, dim - 1, NONE, NONE, 1L));
    }
    return this;
  }

  private Tensor done(Function<Indexer, Tensor> use) {
    Tensor result = use.apply(this);
    widened.forEach(Tensor::close);
    return result;
  }

  /**
   * Goes on even with a failed view: whether the failure is known by now depends on the schedule.
   */
  private void move(Tensor next) {
    drop();
    view = next;
    unseen = false;
  }

  private void drop() {
    if (view != origin) {
      view.close();
    }
  }

  /** Moves past {@code count} dimensions that stay as they are. */
  private void pass(long count) {
    for (long i = 0; i < count; i++) {
      picks.add(NONE);
    }
    dim += count;
  }

  private void slice(Slice slice) {
    Slice forwards = slice;
    if (slice.step() < 0) {
      DenseTensor known = known(view);
      if (known == null) {
        return;
      }
      if (dim >= known.shape().rank()) {
        move(view.apply("aten::slice.Tensor", view, dim, NONE, NONE, 1L));
        return;
      }
      forwards = slice.reversed(known.shape().size((int) dim));
      backwards.add(dim);
    }
    boolean whole = forwards.start() == null && forwards.end() == null && forwards.step() == 1;
    Object start = forwards.start() == null ? NONE : forwards.start();
    Object end = forwards.end() == null ? NONE : forwards.end();
    if (!whole) {
      move(view.apply("aten::slice.Tensor", view, dim, start, end, forwards.step()));
    }
    unseen = whole;
    pass(1);
  }

  private void pick(Tensor index) {
    DenseTensor known = known(index);
    if (known == null) {
      return;
    }
    if (isSingle(known)) {
      move(view.select(dim, index.itemLong()));
      return;
    }
    picking = true;
    Tensor picked = dimensions(known) == 0 ? widened(index) : index;
    picks.add(picked);
    dim += Math.max(1, dimensions(known));
  }

  /** A mask without dimensions stands for a new one, which its single element keeps or empties. */
  private Tensor widened(Tensor mask) {
    move(view.unsqueeze(dim));
    Tensor row = mask.unsqueeze(0);
    widened.add(row);
    return row;
  }

  /** Whether a tensor stands for a single index: an integer without dimensions. */
  private static boolean isSingle(DenseTensor index) {
    return index.shape().rank() == 0
        && index.dtype().kind() == DType.Kind.INTEGRAL
        && !isMask(index);
  }

  /** PyTorch's first masks were uint8. */
  private static boolean isMask(DenseTensor index) {
    return index.dtype() == DType.BOOL || index.dtype() == DType.UINT8;
  }

  private static long dimensions(DenseTensor index) {
    return isMask(index) ? index.shape().rank() : 1;
  }

  private void ellipsis(Index[] indices, int at) {
    long named = 0;
    for (int i = at + 1; i < indices.length && fault == null; i++) {
      named += dimensions(indices[i]);
    }
    DenseTensor known = fault == null ? known(view) : null;
    if (known != null) {
      pass(Math.max(0, known.shape().rank() - dim - named));
    }
  }

  private long dimensions(Index index) {
    return switch (index) {
      case Index.At _, Slice _ -> 1;
      case Index.Mark mark -> {
        if (mark == Index.Mark.ELLIPSIS) {
          fault =
              Fault.index(
                  "an index takes one ellipsis at most, for the dimensions that it does not name");
        }
        yield 0;
      }
      case Tensor tensor -> {
        DenseTensor known = known(tensor);
        yield known == null ? 0 : dimensions(known);
      }
    };
  }

  /**
   * The concrete tensor, for its shape and dtype, once available; null on failure, with the fault
   * kept.
   */
  private @Nullable DenseTensor known(Tensor tensor) {
    Tensor alias = tensor.apply("aten::alias", tensor);
    Fault found = alias.peekFault();
    alias.close();
    fault = found == null ? fault : found;
    return found == null && alias.content() instanceof DenseTensor dense ? dense : null;
  }

  private Tensor read() {
    if (fault != null) {
      return failed(fault);
    }
    if (!backwards.isEmpty()) {
      move(view.apply("aten::flip", view, backwards()));
    }
    if (picking && fault == null) {
      move(view.apply("aten::index.Tensor", view, picks));
    }
    return view == origin ? origin.apply("aten::alias", origin) : view;
  }

  private List<Object> backwards() {
    return longs(backwards.stream().mapToLong(Long::longValue).toArray());
  }

  private Tensor write(Tensor given) {
    if (fault == null && picking && !backwards.isEmpty()) {
      fault =
          Fault.unsupported(
              "an index that is written takes tensors or backward slices, not both; `flip` the"
                  + " value");
    }
    if (fault != null) {
      drop();
      return origin.context().fail(origin, fault);
    }
    Tensor value =
        LeadingOnes.isWithout(given) ? given : origin.context().call(LeadingOnes.DROPPING, given);
    if (picking) {
      put(value);
    } else {
      copy(value);
    }
    if (value != given) {
      value.close();
    }
    if (view != origin && !(view.content() instanceof DenseTensor)) {
      origin.context().engineContext().push(new LostView(origin, view));
    }
    drop();
    return origin;
  }

  private void put(Tensor value) {
    Tensor cast = value.apply("aten::type_as", value, view);
    view.applyInPlace("aten::index_put_", view, picks, cast, false);
    cast.close();
  }

  private void copy(Tensor value) {
    if (backwards.isEmpty()) {
      view.copy_(value);
      return;
    }
    Tensor wide = value.expandAs(view);
    Tensor turned = wide.apply("aten::flip", wide, backwards());
    view.copy_(turned);
    turned.close();
    wide.close();
  }

  /** A failed view stays a view, to which no write can give memory of its own. */
  private Tensor failed(Fault found) {
    if (view != origin && view.ownFault() != null) {
      return view;
    }
    drop();
    return origin.context().wrap(found);
  }
}
