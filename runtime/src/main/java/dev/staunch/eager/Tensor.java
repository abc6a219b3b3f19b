package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.ArrayText;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;

/**
 * The user's handle on a tensor: a value or a {@link Fault}. Operations return handles and never
 * throw; reading ({@link #floats()}, {@link #shape()}, {@link #value()}) is the edge, where a fault
 * becomes its typed exception, at every read (F1, F3).
 *
 * <p>A tensor belongs to the context it was made in, which closes it at the latest. Handles are
 * immutable; in-place operations write the elements that all views of a storage share.
 */
public final class Tensor
    implements AutoCloseable,
        Index,
        ActivationFunctions,
        Arithmetic,
        Comparisons,
        Conversions,
        InPlace,
        Indexing,
        Layers,
        LinearAlgebra,
        MathFunctions,
        RandomFills,
        Reading,
        Reductions,
        Shaping,
        Sorting {
  private final Context context;
  private final Object content;

  Tensor(Context context, Object content) {
    this.context = context;
    this.content = content;
  }

  @Override
  public Context context() {
    return context;
  }

  /** The concrete tensor. @throws StaunchException the tensor's fault, or that it was closed */
  @Override
  public DenseTensor value() {
    if (content instanceof Fault fault) {
      throw fault.toException();
    }
    DenseTensor tensor = (DenseTensor) content;
    if (tensor.isClosed()) {
      throw tensor.closedFault().toException();
    }
    return tensor;
  }

  /** The tensor's fault, or null; looking does not clear it. */
  @Override
  public @org.jspecify.annotations.Nullable Fault fault() {
    return content instanceof Fault fault ? fault : null;
  }

  @Override
  public Shape shape() {
    return value().shape();
  }

  @Override
  public DType dtype() {
    return value().dtype();
  }

  Object content() {
    return content;
  }

  /** Gives the memory back now; views and results of operations stay. Idempotent, any thread. */
  @Override
  public void close() {
    if (content instanceof DenseTensor tensor) {
      tensor.close();
    }
  }

  /** The elements as NumPy prints them, dtype and shape; or the fault; never throws. */
  @Override
  public String toString() {
    if (content instanceof DenseTensor tensor && !tensor.isClosed()) {
      return ArrayText.described(tensor);
    }
    return content instanceof Fault fault ? "Tensor(" + fault + ")" : "Tensor(closed)";
  }
}
