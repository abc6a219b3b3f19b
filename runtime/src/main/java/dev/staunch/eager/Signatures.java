package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The signatures of a catalog's operations by qualified name, each read once. Thread-safe. */
final class Signatures {
  /** How many operations with similar names a message lists. */
  private static final int MOST_SIMILAR = 4;

  private final Catalog catalog;
  private final Map<String, Signature> known = new ConcurrentHashMap<>();
  private final Map<String, List<String>> overloads = new ConcurrentHashMap<>();

  Signatures(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The signature of an operation, or null if the catalog does not have it. */
  @Nullable Signature find(String operation) {
    Signature found = known.get(operation);
    if (found == null) {
      CatalogEntry definition = catalog.find(operation);
      if (definition == null) {
        return null;
      }
      found = known.computeIfAbsent(operation, name -> Signature.of(definition));
    }
    return found;
  }

  /**
   * Resolves a call, as written or as it was meant: returns a {@link Spelling}, or the fault that
   * says what is wrong with the call.
   *
   * @param check returns the fault of a call, or null
   */
  Object resolve(String operation, Object[] arguments, Spelling.Check check) {
    Objects.requireNonNull(arguments, "arguments");
    Signature exact = find(Objects.requireNonNull(operation, "operation"));
    Fault misuse = exact == null ? unknown(operation) : check.apply(exact, arguments);
    if (exact != null && misuse == null) {
      return new Spelling(exact, arguments);
    }
    if (Nesting.isTooDeep(Arrays.asList(arguments))) {
      return exact == null ? Nesting.fault(operation) : misuse;
    }
    List<Signature> candidates = exact != null ? List.of(exact) : overloads(operation);
    Spelling meant = Spelling.of(candidates, arguments, check);
    if (meant != null) {
      return meant;
    }
    return exact == null && !candidates.isEmpty()
        ? unfit(candidates, arguments, check)
        : Objects.requireNonNull(misuse);
  }

  /**
   * The fault of the call as one of the best-matching overload, with a list of the other overloads.
   */
  private static Fault unfit(List<Signature> overloads, Object[] arguments, Spelling.Check check) {
    List<Signature> closest =
        overloads.stream()
            .sorted(Comparator.comparingInt(each -> -Spelling.fitting(each, arguments)))
            .toList();
    Fault misuse = Objects.requireNonNull(Spelling.misuse(closest.getFirst(), arguments, check));
    if (closest.size() == 1) {
      return misuse;
    }
    int named = Math.min(closest.size(), 1 + MOST_SIMILAR);
    String others =
        closest.subList(1, named).stream().map(Signature::name).collect(Collectors.joining(", "));
    String more = closest.size() > named ? " and " + (closest.size() - named) + " more" : "";
    return misuse.withMessage(misuse.message() + "; other overloads are " + others + more);
  }

  /** The signatures whose name, without namespace and overload, is {@code name}. */
  private List<Signature> overloads(String name) {
    List<String> names =
        overloads.computeIfAbsent(
            name,
            wanted ->
                catalog.names().stream()
                    .filter(
                        other -> other.startsWith("aten::") && unqualified(other).equals(wanted))
                    .toList());
    return names.stream().map(this::find).filter(Objects::nonNull).toList();
  }

  /** The fault of calling an operation that does not exist, with similar names. */
  Fault unknown(String operation) {
    String text = "the catalog has no operation " + operation;
    List<String> similar = similar(operation);
    return Fault.of(
            FaultType.UNKNOWN_OPERATION,
            similar.isEmpty() ? text : text + "; it has " + String.join(", ", similar))
        .withOperation(operation, List.of());
  }

  /** Other overloads of the name, in its namespace if there are any. */
  private List<String> similar(String operation) {
    String name = unqualified(operation);
    List<String> all =
        catalog.names().stream().filter(other -> unqualified(other).equals(name)).toList();
    String namespace = operation.substring(0, operation.indexOf("::") + 1);
    List<String> own = all.stream().filter(other -> other.startsWith(namespace)).toList();
    return (own.isEmpty() ? all : own).stream().limit(MOST_SIMILAR).toList();
  }

  private static String unqualified(String operation) {
    String name = operation.substring(operation.indexOf("::") + 1).replace(":", "");
    int overload = name.indexOf('.');
    return overload < 0 ? name : name.substring(0, overload);
  }
}
