package dev.staunch.tensor;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.memory.Asker;
import dev.staunch.memory.Resource;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A concrete tensor: a storage, a layout over it and a dtype. Each tensor holds one reference to
 * its storage. Views share the storage and hold references of their own, so closing one tensor
 * never affects another.
 *
 * <p>A tensor is created in a {@link ResourceScope}, which closes it at the latest. Only kernels
 * that fill a new tensor and in-place operations write to it; nothing here orders concurrent
 * writers.
 */
public final class DenseTensor extends Resource {
  private final Storage storage;
  private final Layout layout;
  private final Shape shape;
  private final DType dtype;
  private final boolean contiguous;
  private final boolean requiresGrad;

  /** Whether this tensor and its views are read-only, whatever their storage allows. */
  private final boolean lent;

  private final @Nullable DenseTensor base;

  private @Nullable String name;

  private DenseTensor(
      ResourceScope scope,
      Storage storage,
      Layout layout,
      DType dtype,
      boolean requiresGrad,
      boolean lent,
      @Nullable DenseTensor base) {
    super(scope, storage);
    this.storage = storage;
    this.layout = layout;
    this.shape = layout.shape();
    this.dtype = dtype;
    this.contiguous = layout.isContiguous();
    this.requiresGrad = requiresGrad;
    this.lent = lent;
    this.base = base;
  }

  /**
   * A new row-major tensor with undefined content, owned by {@code scope}; or a {@link Fault}
   * instead (out of memory, or more elements than a long can count).
   */
  public static Object allocate(ResourceScope scope, DType dtype, Shape shape) {
    return allocate(scope, dtype, Layout.contiguous(shape));
  }

  /** As {@link #allocate(ResourceScope, DType, Shape)}; the layout starts at 0, without gaps. */
  public static Object allocate(ResourceScope scope, DType dtype, Layout layout) {
    return allocate(scope, dtype, layout, null);
  }

  /**
   * As {@link #allocate(ResourceScope, DType, Layout)}, for an {@code asker} that may give up
   * before a large tensor is ready; its fault is then the result.
   */
  public static Object allocate(
      ResourceScope scope, DType dtype, Layout layout, @Nullable Asker asker) {
    long bytes;
    try {
      bytes = Math.multiplyExact(layout.shape().elements(), (long) dtype.bytes());
    } catch (ArithmeticException e) {
      return Fault.of(
          FaultType.OUT_OF_MEMORY,
          "a tensor of shape " + layout.shape() + " exceeds the address space");
    }
    return scope.allocate(
        bytes,
        asker,
        storage -> new DenseTensor(scope, storage, layout, dtype, false, false, null));
  }

  /**
   * A tensor over {@code storage}, with a reference of its own; or a fault if the storage is gone
   * or {@code layout} reaches outside it.
   */
  public static Object over(ResourceScope scope, Storage storage, Layout layout, DType dtype) {
    return over(scope, storage, layout, dtype, false, false, null);
  }

  private static Object over(
      ResourceScope scope,
      Storage storage,
      Layout layout,
      DType dtype,
      boolean requiresGrad,
      boolean lent,
      @Nullable DenseTensor base) {
    long extent;
    try {
      extent = Math.multiplyExact(layout.extent(), (long) dtype.bytes());
    } catch (ArithmeticException e) {
      extent = Long.MAX_VALUE;
    }
    if (extent > storage.byteSize()) {
      return Fault.value(
          Message.of(
              "a view of shape %s with strides %s reaches outside its storage of %d bytes",
              layout.shape(), Arrays.toString(layout.strides()), storage.byteSize()));
    }
    DenseTensor made =
        scope.share(
            storage, it -> new DenseTensor(scope, it, layout, dtype, requiresGrad, lent, base));
    return made == null
        ? Fault.of(FaultType.CLOSED, "the tensor was closed while it was being viewed")
        : made;
  }

  /** This tensor's elements under another layout; the same storage, owned by {@code scope}. */
  public Object view(ResourceScope scope, Layout other) {
    return view(scope, other, dtype, requiresGrad);
  }

  /** As {@link #view(ResourceScope, Layout)}, with its bytes as elements of {@code as}. */
  public Object view(ResourceScope scope, Layout other, DType as, boolean grad) {
    if (isClosed()) {
      return closedFault();
    }
    DenseTensor root = base == null ? this : base;
    Object view = over(scope, storage, other, as, grad, lent, root);
    return view instanceof Fault fault && fault.type() == FaultType.CLOSED ? closedFault() : view;
  }

  /**
   * The tensor that this is a view of, which is itself not a view; null if this is not a view. It
   * may be closed while this tensor keeps its bytes.
   */
  public @Nullable DenseTensor base() {
    return base;
  }

