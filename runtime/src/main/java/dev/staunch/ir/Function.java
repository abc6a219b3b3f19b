package dev.staunch.ir;

import dev.staunch.fault.SourceLocation;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A function of a program: a body whose parameters are the function's.
 *
 * @param name unique in its program; a method is {@code Class.method}
 * @param discipline what a fault does to the operations that follow it
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
    /** Only through values: a fault reaches what uses it, all else runs. */
    DATAFLOW
  }

  public Function {
    resultTypes = List.copyOf(resultTypes);
  }

  public List<Value> parameters() {
    return body.parameters();
  }
}
