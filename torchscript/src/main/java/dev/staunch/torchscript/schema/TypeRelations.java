package dev.staunch.torchscript.schema;

import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** TorchScript's relations between types: subtypes, free types, joins. */
public final class TypeRelations {
  /** The type of {@code []} before anything determines its element type: it fits every list. */
  public static final Type EMPTY_LIST = new Type.ListOf(new Type.Variable("_"));

  /** The type of <code>{}</code> where nothing determines what it holds. */
  public static final Type DEFAULT_DICT = new Type.Dict(Type.Plain.STRING, Type.Plain.TENSOR);

  private static final Type DEFAULT_LIST = new Type.ListOf(Type.Plain.TENSOR);

  private final Predicate<String> isInterface;

  /**
   * @param isInterface whether the class with that name is an interface, which other classes may
   *     implement
   */
  public TypeRelations(Predicate<String> isInterface) {
    this.isInterface = isInterface;
  }

  /** Whether a value of type {@code actual} may be used where {@code wanted} is required. */
  public boolean isSubtype(Type actual, Type wanted) {
    if (actual.equals(wanted) || wanted == Type.Plain.ANY) {
      return true;
    }
    if (actual instanceof Type.Union union) {
      return union.members().stream().allMatch(member -> isSubtype(member, wanted));
    }
    return switch (wanted) {
      case Type.Optional optional -> fitsOptional(actual, optional.element());
      case Type.Union union -> fitsUnion(actual, union);
      case Type.ListOf list -> actual.equals(EMPTY_LIST);
      case Type.Tuple tuple -> fitsTuple(actual, tuple);
      case Type.Class named -> actual instanceof Type.Class && isInterface.test(named.name());
      case Type.Plain plain -> fitsPlain(actual, plain);
      case Type.Future future ->
          actual instanceof Type.Future other && isSubtype(other.element(), future.element());
      case Type.Dict _, Type.Variable _, Type.Named _, Type.TensorOf _ -> false;
    };
  }

  private boolean fitsOptional(Type actual, Type element) {
    if (actual instanceof Type.Optional other) {
      return isSubtype(other.element(), element);
    }
    return actual == Type.Plain.NONE || isSubtype(actual, element);
  }

  private boolean fitsUnion(Type actual, Type.Union union) {
    return union.members().stream().anyMatch(member -> isSubtype(actual, member))
        || (actual instanceof Type.Optional optional
            && isSubtype(Type.Plain.NONE, union)
            && isSubtype(optional.element(), union));
  }

