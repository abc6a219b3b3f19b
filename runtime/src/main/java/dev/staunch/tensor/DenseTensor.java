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
 * its storage; views share the storage and hold references of their own, so closing one never harms
 * another.
 *
 * <p>Made in a {@link ResourceScope}, which closes it at the latest. Writing is for the kernels
 * that fill a new tensor and for in-place operations; nothing here orders concurrent writers.
 */
public final class DenseTensor extends Resource {
  private final Storage storage;
  private final Layout layout;
  private final Shape shape;
  private final DType dtype;
  private final boolean contiguous;
  private final boolean requiresGrad;

  /** Whether this and its views are only to be read, whatever their storage allows. */
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
   * A new row-major tensor with undefined content, owned by {@code scope}; or a {@link Fault} in
   * its place (out of memory, or a size beyond what a long can count).
   */
  public static Object allocate(ResourceScope scope, DType dtype, Shape shape) {
    return allocate(scope, dtype, Layout.contiguous(shape));
  }

  /** As {@link #allocate(ResourceScope, DType, Shape)}; the layout starts at 0, without gaps. */
  public static Object allocate(ResourceScope scope, DType dtype, Layout layout) {
    return allocate(scope, dtype, layout, null);
  }

  /**
   * As {@link #allocate(ResourceScope, DType, Layout)}, for an {@code asker} who may give up before
   * a large tensor is there: its fault is then in the tensor's place.
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
   * A tensor over {@code storage}, which gets one more reference; or a fault if the storage is gone
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

  /** This tensor's elements under another layout; same storage, in {@code scope}. */
  public Object view(ResourceScope scope, Layout other) {
    return view(scope, other, dtype, requiresGrad);
  }

  /** As {@link #view(ResourceScope, Layout)}, its bytes as elements of {@code as}. */
  public Object view(ResourceScope scope, Layout other, DType as, boolean grad) {
    if (isClosed()) {
      return closedFault();
    }
    DenseTensor root = base == null ? this : base;
    Object view = over(scope, storage, other, as, grad, lent, root);
    return view instanceof Fault fault && fault.type() == FaultType.CLOSED ? closedFault() : view;
  }

  /**
   * The tensor that this is a view of, itself a view of none; null if this is none. It may be
   * closed, while this keeps its bytes.
   */
  public @Nullable DenseTensor base() {
    return base;
  }

  /**
   * The same elements, with the gradient flag set as asked; this tensor is left as it is.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public DenseTensor requiringGrad(ResourceScope scope, boolean flag) {
    return again(scope, flag, lent);
  }

  /**
   * The same elements for somebody who is only to read them: neither this nor its views can be
   * written. The name goes with them.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone
   */
  public DenseTensor lentTo(ResourceScope scope) {
    DenseTensor reading = again(scope, requiresGrad, true);
    reading.name = name;
    return reading;
  }

  /** As {@link #lentTo}, the other way round: what is lent, or a view of it, as it was before. */
  public DenseTensor givenBack(ResourceScope scope) {
    return again(scope, requiresGrad, false);
  }

  /** Whether this can only be read; see {@link #lentTo}. */
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

  /** Whether these are all elements of the storage, in whatever order: writing them leaves none. */
  public boolean isWhole() {
    return layout.covers(storage.byteSize() / dtype.bytes())
        && storage.byteSize() % dtype.bytes() == 0;
  }

  /**
   * Whether this is all there is of its memory, and nothing but its elements tells it from a new
   * tensor: no other tensor has any of it, and it is neither named, lent nor part of a gradient.
   */
  public boolean isSole() {
    return !requiresGrad
        && !lent
        && base == null
        && name == null
        && storage.isSole(shape.elements() * dtype.bytes());
  }

  /** Whether {@code other} is this very tensor, not one of the same content. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  public boolean is(@org.jspecify.annotations.Nullable Object other) {
    return this == other;
  }

  /**
   * The bytes of the whole storage; element {@code i} lies at {@code i * dtype().bytes()}.
   *
   * @throws dev.staunch.fault.StaunchException.ClosedException if the bytes are gone, so that
   *     nobody gets another tensor's
   */
  public MemorySegment segment() {
    MemorySegment bytes = storage.segmentIfAlive();
    if (bytes == null) {
      throw closedFault().toException();
    }
    return lent ? bytes.asReadOnly() : bytes;
  }

  /**
   * To be asked before an in-place write: bytes of a mapped file become this storage's own. Returns
   * the fault that forbids writing, if any.
   */
  public @Nullable Fault makeWritable() {
    return lent ? Fault.internal(describe() + " is only lent, to be read") : storage.makeWritable();
  }

  /**
   * Holds the storage for an operation in flight: true if this tensor is open, and then its bytes
   * stay until {@link #letGo}, whoever closes it meanwhile.
   */
  public boolean hold() {
    if (!storage.retain()) {
      return false;
    }
    if (isClosed()) {
      storage.release();
      return false;
    }
    return true;
  }

  /** Ends a {@link #hold} that was granted. */
  public void letGo() {
    storage.release();
  }

  /** Gives this tensor a name for messages and leak reports; returns this. */
  public DenseTensor named(String newName) {
    name = newName;
    return this;
  }

  /** The name given, if any. */
  public @Nullable String name() {
    return name;
  }

  /** The fault to report if this was closed, naming it and the scope that did it, if one did. */
  public Fault closedFault() {
    return closedFault(describe());
  }

  /** As {@link #closedFault()}, for one who knows where this was made. */
  public Fault closedFault(SourceLocation made) {
    return closedFault(describe() + " made at " + made);
  }

  private Fault closedFault(String what) {
    ResourceScope closer = closedBy();
    String by = closer == null ? "" : "by scope " + closer.name() + " ";
    return Fault.of(
        FaultType.CLOSED, "the tensor " + what + " was closed " + by + "before this use");
  }

  /** {@code float32[3, 15]}, after a name if it has one: how messages name a tensor. */
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
