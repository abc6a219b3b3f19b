package dev.staunch.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The bytes that an {@link Account} counts and that a {@link Storage} holds (M1, M4, M5). */
public final class Bytes {
  private static final OffHeap MEMORY = OffHeap.withBudget(1L << 30);

  private Bytes() {}

  private static int taken(Account account, long bytes) {
    return account.take(bytes) == null ? 1 : 0;
  }

  /** Two requests want bytes; the budget has enough for one. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 60", "0, 1, 60"},
      expect = ACCEPTABLE,
      desc = "one gets it")
  @State
  public static class RoomForOne {
    private final Account root = Account.root("root", 100);
    private final Account one = root.child("one", Long.MAX_VALUE);
    private final Account other = root.child("other", Long.MAX_VALUE);

    @Actor
    public void one(III_Result r) {
      r.r1 = taken(one, 60);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = taken(other, 60);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = (int) root.bytes();
    }
  }

  /**
   * Two requests want bytes, and ask for some credit beyond them; the budget has enough for both.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "both get it, all comes back")
  @State
  public static class RoomForBoth {
    private static final long EACH = 1000;
    private final MemoryCore core = new MemoryCore(MemoryOptions.withBudget(2 * EACH));
    private final Account one = warm("one");
    private final Account other = warm("other");

    /** An account that asks for credit from now on. */
    private Account warm(String name) {
      Account account = core.account().child(name, Long.MAX_VALUE);
      account.take(10);
      account.take(10);
      account.give(20);
      core.account().callInCredit();
      return account;
    }

    private int allocated(Account owner) {
      Account refused = owner.take(EACH);
      return refused == null || core.limit.makeRoom(EACH, owner, refused, null) == null ? 1 : 0;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = allocated(one);
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = allocated(other);
    }

    @Arbiter
    public void after(III_Result r) {
      one.give(r.r1 * EACH);
      other.give(r.r2 * EACH);
      r.r3 = (int) core.account().bytes();
    }
  }

  /** Bytes are given back while their scope closes and its credit is called in. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "nothing held, nothing out, nothing listed")
  @State
  public static class GivenAsTheScopeCloses {
    private final Account root = Account.root("root", 1 << 20);
    private final Account child = root.child("child", Long.MAX_VALUE);

    public GivenAsTheScopeCloses() {
      taken(child, 10);
      taken(child, 10);
    }

    @Actor
    public void give() {
      child.give(20);
    }

    @Actor
    public void close() {
      child.retire();
    }

    @Actor
    public void callIn() {
      root.callInCredit();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = (int) root.bytes();
      r.r2 = (int) root.granted();
      r.r3 = root.children().isEmpty() ? 1 : 0;
    }
  }

  /** Holds its storage and nothing else. */
  private static final class Holding extends Resource {
    Holding(ResourceScope home, Storage storage) {
      super(home, storage);
    }

    @Override
    public String describe() {
      return "a storage";
    }
  }

  /** A resource and its storage are made in one step while their scope closes. */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "nothing held, nothing listed, it is closed")
  @State
  public static class MadeAsTheScopeCloses {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private @Nullable Resource made;

    public MadeAsTheScopeCloses() {
      scope.account().take(10);
      scope.account().take(10);
      scope.account().give(20); // it has credit from now on
    }

    @Actor
    public void make() {
      made = (Resource) scope.allocate(16, null, storage -> new Holding(scope, storage));
    }

    @Actor
    public void close() {
      scope.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = (int) scope.account().bytes();
      r.r2 = scope.account().members().isEmpty() ? 1 : 0;
      r.r3 = made != null && made.isClosed() ? 1 : 0;
    }
  }

  /** A resource that was made that way is closed by hand, in one step, while its scope closes. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "nothing held, nothing out, nothing listed")
  @State
  public static class ClosedAsTheScopeCloses {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Resource made;

    public ClosedAsTheScopeCloses() {
      scope.account().take(10);
      scope.account().take(10);
      scope.account().give(20);
      made = (Resource) scope.allocate(16, null, storage -> new Holding(scope, storage));
    }

    @Actor
    public void closeOne() {
      made.close();
    }

    @Actor
    public void close() {
      scope.close();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = (int) scope.account().bytes();
      r.r2 = (int) scope.account().granted();
      r.r3 = scope.account().members().isEmpty() ? 1 : 0;
    }
  }

  /** A scope is opened in one that is closing, used and closed. */
  @JCStressTest
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "nothing held, nothing out, nothing listed")
  @State
  public static class OpenedAsItsParentCloses {
    private final Account root = Account.root("root", 1 << 20);
    private final Account parent = root.child("parent", Long.MAX_VALUE);

    @Actor
    public void open() {
      Account child = parent.child("child", Long.MAX_VALUE);
      taken(child, 10);
      taken(child, 10);
      child.give(20);
      child.retire();
    }

    @Actor
    public void close() {
      parent.retire();
    }

    @Actor
    public void callIn() {
      root.callInCredit();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = (int) root.bytes();
      r.r2 = (int) root.granted();
      r.r3 = root.children().isEmpty() ? 1 : 0;
    }
  }

  /** Bytes are charged to another account while others come and go and credit is called in. */
  @JCStressTest
  @Outcome(id = "50, 50", expect = ACCEPTABLE, desc = "the bytes moved, to the byte")
  @State
  public static class Transferred {
    private final Account root = Account.root("root", 1 << 20);
    private final Account from = root.child("from", Long.MAX_VALUE);
    private final Account to = root.child("to", 10);

    public Transferred() {
      taken(from, 50);
    }

    @Actor
    public void transfer() {
      from.transfer(50, to);
    }

    @Actor
    public void comeAndGo() {
      taken(from, 30);
      from.give(30);
    }

    @Actor
    public void callIn() {
      root.callInCredit();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = (int) to.bytes();
      r.r2 = (int) root.bytes();
    }
  }

  /** A view is made while the last reference is released. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0", "0, 0, 0"},
      expect = ACCEPTABLE,
      desc = "the view holds the bytes, or there is none; then all is given back")
  @State
  public static class RetainedAsItIsReleased {
    private final ResourceScope scope = ResourceScope.open(MEMORY, "scope");
    private final Storage storage = (Storage) scope.allocate(64);

    @Actor
    public void view(III_Result r) {
      if (storage.retain()) {
        r.r1 = storage.isAlive() ? 1 : -1;
        storage.release();
      }
    }

    @Actor
    public void release() {
      storage.release();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = storage.references();
      r.r3 = (int) scope.account().bytes();
      scope.close();
    }
  }

  /** A storage is charged to another scope while it is released. */
  @JCStressTest
  @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "nobody is charged any more")
  @State
  public static class ChargedElsewhereAsItIsReleased {
    private final Account root = Account.root("root", 1 << 20);
    private final Account from = root.child("from", Long.MAX_VALUE);
    private final Account to = root.child("to", Long.MAX_VALUE);
    private final Storage storage;

    public ChargedElsewhereAsItIsReleased() {
      taken(from, 64);
      storage = new Storage(MemorySegment.ofArray(new byte[64]), givenOutAs -> {}, 1, from);
    }

    @Actor
    public void transfer() {
      storage.transfer(from, to);
    }

    @Actor
    public void release() {
      storage.release();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = (int) from.bytes();
      r.r2 = (int) to.bytes();
      r.r3 = (int) root.bytes();
    }
  }
}
