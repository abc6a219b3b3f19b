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
 * <p>Whoever may touch what a scope owns, as a running kernel does, {@linkplain #hold holds} the
 * scope meanwhile; what is closed under it goes back afterwards.
 *
 * <p>Members may be closed earlier, or be handed to another scope by {@link #moveTo} and {@link
 * #moveOut}; a member that becomes unreachable is reclaimed although the scope is still open.
 * Closing is idempotent and releases every member even if one fails. Thread-safe.
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

  @SuppressWarnings("this-escape") // a phantom reference never gives its referent out
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

  /** As {@link #open(OffHeap, String)}, holding at most {@code budgetBytes}. */
  public static ResourceScope open(OffHeap memory, String name, long budgetBytes) {
    return opened(memory, name, positive(budgetBytes));
  }

  /** All scopes are below one that came this way, so the reaper is there before any resource. */
  private static ResourceScope opened(OffHeap memory, String name, long budgetBytes) {
    memory.core.startReaper();
    return new ResourceScope(memory, memory.account().child(name, budgetBytes));
  }

  /** A scope whose bytes count in this one's account too; its life is its own. */
  public ResourceScope child(String name) {
    return new ResourceScope(memory, account.child(name, Long.MAX_VALUE));
  }

  /**
   * As {@link #child(String)}, with a budget of its own: an allocation beyond it is refused and
   * harms nobody else. What is handed over to the scope counts, but is never refused.
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
   * Runs {@code body} in a scope of its own and closes that. The resources in the result (see
   * {@link #moveOut}) belong to nobody afterwards: the caller closes them, or the collector does.
   */
  public static <T extends @Nullable Object, E extends Exception> T using(
      OffHeap memory, String name, Body<T, E> body) throws E {
    try (ResourceScope scope = open(memory, name)) {
      return scope.moveOut(body.run(scope), null);
    }
  }

  /**
   * Runs {@code body} in a child of this scope and closes that. The resources in the result (see
   * {@link #moveOut}) belong to this scope afterwards.
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

  /** The fault to report if this was closed, naming it. */
  public Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "the scope " + name() + " was closed before this use");
  }

  /**
   * A storage of {@code bytes}, content undefined, with one reference that the caller owns and has
   * to release or to wrap in a tensor; or a {@link Fault} (out of memory, or the memory is closed)
   * in its place. That this scope is closed refuses nothing: the storage is charged here all the
   * same, and what wraps it is closed at once by {@link #own}.
   */
  public Object allocate(long bytes) {
    Attempts.ROOM.require();
    return core.allocate(bytes, account, null);
  }

  /**
   * As {@link #allocate(long)}; what takes long is given up once {@code asker} is cancelled or the
   * thread interrupted, within milliseconds. The fault that says so is then the result, this scope
   * is not charged, and an interrupt flag stays set.
   */
  public Object allocate(long bytes, Asker asker) {
    Attempts.ROOM.require();
    return core.allocate(bytes, account, Objects.requireNonNull(asker, "asker"));
  }

  /**
   * What {@code maker} makes of a new storage of {@code bytes}, content undefined, as a member of
   * this scope; or a {@link Fault} in its place, as with {@link #allocate(long, Asker)}. The
   * resource has the one reference to the storage.
   *
   * @param maker does nothing but wrap the storage; may be called again
   * @param asker who may give up while this waits; null for one who does not
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
   * The usual way: there is a free block, and credit for it, so the resource is charged and becomes
   * a member in one go; null, and nothing has happened, where anything is out of the ordinary.
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
          made.life.markOver(); // the reaper must not release what the pool has again
        }
        core.pool.give(block);
      } else if (core.collections.watchesHeld) {
        core.taken();
      }
    }
  }

  /**
   * The {@code length} bytes at {@code offset} of {@code whole} as a storage of their own, which
   * keeps that. If they are read-only, the first {@linkplain Storage#makeWritable write} to them is
   * to a copy, which is charged here, be this closed by then. Or a {@link Fault}: the storage is
   * gone, or has no such bytes.
   */
  public Object part(Storage whole, long offset, long length) {
    return StoragePart.of(whole, offset, length, this::allocate);
  }

  /**
   * {@code bytes}, which stay the caller's, as a storage, without copying them; they count nowhere.
   * They are only read: the first {@linkplain Storage#makeWritable write} is to a copy, as with
   * {@link #part}. Whoever may run kernels on them must be able to read them, so their arena is no
   * confined one; once it is closed, whoever touches them gets an {@link IllegalStateException}.
   */
  public Storage borrow(MemorySegment bytes) {
    return StoragePart.ofLent(bytes, this::allocate);
  }

  /**
   * The bytes {@code [offset, offset + length)} of a file as a read-only storage, or a {@link
   * Fault} that names the file. Mappings of one file share its pages, count as mapped and not in
   * any budget, and end with their last reference. {@code offset} must be a multiple of 64. A
   * thread that is interrupted maps nothing; the fault says so, and the flag stays set.
   */
  public Object map(Path file, long offset, long length) {
    return core.map(file, offset, length, true);
  }

  /**
   * As {@link #map(Path, long, long)}, of a file that is open for reading, whatever has its name by
   * now; {@code file} is what faults call it. The channel stays the caller's to close.
   */
  public Object map(FileChannel channel, Path file, long offset, long length) {
    return core.map(channel, file, offset, length);
  }

  /**
   * As {@link #map(Path, long, long)}, writable: a page that is written becomes this storage's own
   * (copy on write); the file never changes. Needs the right to write the file.
   */
  public Object mapPrivate(Path file, long offset, long length) {
    return core.map(file, offset, length, false);
  }

  /**
   * Makes {@code resource} a member; if this scope is closed already, it is closed at once. One
   * that was closed stays as it is.
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
   * What {@code maker} makes of one more reference to {@code storage}, as a member of this scope;
   * null if the storage is gone.
   *
   * @param maker does nothing but wrap the storage
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

  /** As {@link #own}, of a new one, for who asked for room before there was anything to lose. */
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
   * Hands {@code resource} over to {@code target}, its bytes included; a resource of no scope is
   * simply owned, a closed one stays as it is. Any thread may do so. The bytes of another {@link
   * OffHeap} are the exception: they go on counting where they were asked for.
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
        source.members.holds().releaseMember(storage); // who found it there is seen by now
      } else if (storage != null) {
        storage.release();
      }
    }
    if (late) {
      resource.life.endLate(account.members());
    }
  }

  /**
   * Hands what {@code value} holds over to {@code target}, or to nobody if that is null: each
   * resource of this scope in it, be it a resource, an array, an {@code Iterable}, a map or an
   * entry of one (keys and values), an {@code Optional}, a record or a {@link ResourceHolder},
   * however nested. Resources of other scopes stay where they are.
   *
   * @return {@code value}
   * @throws IllegalArgumentException if a record in it cannot be read; nothing has moved then, as
   *     also if a collection or holder in it throws
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
   * Takes {@code resource} out of its scope: the caller has to close it. If nobody does and it
   * becomes unreachable, it is reclaimed and counts as a leak.
   */
  public static void detach(Resource resource) {
    ResourceScope source = resource.scope();
    if (source != null) {
      place(resource, null, source.core.account());
    }
  }

  /**
   * Makes {@code who} a holder of this scope, until it {@linkplain Hold#end ends} that: the scope
   * may be closed meanwhile, and is so at once as far as anybody can see, but bytes go back when
   * those have left who were there then. So a kernel may touch what it makes here, whoever closes
   * the scope, and whether that can be reached or not. Null if the scope is closed already.
   */
  public @Nullable Hold hold(Holder who) {
    Hold hold = new Hold(who);
    return letIn(hold) ? hold : null;
  }

  /**
   * As {@link #hold}, for one who may use any member, as a request uses its model's weights: also a
   * member that is closed by itself, or moved elsewhere, keeps its bytes meanwhile.
   */
  public @Nullable Hold holdMembers(Holder who) {
    Hold hold =
        new Hold(who) {
          @Override
          protected boolean uses(Releasable part) {
            return true;
          }
        };
    return letIn(hold) ? hold : null;
  }

  /**
   * As {@link #hold}, for one who knows which members it uses: those that are {@linkplain #has
   * here} once this was true, until it ends its stay.
   *
   * @param hold a new one
   */
  public boolean letIn(Hold hold) {
    members.holds().begin(hold);
    if (members.isClosed()) {
      hold.end();
      return false;
    }
    return true;
  }

  /** Whether {@code resource} is open and a member just now. */
  public boolean has(Resource resource) {
    return resource.life.members == members && !resource.life.over;
  }

  /**
   * Closes all members, and gives back what they hold: before this returns, or when the last of
   * those who {@linkplain #hold hold} this scope has left.
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