  private boolean fitsTuple(Type actual, Type.Tuple wanted) {
    if (!(actual instanceof Type.Tuple tuple)
        || tuple.elements().size() != wanted.elements().size()) {
      return false;
    }
    for (int i = 0; i < wanted.elements().size(); i++) {
      if (!isSubtype(tuple.elements().get(i), wanted.elements().get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean fitsPlain(Type actual, Type.Plain wanted) {
    return switch (wanted) {
      case NUMBER ->
          actual == Type.Plain.INT || actual == Type.Plain.FLOAT || actual == Type.Plain.COMPLEX;
      case ANY_LIST -> actual instanceof Type.ListOf;
      case ANY_TUPLE -> actual instanceof Type.Tuple;
      case ANY_CLASS, ANY_ENUM -> actual instanceof Type.Class;
      case TENSOR -> actual instanceof Type.TensorOf;
      case INT, FLOAT, BOOL, STRING, COMPLEX, NONE, ANY -> false;
      case DEVICE, GENERATOR, STORAGE, STREAM, QUANTIZER -> false;
    };
  }

  /**
   * Binds the free types of {@code formal} so that {@code actual} fits it; returns false if that is
   * impossible. {@code bound} holds the bindings so far: the first argument with a free type
   * decides it.
   */
  public boolean bind(Type formal, Type actual, Map<String, Type> bound) {
    if (!isFree(formal)) {
      return true;
    }
    Type given = actual.equals(EMPTY_LIST) ? DEFAULT_LIST : actual;
    return switch (formal) {
      case Type.Variable variable -> {
        Type known = bound.putIfAbsent(variable.name(), given);
        yield known == null || join(known, given) != null;
      }
      case Type.ListOf list -> bindList(list.element(), given, bound);
      case Type.Dict dict ->
          given instanceof Type.Dict other
              && bind(dict.key(), other.key(), bound)
              && bind(dict.value(), other.value(), bound);
      case Type.Optional optional -> bindOptional(optional.element(), given, bound);
      case Type.Future future ->
          given instanceof Type.Future other && bind(future.element(), other.element(), bound);
      case Type.Tuple tuple -> bindTuple(tuple, given, bound);
      case Type.Plain _, Type.Union _, Type.Class _, Type.Named _, Type.TensorOf _ -> true;
    };
  }

  private boolean bindList(Type element, Type actual, Map<String, Type> bound) {
    if (actual instanceof Type.Tuple tuple && !tuple.elements().isEmpty()) {
      Type unified = tuple.elements().get(0);
      for (Type other : tuple.elements()) {
        unified = unified == null ? null : join(unified, other);
      }
      return unified != null && bind(element, unified, bound);
    }
    return actual instanceof Type.ListOf other && bind(element, other.element(), bound);
  }

  /** None alone does not determine the element type of an optional. */
  private boolean bindOptional(Type element, Type actual, Map<String, Type> bound) {
    Type inner = actual instanceof Type.Optional other ? other.element() : actual;
    return actual != Type.Plain.NONE && bind(element, inner, bound);
  }

  private boolean bindTuple(Type.Tuple formal, Type actual, Map<String, Type> bound) {
    if (!(actual instanceof Type.Tuple tuple)
        || tuple.elements().size() != formal.elements().size()) {
      return false;
    }
    for (int i = 0; i < tuple.elements().size(); i++) {
      if (!bind(formal.elements().get(i), tuple.elements().get(i), bound)) {
        return false;
      }
    }
    return true;
  }

  /** Returns {@code type} with its free types replaced by their bindings. */
  public static Type substitute(Type type, Map<String, Type> bound) {
    return switch (type) {
      case Type.Variable variable -> bound.getOrDefault(variable.name(), Type.Plain.ANY);
      case Type.ListOf list -> new Type.ListOf(substitute(list.element(), bound));
      case Type.Optional optional -> {
        Type element = substitute(optional.element(), bound);
        yield element instanceof Type.Optional ? element : new Type.Optional(element);
      }
      case Type.Future future -> new Type.Future(substitute(future.element(), bound));
      case Type.Dict dict ->
          new Type.Dict(substitute(dict.key(), bound), substitute(dict.value(), bound));
      case Type.Tuple tuple ->
          new Type.Tuple(tuple.elements().stream().map(e -> substitute(e, bound)).toList());
      case Type.Union union ->
          new Type.Union(union.members().stream().map(m -> substitute(m, bound)).toList());
      case Type.Plain _, Type.Class _, Type.Named _, Type.TensorOf _ -> type;
    };
  }

  /** Whether {@code type} has free types. */
  public static boolean isFree(Type type) {
    return switch (type) {
      case Type.Variable variable -> true;
      case Type.ListOf list -> isFree(list.element());
      case Type.Optional optional -> isFree(optional.element());
      case Type.Future future -> isFree(future.element());
      case Type.Dict dict -> isFree(dict.key()) || isFree(dict.value());
      case Type.Tuple tuple -> tuple.elements().stream().anyMatch(TypeRelations::isFree);
      case Type.Union union -> union.members().stream().anyMatch(TypeRelations::isFree);
      case Type.Plain _, Type.Class _, Type.Named _, Type.TensorOf _ -> false;
    };
  }

  /** The narrowest type that both fit, or null if only a union would do. */
  public @Nullable Type join(Type a, Type b) {
    if (isSubtype(a, b)) {
      return b;
    }
    if (isSubtype(b, a)) {
      return a;
    }
    if (a == Type.Plain.NONE) {
      return new Type.Optional(b);
    }
    if (b == Type.Plain.NONE) {
      return new Type.Optional(a);
    }
    if (a instanceof Type.Optional left && b instanceof Type.Optional right) {
      Type inner = join(left.element(), right.element());
      return inner == null ? null : new Type.Optional(inner);
    }
    if (a instanceof Type.Tuple left
        && b instanceof Type.Tuple right
        && left.elements().size() == right.elements().size()) {
      return joinTuples(left, right);
    }
    return null;
  }

  private @Nullable Type joinTuples(Type.Tuple a, Type.Tuple b) {
    List<Type> elements = new ArrayList<>();
    for (int i = 0; i < a.elements().size(); i++) {
      Type joined = join(a.elements().get(i), b.elements().get(i));
      if (joined == null) {
        return null;
      }
      elements.add(joined);
    }
    return new Type.Tuple(elements);
  }

  /** Like {@link #join}, falling back on a union. */
  public Type joinOrUnion(Type a, Type b) {
    Type joined = join(a, b);
    if (joined != null) {
      return joined;
    }
    Set<Type> members = new LinkedHashSet<>();
    for (Type type : List.of(a, b)) {
      members.addAll(type instanceof Type.Union union ? union.members() : List.of(type));
    }
    return new Type.Union(List.copyOf(members));
  }
}
