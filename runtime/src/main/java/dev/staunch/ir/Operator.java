package dev.staunch.ir;

import dev.staunch.operation.OperationDefinition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an operation does: an entry of the catalog, or an operation that the IR itself defines. */
public sealed interface Operator permits Operator.Entry, Structure {
  /** The name in the IR: {@code aten::add.Tensor}. */
  String word();

  /**
   * An operation that a kernel computes: its definition says what it takes, returns and does.
   *
   * @param attributes keyed by the names of the entry's parameters, in the order of the text
   */
  record Entry(OperationDefinition definition, Map<String, Attribute> attributes)
      implements Operator {
    public Entry {
      attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** An entry without attributes. */
    public Entry(OperationDefinition definition) {
      this(definition, Map.of());
    }

    /** The operation's qualified name. */
    public String name() {
      return definition.name();
    }

    @Override
    public String word() {
      return definition.name();
    }
  }
}
