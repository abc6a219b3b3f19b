package dev.staunch.engine;

import dev.staunch.fault.Fault;
import dev.staunch.fault.jvm.StackRoom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one place where every throwable of a kernel, a callback or a user's function becomes a fault,
 * {@code OutOfMemoryError} and {@code StackOverflowError} included.
 */
public final class Guard {
  /**
   * Stack room for everything between taking turns and giving them back, except tasks and hooks.
   */
  static final StackRoom ROOM = StackRoom.of(16 << 10);

  /** Stack room for giving turns back, so that whoever had {@link #ROOM} to take one has this. */
  static final StackRoom ROOM_TO_END = StackRoom.of(8 << 10);

  private Guard() {}

  /**
   * Work on one argument; created once and used for every call, so that guarding allocates nothing.
   */
  @FunctionalInterface
  public interface Work<A> {
    Object run(A argument);
  }

  /**
   * Returns if there is enough stack to begin what must be ended, such as a turn that others wait
   * for.
   *
   * @throws StackOverflowError if there is not
   */
  public static void requireRoom() {
    ROOM.require();
  }

  /** What {@code work} returns, or a {@link Fault} for what it throws. */
  public static <A> Object attempt(Work<? super A> work, A argument) {
    try {
      return work.run(argument);
    } catch (Throwable thrown) {
      return told(thrown);
    }
  }

  /** The fault of what {@code work} throws; null if it throws nothing. */
  public static <A> @Nullable Fault run(Consumer<? super A> work, A argument) {
    try {
      work.accept(argument);
      return null;
    } catch (Throwable thrown) {
      return told(thrown);
    }
  }

  /** The fault of {@code thrown}, whose own methods may throw as well. */
  private static Fault told(Throwable thrown) {
    try {
      return Fault.thrown(thrown).rethrown();
    } catch (Throwable again) {
      String name = thrown.getClass().getName();
      return Fault.internal("the code that ran threw " + name + ", whose message cannot be had")
          .withCause(new IllegalStateException(name));
    }
  }
}
