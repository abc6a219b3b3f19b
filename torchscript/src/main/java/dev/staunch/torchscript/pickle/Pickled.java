package dev.staunch.torchscript.pickle;

import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value in a pickle. An object, list or dict that occurs twice is the same Java object, so
 * sharing is preserved.
 */
public sealed interface Pickled {
  enum None implements Pickled {
    NONE
  }

  record Bool(boolean value) implements Pickled {}

  record Int(long value) implements Pickled {}

  record Real(double value) implements Pickled {}

  record Complex(double re, double im) implements Pickled {}

  record Text(String value) implements Pickled {}

  record Device(String name) implements Pickled {}

  record Tuple(List<Pickled> items) implements Pickled {
    public Tuple {
      items = List.copyOf(items);
    }
  }

  /** A list. */
  final class Sequence implements Pickled {
    public final List<Pickled> items = new ArrayList<>();
  }

  /** A dict, in order. */
  final class Mapping implements Pickled {
    public final List<Pickled> keys = new ArrayList<>();
    public final List<Pickled> values = new ArrayList<>();
  }

  /** An object of a script class, with its pickled state. */
  final class Instance implements Pickled {
    private final String className;
    @Nullable Pickled state;

    Instance(String className) {
      this.className = className;
    }

    public String className() {
      return className;
    }

    /**
     * A {@link Mapping} of attributes, or whatever {@code __getstate__} returned; null if there is
     * none.
     */
    public @Nullable Pickled state() {
      return state;
    }
  }

  /** A member of an enum, by its value. */
  record EnumMember(String className, Pickled value) implements Pickled {}

  /**
   * A storage: the record {@code data/KEY} or {@code constants/KEY}.
   *
   * @param isPacked whether two elements share a byte of the record, the first in its lower half
   */
  record StorageRef(String key, DType dtype, long elements, boolean isPacked) implements Pickled {}

  /** A tensor over a storage; tensors with the same key share their elements. */
  record TensorRef(StorageRef storage, Layout layout, boolean requiresGrad) implements Pickled {}

  /** A sparse tensor in coordinate format. */
  record SparseRef(TensorRef indices, TensorRef values, Shape shape) implements Pickled {}

  /** A quantised tensor with one scale for all elements. */
  record QuantizedRef(TensorRef codes, double scale, long zeroPoint) implements Pickled {}

  /** A quantised tensor with a scale for each index of dimension {@code axis}. */
  record QuantizedChannelsRef(TensorRef codes, TensorRef scales, TensorRef zeroPoints, long axis)
      implements Pickled {}

  /** A tensor of a kind that cannot be loaded yet, such as one in blocks. */
  record Unsupported(String what) implements Pickled {}
}
