package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of a function. {@code name} is the qualified name of an entry of the catalog ({@code
 * aten::add.Tensor}) or one of the names of {@link Structure}, whose meaning the executor knows.
 *
 * @param attributes constants of the operation, in order: run-time values, names, types
 * @param blocks the operation's regions, such as both branches of an if
 * @param source the line that asked for it, if known
 */
public record Operation(
    String name,
    List<Value> operands,
    List<Value> results,
    Map<String, Object> attributes,
    List<Block> blocks,
    @Nullable SourceLocation source) {

  public Operation {
    operands = List.copyOf(operands);
    results = List.copyOf(results);
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    blocks = List.copyOf(blocks);
  }

  /** The attribute {@code key}, which the operation's kind requires. */
  public Object attribute(String key) {
    Object value = attributes.get(key);
    if (value == null) {
      throw new IllegalStateException(name + " lacks its attribute " + key);
    }
    return value;
  }
}
