package dev.staunch.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is made in a scope by somebody who may fail: all of it is given back then, at once (M4). It
 * is noted as it is made through {@link #scope}, or handed over to that, by any thread, until
 * {@link #keep} or {@link #giveBack} decides; the first of them counts.
 *
 * <p>Nothing is pinned: what became unreachable is reclaimed meanwhile, and what was closed or
 * handed over elsewhere is none of this any more. Thread-safe.
 */
public final class Making {
  private static final Life[] NONE = {};
  private static final int FIRST = 8;

  private enum State {
    OPEN,
    KEPT,
    GIVEN_BACK
  }

  private final ResourceScope handle;
  private final Members members;

  /** Whose part this is, if the scope was itself that of a making. */
  private final @Nullable Making outer;

  private State state = State.OPEN; // guarded by this, as what follows
  private Life[] lives = NONE;
  private int count;

  /** Releases the last of those noted, and so on; one that throws ends a run, as {@link Ending}. */
  private final class Return implements Runnable {
    private final Life[] noted;
    private int left;

    Return(Life[] noted, int left) {
      this.noted = noted;
      this.left = left;
    }

    @Override
    public void run() {
      while (left > 0) {
        end(noted[--left]);
      }
    }
  }

  private Making(ResourceScope scope) {
    this.handle = scope.handle(this);
    this.members = scope.account().members();
    this.outer = scope.making();
  }

  /** Begins to note what is made in {@code scope}, which may be that of another making. */
  public static Making in(ResourceScope scope) {
    return new Making(scope);
  }

  /**
   * A handle on the scope: the same account and the same members, which know only the scope itself.
   * Once this is kept, it is as good as that.
   */
  public ResourceScope scope() {
    return handle;
  }

  /** Leaves all that was made where it is. */
  public synchronized void keep() {
    if (state == State.OPEN) {
      state = State.KEPT;
      forget();
    }
  }

  /**
   * Closes all that was made and still belongs to the scope, even if one fails; what is made
   * through the handle from now on is closed at once.
   */
  public void giveBack() {
    ResourceScope.ROOM.require();
    Return rest = taken();
    Failures failures = new Failures();
    while (rest.left > 0) {
      failures.attempt(rest);
    }
    failures.throwIfAny();
  }

  private synchronized Return taken() {
    Return taken = new Return(lives, count);
    if (state == State.OPEN) {
      state = State.GIVEN_BACK;
      forget();
    }
    return taken;
  }

  private void forget() {
    lives = NONE;
    count = 0;
  }

  /** Takes a new member. */
  void note(Life life) {
    if (!add(life)) {
      end(life);
    }
    if (outer != null) {
      outer.note(life);
    }
  }

  /** False if it comes too late. */
  private synchronized boolean add(Life life) {
    if (state == State.OPEN && (count < lives.length || makeRoom())) {
      lives[count++] = life;
    }
    return state != State.GIVEN_BACK;
  }

  /** Forgets lives that are over. Without memory for more, the next stays until the scope ends. */
  private boolean makeRoom() {
    int open = 0;
    for (int i = 0; i < count; i++) {
      if (!lives[i].isOver()) {
        lives[open++] = lives[i];
      }
    }
    Arrays.fill(lives, open, count, null);
    count = open;
    if (open <= lives.length / 2 && open < lives.length) {
      return true;
    }
    try {
      lives = Arrays.copyOf(lives, Math.max(FIRST, lives.length * 2));
      return true;
    } catch (OutOfMemoryError e) {
      return count < lives.length;
    }
  }

  private void end(Life life) {
    if (members.end(life)) {
      life.part().release();
    }
  }
}
