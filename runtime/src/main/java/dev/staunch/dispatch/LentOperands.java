package dev.staunch.dispatch;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operands of one call as a user's kernel sees them. What the schema does not mark as written
 * is read-only, so that a kernel that writes it fails at that point (S3). Results are checked for
 * memory of operands that the schema does not declare as shared.
 */
final class LentOperands {
  private final CatalogEntry operation;
  private final Object[] originals;
  private final Object[] lent;

  /** Maps each replacement of a tensor, list, dict or object back to the original. */
  private final Map<Object, Object> owners = new IdentityHashMap<>();

  /** What the kernel may write, and the elements of lists in it: they stay what they are. */
  private final Set<Object> given = Collections.newSetFromMap(new IdentityHashMap<>(0));

  /** The replacements of lists, dicts and objects, which may be inside themselves. */
  private final Map<Object, Object> containers = new IdentityHashMap<>(0);

  /**
   * @param scope owns what the kernel sees; closed when its results are there
   */
  LentOperands(CatalogEntry operation, Object[] arguments, ResourceScope scope) {
    this.operation = operation;
    this.originals = arguments;
    this.lent = arguments.clone();
    for (int i = 0; i < arguments.length; i++) {
      if (!operation.effects().writes(i)) {
        lent[i] = lend(arguments[i], scope);
      } else {
        given.add(arguments[i]);
        if (arguments[i] instanceof List<?> list) {
          given.addAll(list);
        }
      }
    }
  }

  /** What the kernel gets. */
  Object[] arguments() {
    return lent;
  }

  /** The originals that the kernel got, so that it may have put something into them. */
  List<Object> kept() {
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < lent.length; i++) {
      if (!owners.containsKey(lent[i])) {
        kept.add(lent[i]);
      }
    }
    return kept;
  }

  /**
   * Synchronized, because what an object holds is lent when any thread of the kernel asks for it.
   */
  private synchronized Object lend(Object value, ResourceScope scope) {
    Object known = containers.get(value);
    if (known != null) {
      return known;
    }
    @Nullable Object reading =
        switch (value) {
          case DenseTensor tensor -> tensor.lentTo(scope);
          case List<?> list -> {
            List<Object> elements = new ArrayList<>(list.size());
            List<Object> lent = Collections.unmodifiableList(elements);
            containers.put(list, lent);
            list.forEach(element -> elements.add(lend(element, scope)));
            yield lent;
          }
          case Map<?, ?> map -> {
            Map<Object, Object> entries = new LinkedHashMap<>();
            Map<Object, Object> lent = Collections.unmodifiableMap(entries);
            containers.put(map, lent);
            map.forEach((key, entry) -> entries.put(key, lend(entry, scope)));
            yield lent;
          }
          case ObjectValue object -> {
            ObjectValue lent = object.lent(held -> lend(held, scope));
            containers.put(object, lent);
            yield lent;
          }
          case TupleValue tuple ->
              new TupleValue(
                  tuple.elements().stream().map(element -> lend(element, scope)).toList());
          default -> null;
        };
    if (reading == null) {
      return value;
    }
    owners.put(reading, value);
    return reading;
  }

  /**
   * Result {@code i} as others may see it: an operand that is returned becomes the caller's
   * original again, and a tensor of another scope is held by one in {@code scope}. A fault if it
   * shares memory with an operand and the schema does not say so.
   *
   * @param target the scope that the results of the call belong to
   */
  Object returned(Object result, int i, ResourceScope scope, ResourceScope target) {
    Schema.Result declared =
        i < operation.schema().results().size() ? operation.schema().results().get(i) : null;
    boolean shares =
        declared == null || declared.alias() != null || operation.effects().has(Trait.SHARES);
    String parameter = shares ? null : sharedWith(result);
    if (parameter != null) {
      String text =
          "the kernel of %s returned memory of `%s`, which its schema does not say: mark both with"
              + " (a), or return a copy";
      return Fault.internal(Message.of(text, operation.name(), parameter));
    }
    return ForeignTensors.replaced(result, value -> restored(value, scope, target));
  }

  /** What takes the place of {@code value}; null if only its parts may need another. */
  private synchronized @Nullable Object restored(
      Object value, ResourceScope scope, ResourceScope target) {
    Object owner = given.contains(value) ? value : owners.get(value);
    if (owner != null || !(value instanceof DenseTensor tensor)) {
      return owner;
    }
    if (tensor.isLent()) {
      return tensor.givenBack(scope);
    }
    return scope.contains(tensor) ? tensor : ForeignTensors.held(tensor, target);
  }

  /** Restores what the kernel has put into the lists that it may write, as if it returned that. */
  void restoreLists(ResourceScope scope, ResourceScope target) {
    for (Object kept : kept()) {
      if (kept instanceof List<?> list) {
        restoreElements(list, value -> restored(value, scope, target));
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point
  private static <E> void restoreElements(List<E> list, Function<Object, @Nullable Object> each) {
    for (int i = 0; i < list.size(); i++) {
      E element = list.get(i);
      Object restored = ForeignTensors.replaced(element, each);
      if (restored != element) {
        @SuppressWarnings("unchecked") // the list of a script takes any value
        E put = (E) restored;
        list.set(i, put);
      }
    }
  }

  /** The parameter that {@code result} shares memory with, or null. */
  private @Nullable String sharedWith(Object result) {
    List<Storage> found = storages(result);
    List<Schema.Parameter> parameters = operation.schema().parameters();
    for (int i = 0; i < originals.length && !found.isEmpty(); i++) {
      List<Storage> given = storages(originals[i]);
      if (given.stream().anyMatch(found::contains)) {
        return i < parameters.size() ? parameters.get(i).name() : "argument " + i;
      }
    }
    return null;
  }

  private static List<Storage> storages(Object value) {
    List<Storage> found = new ArrayList<>();
    collect(value, found, Collections.newSetFromMap(new IdentityHashMap<>(0)));
    return found;
  }

  private static void collect(Object value, List<Storage> found, Set<Object> seen) {
    switch (value) {
      case DenseTensor tensor -> {
        if (tensor.storage().byteSize() > 0) {
          found.add(tensor.storage());
        }
      }
      case TupleValue tuple -> tuple.elements().forEach(element -> collect(element, found, seen));
      case List<?> list when seen.add(list) ->
          list.forEach(element -> collect(element, found, seen));
      case Map<?, ?> map when seen.add(map) -> {
        map.keySet().forEach(key -> collect(key, found, seen));
        map.values().forEach(element -> collect(element, found, seen));
      }
      default -> {}
    }
  }

  /** {@code fault}, with an explanation if the kernel tried to write what it was lent. */
  Fault explained(Fault fault) {
    Throwable cause = fault.cause();
    boolean written =
        cause instanceof UnsupportedOperationException
            || (cause != null && String.valueOf(cause.getMessage()).contains("read-only"));
    return written
        ? fault.withMessage(
            Message.of(
                "%s; the kernel of %s may write only what its schema marks as written, with (a!)",
                fault.message(), operation.name()))
        : fault;
  }
}
