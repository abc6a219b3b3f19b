package dev.staunch.torchscript;

import dev.staunch.torchscript.lower.ArchiveCode;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the named tuples that methods accept and return, at any depth, with their fields. */
final class NamedTuples {
  private final ArchiveCode code;
  private final Map<String, Map<String, Type>> found = new LinkedHashMap<>();

  private NamedTuples(ArchiveCode code) {
    this.code = code;
  }

  /** Those in {@code types}, by name. */
  static Map<String, Map<String, Type>> of(List<Type> types, ArchiveCode code) {
    NamedTuples tuples = new NamedTuples(code);
    for (Type type : types) {
      tuples.add(type);
    }
    return tuples.found;
  }

  private void add(Type type) {
    switch (type) {
      case Type.Optional optional -> add(optional.element());
      case Type.ListOf list -> add(list.element());
      case Type.Dict dict -> add(dict.value());
      case Type.Tuple tuple -> tuple.elements().forEach(this::add);
      case Type.Class named -> addNamed(named.name());
      default -> {}
    }
  }

  private void addNamed(String name) {
    List<Definition.AttributeDef> fields = found.containsKey(name) ? null : code.fields(name);
    if (fields != null) {
      Map<String, Type> types = new LinkedHashMap<>();
      fields.forEach(field -> types.put(field.name(), field.type()));
      found.put(name, types);
      types.values().forEach(this::add);
    }
  }
}
