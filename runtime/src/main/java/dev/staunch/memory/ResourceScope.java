package dev.staunch.memory;

import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Owns resources and closes them all when it closes (M3): one per request, one per loaded model, or
 * as a program likes. Scopes are passed explicitly, never bound to a thread.
 *
 * <p>Members may be closed earlier; {@link #moveTo} hands one over to another scope. Closing is
 * idempotent and releases every member even if one fails. Thread-safe.
 */
public final class ResourceScope implements AutoCloseable {
  private final OffHeap memory;
  private final Account account;
  private @Nullable Resource first;
  private boolean closed;

  private ResourceScope(OffHeap memory, Account account) {
    this.memory = memory;
    this.account = account;
  }

  public static ResourceScope open(OffHeap memory, String name) {
    return new ResourceScope(memory, memory.account().child(name));
  }

  /** A scope whose bytes count in this one's account too; its life is its own. */
  public ResourceScope child(String name) {
    return new ResourceScope(memory, account.child(name));
  }

  public Account account() {
    return account;
  }

  public OffHeap memory() {
    return memory;
  }

  /**
   * A storage of {@code bytes}, content undefined, with one reference that the caller owns; or a
   * {@link Fault} (out of memory, closed) in its place.
   */
  public Object allocate(long bytes) {
    return memory.allocate(bytes, account);
  }

  /** Makes {@code resource} a member; if this scope is closed already, it is closed at once. */
  public <R extends Resource> R own(R resource) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        link(resource);
      }
    }
    if (late) {
      resource.close();
    }
    return resource;
  }

  /** Hands {@code resource} over to {@code target}; a resource of no scope is simply owned. */
  public static void moveTo(ResourceScope target, Resource resource) {
    ResourceScope source = resource.scope;
    if (source == target) {
      return;
    }
    if (source != null) {
      source.forget(resource);
    }
    if (!resource.isClosed()) {
      target.own(resource);
    }
  }

  /** Takes {@code resource} out of its scope; the caller then has to close it. */
  public static void detach(Resource resource) {
    ResourceScope source = resource.scope;
    if (source != null) {
      source.forget(resource);
    }
  }

  private void link(Resource resource) {
    resource.scope = this;
    resource.previous = null;
    resource.next = first;
    if (first != null) {
      first.previous = resource;
    }
    first = resource;
  }

  synchronized void forget(Resource resource) {
    if (resource.scope != this) {
      return;
    }
    if (resource.previous == null) {
      first = resource.next;
    } else {
      resource.previous.next = resource.next;
    }
    if (resource.next != null) {
      resource.next.previous = resource.previous;
    }
    resource.scope = null;
    resource.previous = null;
    resource.next = null;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    RuntimeException failure = null;
    for (Resource member = head(); member != null; member = head()) {
      try {
        member.close();
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
      forget(member);
    }
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized @Nullable Resource head() {
    return first;
  }
}
