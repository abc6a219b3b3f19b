package dev.staunch.ir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an operation does: an entry of the catalog, or what the IR itself means. */
public sealed interface Operator permits Operator.Entry, Structure {
  /** The name in the IR: {@code aten::add.Tensor}. */
  String word();

  /**
   * An entry of the catalog.
   *
   * @param name the entry's qualified name
   * @param attributes by the names of the entry's parameters, in the order of the text
   */
  record Entry(String name, Map<String, Attribute> attributes) implements Operator {
    public Entry {
      attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    public Entry(String name) {
      this(name, Map.of());
    }

    @Override
    public String word() {
      return name;
    }
  }
}
