package dev.staunch.kernel;

import dev.staunch.memory.ResourceHolder;
import dev.staunch.memory.ResourceScope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An object of a script class: a module of a loaded model, or an object that a script made. Shared
 * by reference. When one thread sets a slot, other threads see the new value, fully constructed.
 */
public final class ObjectValue implements ResourceHolder {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private final ClassLayout layout;
  private final @Nullable Object[] slots;
  private final @Nullable ResourceScope home;

  /** What a reader gets instead of a value; null for an object that may be written. */
  private final @Nullable UnaryOperator<Object> lend;

  /** An object that lives no longer than the request that made it. */
  public ObjectValue(ClassLayout layout) {
    this(layout, null);
  }

  /**
   * @param home owns the tensors of an object that outlives requests, such as a loaded module; null
   *     for an object of one request
   */
  public ObjectValue(ClassLayout layout, @Nullable ResourceScope home) {
    this(layout, home, new Object[layout.slots().size()], null);
  }

  private ObjectValue(
      ClassLayout layout,
      @Nullable ResourceScope home,
      @Nullable Object[] slots,
      @Nullable UnaryOperator<Object> lend) {
    this.layout = layout;
    this.home = home;
    this.slots = slots;
    this.lend = lend;
  }

  /** The scope that owns what this holds; null if it belongs to one request. */
  public @Nullable ResourceScope home() {
    return home;
  }

  public ClassLayout layout() {
    return layout;
  }

  /** The value in slot {@code index}, or null if it was never set. */
  public @Nullable Object get(int index) {
    Object value = SLOT.getAcquire(slots, index);
    return value == null || lend == null ? value : lend.apply(value);
  }

  public void set(int index, Object value) {
    if (lend != null) {
      throw new UnsupportedOperationException(this + " is only lent, to be read");
    }
    SLOT.setRelease(slots, index, value);
  }

  /**
   * This object as somebody sees it who may only read it: its values are as {@code lend} gives
   * them, and setting one throws.
   */
  public ObjectValue lent(UnaryOperator<Object> lend) {
    return new ObjectValue(layout, home, slots, lend);
  }

  @Override
  public Iterable<?> held() {
    return lend == null ? Arrays.stream(slots).filter(Objects::nonNull).toList() : List.of();
  }

  @Override
  public String toString() {
    return layout.name();
  }
}
