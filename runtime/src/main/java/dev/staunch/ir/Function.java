package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of a program; the parameters of its body are the function's.
 *
 * @param name unique in its program; a method is {@code Class.method}
 * @param discipline how a fault affects the operations that follow it
 */
public record Function(
    String name,
    Block body,
    List<Type> resultTypes,
    Discipline discipline,
    @Nullable SourceLocation source) {

  /** How operations of one function depend on each other. */
  public enum Discipline {
    /** As in Python: in order, and the first fault ends the function. */
    SEQUENTIAL,
    /** Through values only: a fault reaches the operations that use it, and all others run. */
    DATAFLOW
  }

  public Function {
    resultTypes = List.copyOf(resultTypes);
  }

  public List<Value> parameters() {
    return body.parameters();
  }
}
