package dev.staunch.torchscript.source;

import dev.staunch.type.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A definition in a file of an archive's code. */
public sealed interface Definition {
  int position();

  String name();

  /** The kind of a class, given by its base class. */
  enum Kind {
    PLAIN,
    MODULE,
    NAMED_TUPLE,
    ENUM,
    INTERFACE,
    MODULE_INTERFACE
  }

  /**
   * @param attributes in slot order; for a named tuple, its fields
   * @param constants members with a value, in the order of the file: {@code Final} constants,
   *     members of an enum, defaults of a named tuple's fields
   * @param lists fields such as {@code __parameters__}, with the names that they list
   */
  record ClassDef(
      int position,
      String name,
      Kind kind,
      List<AttributeDef> attributes,
      Map<String, Expression> constants,
      Map<String, List<String>> lists,
      List<FunctionDef> methods)
      implements Definition {
    public ClassDef {
      attributes = List.copyOf(attributes);
      // Map.copyOf would lose the order.
      constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants));
      lists = Collections.unmodifiableMap(new LinkedHashMap<>(lists));
      methods = List.copyOf(methods);
    }
  }

  record AttributeDef(int position, String name, Type type) {}

  record FunctionDef(
      int position,
      String name,
      List<ParameterDef> parameters,
      Type returnType,
      List<Statement> body)
      implements Definition {
    public FunctionDef {
      parameters = List.copyOf(parameters);
      body = List.copyOf(body);
    }
  }

  record ParameterDef(int position, String name, Type type, @Nullable Expression defaultValue) {}
}
