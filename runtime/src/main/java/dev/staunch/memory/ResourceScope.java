package dev.staunch.memory;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Owns resources and closes them all when it closes: one per request, one per loaded model, or as a
 * program likes. Scopes are passed explicitly, never bound to a thread.
 *
 * <p>A user of a scope's resources, such as a running kernel, {@linkplain #hold holds} the scope
 * meanwhile. What is closed during a hold is released afterwards.
 *
 * <p>Members may be closed earlier, or moved to another scope by {@link #moveTo} and {@link
 * #moveOut}. A member that becomes unreachable is reclaimed even while the scope is open. Closing
 * is idempotent and releases every member even if one fails. Thread-safe.
 */
public final class ResourceScope implements AutoCloseable {
  /** Work in a scope whose result outlives it. */
  @FunctionalInterface
  public interface Body<T extends @Nullable Object, E extends Exception> {
    T run(ResourceScope scope) throws E;
  }

  private final OffHeap memory;
  final MemoryCore core;
  private final Account account;
  private final Members members;

  @SuppressWarnings("this-escape") // a phantom reference never returns its referent
  private ResourceScope(OffHeap memory, Account account) {
    this.memory = memory;
    this.core = memory.core;
    this.account = account;
    this.members = account.members();
    account.watch = new Account.Abandoned(this, account, core.queue);
  }

  public static ResourceScope open(OffHeap memory, String name) {
    return opened(memory, name, Long.MAX_VALUE);
  }

  /** As {@link #open(OffHeap, String)}, limited to {@code budgetBytes}. */
  public static ResourceScope open(OffHeap memory, String name, long budgetBytes) {
    return opened(memory, name, positive(budgetBytes));
  }

  /** Every scope is below one opened here, so the reaper runs before there is any resource. */
  private static ResourceScope opened(OffHeap memory, String name, long budgetBytes) {
    memory.core.startReaper();
    return new ResourceScope(memory, memory.account().child(name, budgetBytes));
  }

  /** A scope whose bytes also count in this one's account; its lifetime is its own. */
  public ResourceScope child(String name) {
    return new ResourceScope(memory, account.child(name, Long.MAX_VALUE));
  }

  /**
   * As {@link #child(String)}, with a budget of its own: an allocation beyond it is refused without
   * affecting other scopes. Resources moved into the scope count, but are never refused.
   */
  public ResourceScope child(String name, long budgetBytes) {
    return new ResourceScope(memory, account.child(name, positive(budgetBytes)));
  }

  private static long positive(long budgetBytes) {
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException(
          "`budgetBytes` must be positive, but it is " + budgetBytes);
    }
    return budgetBytes;
  }

  /**
   * Runs {@code body} in a scope of its own and closes that scope. The resources in the result (see
   * {@link #moveOut}) belong to no scope afterwards: the caller closes them, or the collector does.
   */
  public static <T extends @Nullable Object, E extends Exception> T using(
      OffHeap memory, String name, Body<T, E> body) throws E {
    try (ResourceScope scope = open(memory, name)) {
      return scope.moveOut(body.run(scope), null);
    }
  }

  /**
   * Runs {@code body} in a child of this scope and closes the child. The resources in the result
   * (see {@link #moveOut}) belong to this scope afterwards.
   */
  public <T extends @Nullable Object, E extends Exception> T using(String name, Body<T, E> body)
      throws E {
    try (ResourceScope scope = child(name)) {
      return scope.moveOut(body.run(scope), this);
    }
  }

  public String name() {
    return account.name();
  }

  public Account account() {
    return account;
  }

  public OffHeap memory() {
    return memory;
  }

  public boolean isClosed() {
    return members.isClosed();
  }

  /** The fault to report if this scope was closed, naming it. */
  public Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the scope " + name() + " was closed before this use");
  }

  /**
   * A storage of {@code bytes} with undefined content and one reference, which the caller owns and
   * has to release or to wrap in a tensor; or a {@link Fault} instead (out of memory, or the memory
   * is closed). A closed scope does not refuse: the storage is still charged here, and {@link #own}
   * closes what wraps it at once.
   */
  public Object allocate(long bytes) {
    Attempts.ROOM.require();
    return core.allocate(bytes, account, null);
  }

  /**
   * As {@link #allocate(long)}, but a slow allocation is given up within milliseconds once {@code
   * asker} is cancelled or the thread is interrupted. The result is then the fault that says so,
   * this scope is not charged, and an interrupt flag stays set.
   */
  public Object allocate(long bytes, Asker asker) {
    Attempts.ROOM.require();
    return core.allocate(bytes, account, Objects.requireNonNull(asker, "asker"));
  }

  /**
   * Allocates a storage of {@code bytes} with undefined content and returns what {@code maker}
   * creates from it, as a member of this scope; or a {@link Fault} instead, as with {@link
   * #allocate(long, Asker)}. The resource has the only reference to the storage.
   *
   * @param maker only wraps the storage; may be called again
   * @param asker may give up while this waits; null if the caller never does
   */
  public Object allocate(
      long bytes, @Nullable Asker asker, Function<Storage, ? extends Resource> maker) {
    Attempts.ROOM.require();
    Resource made = madeAtOnce(bytes, maker);
    if (made != null) {
      return made;
    }
    Object allocated = core.allocate(bytes, account, asker);
    if (!(allocated instanceof Storage fresh)) {
      return allocated;
    }
    try {
      made = maker.apply(fresh);
    } catch (OutOfMemoryError e) { // of the heap
      fresh.release();
      throw e;
    }
    return joined(made);
  }

  /**
   * The usual path: there is a free block, and credit for it, so the resource is charged and
   * becomes a member in one step. Null, without effect, if anything is out of the ordinary.
   */
  private @Nullable Resource madeAtOnce(long bytes, Function<Storage, ? extends Resource> maker) {
    boolean usual = !core.leaks.isOn && !core.closed && members.spare >= bytes;
    Block block = usual ? core.pool.takeSmall(bytes) : null;
    if (block == null) {
      return null;
    }
    boolean admitted = false;
    Resource made = null;
    try {
      made = maker.apply(block.storage(bytes, account));
      made.setScope(this);
      admitted = members.enter(bytes, made.life, true);
      return admitted ? made : null;
    } finally {
      if (!admitted) {
        if (made != null) {
          made.life.markOver(); // the reaper must not release what the pool has back
        }
        core.pool.give(block);
      } else if (core.collections.watchesHeld) {
        core.taken();
      }
    }
  }

  /**
   * The {@code length} bytes at {@code offset} of {@code whole}, as a storage of their own that
   * keeps {@code whole} alive. If the bytes are read-only, the first {@linkplain
   * Storage#makeWritable write} copies them; the copy is charged to this scope, even if it is
   * closed by then. Returns a {@link Fault} if the storage is gone, or has no such bytes.
   */
  public Object part(Storage whole, long offset, long length) {
    return StoragePart.of(whole, offset, length, this::allocate);
  }

  /**
   * Wraps {@code bytes}, which stay the caller's, in a storage without copying them; they are not
   * counted. They are only read: the first {@linkplain Storage#makeWritable write} copies them, as
   * with {@link #part}. Every thread that may run kernels on them must be able to read them, so
   * their arena must not be a confined one. Once it is closed, an access throws an {@link
   * IllegalStateException}.
   */
  public Storage borrow(MemorySegment bytes) {
    return StoragePart.ofLent(bytes, this::allocate);
  }

  /**
   * The bytes {@code [offset, offset + length)} of a file as a read-only storage, or a {@link
   * Fault} that names the file. Mappings of one file share its pages, count as mapped and against
   * no budget, and end with their last reference. {@code offset} must be a multiple of 64. An
   * interrupted thread maps nothing: the fault says so, and the interrupt flag stays set.
   */
  public Object map(Path file, long offset, long length) {
    return core.map(file, offset, length);
  }

  /**
   * As {@link #map(Path, long, long)}, for a file that is open for reading, whatever file has its
   * name by now; {@code file} is its name in faults. The channel stays the caller's to close.
   */
  public Object map(FileChannel channel, Path file, long offset, long length) {
    return core.map(channel, file, offset, length);
  }

  /**
   * Makes {@code resource} a member; if this scope is already closed, {@code resource} is closed at
   * once. A closed resource stays as it is.
   */
  public <R extends Resource> R own(R resource) {
    Attempts.ROOM.require();
    if (!resource.life.isNew()) {
      moveTo(this, resource);
      return resource;
    }
    return joined(resource);
  }

  /**
   * Adds a reference to {@code storage} and returns what {@code maker} creates from it, as a member
   * of this scope; null if the storage is gone.
   *
   * @param maker only wraps the storage
   */
  public <R extends Resource> @Nullable R share(Storage storage, Function<Storage, R> maker) {
    Attempts.ROOM.require();
    if (!storage.retain()) {
      return null;
    }
    R made;
    try {
      made = maker.apply(storage);
    } catch (OutOfMemoryError e) { // of the heap
      storage.release();
      throw e;
    }
    return joined(made);
  }

  /**
   * As {@link #own}, for a new resource, when the caller checked for stack room before there was
   * anything to lose.
   */
  private <R extends Resource> R joined(R resource) {
    Life life = resource.life;
    resource.setScope(this);
    if (core.leaks.isOn) {
      life.creation = core.leaks.creation(resource::describe, resource.getClass(), account.name());
    }
    if (!members.enter(0, life, true)) {
      life.markEndedByScope();
      life.endLate(members);
    }
    return resource;
  }

  /**
   * Moves {@code resource} to {@code target}, including its bytes. A resource of no scope is simply
   * owned, and a closed one stays as it is. Any thread may do so. The bytes of another {@link
   * OffHeap} are the exception: they remain counted where they were allocated.
   */
  public static void moveTo(ResourceScope target, Resource resource) {
    place(resource, target, target.account);
  }

  /**
   * Makes {@code resource} a member of {@code home}, or of no scope, and charges its bytes there.
   */
  private static void place(Resource resource, @Nullable ResourceScope home, Account account) {
    Attempts.ROOM.require();
    boolean late;
    ResourceScope source;
    synchronized (resource.life) { // one mover at a time; closers do not take this lock
      source = resource.scope();
      if (resource.isClosed() || (source == home && resource.life.members != null)) {
        return;
      }
      Storage storage = resource.life.part() instanceof Storage it && it.retain() ? it : null;
      if (storage != null) {
        storage.transfer(source == null ? account.root() : source.account, account);
      }
      Creation creation = resource.life.creation;
      if (home != null && creation != null) {
        resource.life.creation = creation.handedTo(home.name());
      }
      resource.setScope(home);
      late = !account.members().adopt(resource.life);
      if (storage != null && source != null) {
        source.members.holds().releaseMember(storage); // holders that found it are visible by now
      } else if (storage != null) {
        storage.release();
      }
    }
    if (late) {
      resource.life.endLate(account.members());
    }
  }

  /**
   * Moves the resources of this scope that {@code value} holds to {@code target}, or to no scope if
   * that is null. {@code value} may be a resource, an array, an {@code Iterable}, a map or a map
   * entry (keys and values), an {@code Optional}, a record or a {@link ResourceHolder}, however
   * nested. Resources of other scopes stay where they are.
   *
   * @return {@code value}
   * @throws IllegalArgumentException if a record in it cannot be read; nothing has moved then, nor
   *     if a collection or holder in it throws
   */
  public <T extends @Nullable Object> T moveOut(T value, @Nullable ResourceScope target) {
    for (Resource resource : ResourceWalk.resourcesIn(value)) {
      if (resource.scope() == this) {
        if (target == null) {
          detach(resource);
        } else {
          moveTo(target, resource);
        }
      }
    }
    return value;
  }

  /**
   * Removes {@code resource} from its scope: the caller has to close it. If it becomes unreachable
   * without being closed, it is reclaimed and counts as a leak.
   */
  public static void detach(Resource resource) {
    ResourceScope source = resource.scope();
    if (source != null) {
      place(resource, null, source.core.account());
    }
  }

  /**
   * Makes {@code who} a holder of this scope until it {@linkplain Hold#end ends} the hold. The
   * scope may be closed meanwhile, and is then closed at once as far as callers can see. Its bytes
   * are released only when the holders of that moment have left. So a kernel may use what it
   * creates here even if the scope is closed or becomes unreachable. Null if the scope is already
   * closed.
   */
  public @Nullable Hold hold(Holder who) {
    Hold hold = new Hold(who);
    return admit(hold) ? hold : null;
  }

  /**
   * As {@link #hold}, for a holder that uses no unreachable member but those that are created
   * during its stay: to earlier ones it refers, or it has references to their storages. An earlier
   * member that becomes unreachable does not wait for this holder, which may be the one that asks
   * for its bytes.
   */
  public @Nullable Hold holdNewMembers(Holder who) {
    Hold hold = new Hold(who, true);
    return admit(hold) ? hold : null;
  }

  /**
   * As {@link #hold}, for a holder that may use any member, as a request uses its model's weights:
   * a member that is closed individually, or moved elsewhere, also keeps its bytes meanwhile.
   */
  public @Nullable Hold holdMembers(Holder who) {
    Hold hold =
        new Hold(who) {
          @Override
          protected boolean uses(Releasable part) {
            return true;
          }
        };
    return admit(hold) ? hold : null;
  }

  /**
   * As {@link #hold}, for a holder that knows which members it uses. If this returns true, they are
   * those that are {@linkplain #contains here} from then on, until the holder ends its hold.
   *
   * @param hold a new one
   */
  public boolean admit(Hold hold) {
    hold.since = members.entries;
    members.holds().begin(hold);
    if (members.isClosed()) {
      hold.end();
      return false;
    }
    return true;
  }

  /** Whether {@code resource} is open and a member at this moment. */
  public boolean contains(Resource resource) {
    return resource.life.members == members && !resource.life.over;
  }

  /**
   * Closes all members, and releases what they hold: before this returns, or when the last of the
   * current {@linkplain #hold holders} of this scope has left.
   */
  @Override
  public void close() {
    Attempts.ROOM.require();
    Members.Ending ending = members.close();
    int count = ending.count();
    try {
      members.holds().release(ending);
    } finally {
      members.awaitReaper();
      if (!account.isRetired()) {
        FlightEvents.scopeClosed(account, count);
        account.retire();
      }
    }
  }

  @Override
  public String toString() {
    return "scope " + account;
  }
}