  /**
   * A tensor with the same elements and the gradient flag set to {@code flag}; this tensor does not
   * change.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public DenseTensor requiringGrad(ResourceScope scope, boolean flag) {
    return again(scope, flag, lent);
  }

  /**
   * A read-only tensor with the same elements: neither it nor its views can be written. It keeps
   * the name.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public DenseTensor lentTo(ResourceScope scope) {
    DenseTensor reading = again(scope, requiresGrad, true);
    reading.name = name;
    return reading;
  }

  /**
   * The inverse of {@link #lentTo}: turns a lent tensor, or a view of one, back into an ordinary
   * tensor.
   */
  public DenseTensor givenBack(ResourceScope scope) {
    return again(scope, requiresGrad, false);
  }

  /** Whether this tensor is read-only; see {@link #lentTo}. */
  public boolean isLent() {
    return lent;
  }

  private DenseTensor again(ResourceScope scope, boolean grad, boolean reading) {
    DenseTensor made =
        scope.share(storage, it -> new DenseTensor(scope, it, layout, dtype, grad, reading, base));
    if (made == null) {
      throw closedFault().toException();
    }
    return made;
  }

  public Storage storage() {
    return storage;
  }

  public Layout layout() {
    return layout;
  }

  public Shape shape() {
    return shape;
  }

  public DType dtype() {
    return dtype;
  }

  public boolean requiresGrad() {
    return requiresGrad;
  }

  public int rank() {
    return shape.rank();
  }

  public long elements() {
    return shape.elements();
  }

  public boolean isContiguous() {
    return contiguous;
  }

  /**
   * Whether this covers all elements of the storage, in any order, so that writing it leaves none
   * unchanged.
   */
  public boolean isWhole() {
    return layout.covers(storage.byteSize() / dtype.bytes())
        && storage.byteSize() % dtype.bytes() == 0;
  }

  /**
   * Whether this is all there is of its memory, and nothing but its elements distinguishes it from
   * a new tensor: no other tensor shares the memory, and it is neither named nor lent nor part of a
   * gradient.
   */
  public boolean isExclusive() {
    return !requiresGrad
        && !lent
        && base == null
        && name == null
        && storage.isExclusive(shape.elements() * dtype.bytes());
  }

  /** Whether {@code other} is this very object, not one of the same content. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  public boolean is(@org.jspecify.annotations.Nullable Object other) {
    return this == other;
  }

  /**
   * The bytes of the whole storage; element {@code i} lies at {@code i * dtype().bytes()}.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone, so that no
   *     caller gets another tensor's
   */
  public MemorySegment segment() {
    MemorySegment bytes = storage.segmentIfAlive();
    if (bytes == null) {
      throw closedFault().toException();
    }
    return lent ? bytes.asReadOnly() : bytes;
  }

  /**
   * Call this before an in-place write: bytes of a mapped file become this storage's own. Returns
   * the fault that forbids writing, if any.
   */
  public @Nullable Fault makeWritable() {
    return lent ? Fault.internal(describe() + " is only lent, to be read") : storage.makeWritable();
  }

  /**
   * Retains the storage for a running operation. Returns true if this tensor is open; its bytes
   * then stay until {@link #release}, even if it is closed meanwhile.
   */
  public boolean retain() {
    if (!storage.retain()) {
      return false;
    }
    if (isClosed()) {
      storage.release();
      return false;
    }
    return true;
  }

  /** Ends a {@link #retain} that returned true. */
  public void release() {
    storage.release();
  }

  /** Sets this tensor's name for messages and leak reports; returns this. */
  public DenseTensor named(String newName) {
    name = newName;
    return this;
  }

  /** The name given, if any. */
  public @Nullable String name() {
    return name;
  }

  /**
   * The fault to report if this tensor was closed, naming it and the scope that closed it, if one
   * did.
   */
  public Fault closedFault() {
    return closedFault(describe());
  }

  /** As {@link #closedFault()}, for a caller that knows where this tensor was created. */
  public Fault closedFault(SourceLocation made) {
    return closedFault(describe() + " made at " + made);
  }

  private Fault closedFault(String what) {
    ResourceScope closer = closedBy();
    String by = closer == null ? "" : "by scope " + closer.name() + " ";
    return Fault.of(
        FaultType.CLOSED, "the tensor " + what + " was closed " + by + "before this use");
  }

  /**
   * The name of this tensor in messages: {@code float32[3, 15]}, preceded by its own name if it has
   * one.
   */
  @Override
  public String describe() {
    String form = dtype + shape.toString();
    return name == null ? form : name + " " + form;
  }

  @Override
  public String toString() {
    return describe();
  }
}
