package dev.staunch.torchscript.lower;

import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.CompoundTensor;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The declared types of class attributes, and whether a value has a declared type. */
public final class AttributeTypes {
  private AttributeTypes() {}

  /**
   * The attributes of a class in slot order with their types, or null if there is no such class.
   */
  public static @Nullable Map<String, Type> of(ArchiveCode code, String className) {
    ArchiveCode.Found found = code.findClass(className);
    if (found == null) {
      return null;
    }
    Map<String, Type> types = new LinkedHashMap<>();
    for (Definition.AttributeDef attribute : found.type().attributes()) {
      types.put(attribute.name(), attribute.type());
    }
    return types;
  }

  /**
   * The type of the state from which objects of the class restore themselves; null if they do not.
   */
  public static @Nullable Type stateOf(ArchiveCode code, String className) {
    ArchiveCode.Found found = code.findClass(className);
    for (Definition.FunctionDef method :
        found == null ? List.<Definition.FunctionDef>of() : found.type().methods()) {
      if (method.name().equals("__setstate__") && method.parameters().size() == 2) {
        return method.parameters().get(1).type();
      }
    }
    return null;
  }

  /**
   * Whether a loaded {@code value} has type {@code declared}; containers are checked by their
   * elements.
   */
  public static boolean accepts(Type declared, Object value, ArchiveCode code) {
    return switch (declared) {
      case Type.Plain plain -> plain(plain, value);
      case Type.Optional optional -> value == None.NONE || accepts(optional.element(), value, code);
      case Type.ListOf list ->
          value instanceof List<?> items
              && items.stream().allMatch(item -> accepts(list.element(), item, code));
      case Type.Dict dict ->
          value instanceof Map<?, ?> map
              && map.keySet().stream().allMatch(key -> accepts(dict.key(), key, code))
              && map.values().stream().allMatch(item -> accepts(dict.value(), item, code));
      case Type.Tuple tuple -> tuple(tuple.elements(), value, code);
      case Type.Union union ->
          union.members().stream().anyMatch(member -> accepts(member, value, code));
      case Type.Class named -> named(named.name(), value, code);
      case Type.Future _, Type.Variable _, Type.Named _, Type.TensorOf _ -> false;
    };
  }

  private static boolean plain(Type.Plain plain, Object value) {
    return switch (plain) {
      case TENSOR -> value instanceof DenseTensor || value instanceof CompoundTensor;
      case INT -> value instanceof Long;
      case FLOAT -> value instanceof Double;
      case BOOL -> value instanceof Boolean;
      case STRING, DEVICE -> value instanceof String;
      case COMPLEX -> value instanceof ComplexNumber;
      case NUMBER ->
          value instanceof Long || value instanceof Double || value instanceof ComplexNumber;
      case NONE -> value == None.NONE;
      case ANY_LIST -> value instanceof List;
      case ANY_TUPLE -> value instanceof TupleValue;
      case ANY, ANY_ENUM, ANY_CLASS, GENERATOR, STORAGE, STREAM, QUANTIZER -> true;
    };
  }

  private static boolean tuple(List<Type> types, Object value, ArchiveCode code) {
    if (!(value instanceof TupleValue tuple) || tuple.elements().size() != types.size()) {
      return false;
    }
    for (int i = 0; i < types.size(); i++) {
      if (!accepts(types.get(i), tuple.elements().get(i), code)) {
        return false;
      }
    }
    return true;
  }

  private static boolean named(String name, Object value, ArchiveCode code) {
    if (value instanceof EnumMember member) {
      return member.type().equals(name);
    }
    if (value instanceof ObjectValue object) {
      return object.layout().name().equals(name) || code.isInterface(name);
    }
    ArchiveCode.Found found = code.findClass(name);
    return found != null
        && found.type().kind() == Definition.Kind.NAMED_TUPLE
        && tuple(
            found.type().attributes().stream().map(Definition.AttributeDef::type).toList(),
            value,
            code);
  }
}
