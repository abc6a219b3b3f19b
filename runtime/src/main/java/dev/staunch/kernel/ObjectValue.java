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
public sealed class ObjectValue implements ResourceHolder {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private final ClassLayout layout;
  private final @Nullable Object[] slots;
  private final @Nullable ResourceScope home;

  /** An object that lives no longer than the request that made it. */
  public ObjectValue(ClassLayout layout) {
    this(layout, null);
  }

  /**
   * @param home owns the tensors of an object that outlives requests, such as a loaded module; null
   *     for an object of one request
   */
  public ObjectValue(ClassLayout layout, @Nullable ResourceScope home) {
    this.layout = layout;
    this.slots = new Object[layout.slots().size()];
    this.home = home;
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
    return SLOT.getAcquire(slots, index);
  }

  public void set(int index, Object value) {
    SLOT.setRelease(slots, index, value);
  }

  /**
   * This object as somebody sees it who may only read it: its values are as {@code lend} gives
   * them, and setting one throws.
   */
  public ObjectValue lent(UnaryOperator<Object> lend) {
    return new Lent(this, lend);
  }

  private static final class Lent extends ObjectValue {
    private final ObjectValue original;
    private final UnaryOperator<Object> lend;

    Lent(ObjectValue original, UnaryOperator<Object> lend) {
      super(original.layout, original.home);
      this.original = original;
      this.lend = lend;
    }

    @Override
    public @Nullable Object get(int index) {
      Object value = original.get(index);
      return value == null ? null : lend.apply(value);
    }

    @Override
    public void set(int index, Object value) {
      throw new UnsupportedOperationException(this + " is only lent, to be read");
    }

    @Override
    public Iterable<?> held() {
      return List.of();
    }
  }

  @Override
  public Iterable<?> held() {
    return Arrays.stream(slots).filter(Objects::nonNull).toList();
  }

  @Override
  public String toString() {
    return layout.name();
  }
}
