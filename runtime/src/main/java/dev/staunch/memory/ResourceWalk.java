package dev.staunch.memory;

import dev.staunch.fault.Message;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the resources in a value, each once, whatever holds it; values may contain themselves. Uses
 * no recursion, so any depth is fine.
 */
final class ResourceWalk {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> waiting = new ArrayDeque<>();
  private final List<Resource> found = new ArrayList<>();

  private ResourceWalk() {}

  static List<Resource> resourcesIn(@Nullable Object value) {
    if (value instanceof Resource resource) {
      return List.of(resource);
    }
    ResourceWalk walk = new ResourceWalk();
    walk.reach(value);
    for (Object next = walk.waiting.poll(); next != null; next = walk.waiting.poll()) {
      walk.open(next);
    }
    return walk.found;
  }

  private void reach(@Nullable Object value) {
    if (value != null && couldHold(value.getClass()) && seen.add(value)) {
      waiting.add(value);
    }
  }

  private void open(Object value) {
    switch (value) {
      case Resource resource -> found.add(resource);
      case ResourceHolder holder -> holder.held().forEach(this::reach);
      case Object[] array -> {
        for (Object element : array) {
          reach(element);
        }
      }
      case Map<?, ?> map ->
          map.forEach((key, element) -> {
            reach(key);
            reach(element);
          });
      case Map.Entry<?, ?> entry -> {
        reach(entry.getKey());
        reach(entry.getValue());
      }
      case Optional<?> optional -> optional.ifPresent(this::reach);
      case Path ignored -> {} // iterates over paths without end
      case Iterable<?> elements -> elements.forEach(this::reach);
      default -> {}
    }
    if (value instanceof Record made && !(value instanceof ResourceHolder)) {
      components(made); // in addition to its contents as a map, an entry or an iterable
    }
  }

  private void components(Record made) {
    for (RecordComponent component : made.getClass().getRecordComponents()) {
      if (couldHold(component.getType())) {
        reach(read(made, component.getAccessor()));
      }
    }
  }

  private static @Nullable Object read(Record made, Method accessor) {
    try {
      if (!accessor.canAccess(made) && !accessor.trySetAccessible()) {
        throw unreadable(made, null);
      }
      return accessor.invoke(made);
    } catch (IllegalAccessException e) {
      throw unreadable(made, e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          Message.of(
              "the record %s cannot be searched for tensors, for its accessor %s threw an exception",
              made.getClass().getName(), accessor.getName()),
          e.getCause());
    }
  }

  private static IllegalArgumentException unreadable(Record made, @Nullable Exception cause) {
    String name = made.getClass().getName();
    return new IllegalArgumentException(
        "the record "
            + name
            + " cannot be searched for tensors; make it public in an exported package, open its"
            + " package, or let it implement ResourceHolder",
        cause);
  }

  /**
   * False for a type that certainly holds no resource, so that the value need not be remembered.
   */
  private static boolean couldHold(Class<?> type) {
    return !type.isPrimitive()
        && !type.isEnum()
        && type != String.class
        && !Number.class.isAssignableFrom(type)
        && type != Boolean.class
        && type != Character.class
        && !(type.isArray() && type.getComponentType().isPrimitive());
  }
}
