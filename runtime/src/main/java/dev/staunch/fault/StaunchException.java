package dev.staunch.fault;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Arrays;
import java.util.List;

/**
 * A fault thrown at the edge. Unchecked, with one nested class for each type that callers act upon;
 * every exception carries its whole {@link Fault}. After deserialization the fault has its type,
 * message, cause and attached faults only.
 */
public class StaunchException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final StackTraceElement[] NO_STACK = {};
  private final FaultType type;
  private transient Fault fault;

  protected StaunchException(Fault fault) {
    super(fault.message(), fault.cause());
    this.type = fault.type();
    this.fault = fault;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    Fault read = Fault.of(type, String.valueOf(getMessage()));
    Throwable cause = getCause();
    List<Fault> attached =
        Arrays.stream(getSuppressed())
            .filter(StaunchException.class::isInstance)
            .map(other -> ((StaunchException) other).fault)
            .toList();
    fault = (cause == null ? read : read.withCause(cause)).withSuppressed(attached);
  }

  /** The fault as a value, with its operation, source line, path and typed fields. */
  public final Fault fault() {
    return fault;
  }

  static StaunchException of(Fault fault) {
    StaunchException made = bare(fault);
    for (Fault other : fault.suppressed()) {
      StaunchException beside = of(other);
      beside.setStackTrace(NO_STACK); // thrown where the primary one is
      made.addSuppressed(beside);
    }
    return made;
  }

  private static StaunchException bare(Fault fault) {
    return switch (fault.type()) {
      case SHAPE -> new ShapeException(fault);
      case DTYPE -> new DTypeException(fault);
      case INDEX -> new IndexException(fault);
      case VALUE -> new ValueException(fault);
      case CLOSED -> new ClosedException(fault);
      case REQUEST -> new RequestException(fault);
      case SCRIPT_RAISED -> new ScriptException(fault);
      case DATA_FORMAT -> new DataFormatException(fault);
      case UNKNOWN_OPERATION -> new UnknownOperationException(fault);
      case OUT_OF_MEMORY -> new OutOfMemoryException(fault);
      case OVERLOADED -> new OverloadedException(fault);
      case DEADLINE_EXCEEDED -> new DeadlineException(fault);
      case CANCELLED -> new CancelledException(fault);
      case UNSUPPORTED -> new UnsupportedException(fault);
      case INTERNAL -> new InternalException(fault);
    };
  }

  /** Shapes do not fit each other or the operation. */
  public static final class ShapeException extends StaunchException {
    private static final long serialVersionUID = 1;

    ShapeException(Fault fault) {
      super(fault);
    }
  }

  /** An element type does not fit. */
  public static final class DTypeException extends StaunchException {
    private static final long serialVersionUID = 1;

    DTypeException(Fault fault) {
      super(fault);
    }
  }

  /** An index, id or dimension is out of range. */
  public static final class IndexException extends StaunchException {
    private static final long serialVersionUID = 1;

    IndexException(Fault fault) {
      super(fault);
    }
  }

  /** An argument has the right type but an impossible value. */
  public static final class ValueException extends StaunchException {
    private static final long serialVersionUID = 1;

    ValueException(Fault fault) {
      super(fault);
    }
  }

  /** Something was used after it was closed. */
  public static final class ClosedException extends StaunchException {
    private static final long serialVersionUID = 1;

    ClosedException(Fault fault) {
      super(fault);
    }
  }

  /** A request does not match the model's signature, or is not a request at all. */
  public static final class RequestException extends StaunchException {
    private static final long serialVersionUID = 1;

    RequestException(Fault fault) {
      super(fault);
    }
  }

  /** The script raised; {@link Fault#raised()} names its exception. */
  public static final class ScriptException extends StaunchException {
    private static final long serialVersionUID = 1;

    ScriptException(Fault fault) {
      super(fault);
    }
  }

  /** An archive, file or program text is damaged. */
  public static final class DataFormatException extends StaunchException {
    private static final long serialVersionUID = 1;

    DataFormatException(Fault fault) {
      super(fault);
    }
  }

  /** A program names an operation that no schema knows. */
  public static final class UnknownOperationException extends StaunchException {
    private static final long serialVersionUID = 1;

    UnknownOperationException(Fault fault) {
      super(fault);
    }
  }

  /** The memory budget or the JVM's heap is used up. */
  public static final class OutOfMemoryException extends StaunchException {
    private static final long serialVersionUID = 1;

    OutOfMemoryException(Fault fault) {
      super(fault);
    }
  }

  /** The work was refused because too much is waiting. */
  public static final class OverloadedException extends StaunchException {
    private static final long serialVersionUID = 1;

    OverloadedException(Fault fault) {
      super(fault);
    }
  }

  /** The time allowed ran out. */
  public static final class DeadlineException extends StaunchException {
    private static final long serialVersionUID = 1;

    DeadlineException(Fault fault) {
      super(fault);
    }
  }

  /** The work was cancelled. */
  public static final class CancelledException extends StaunchException {
    private static final long serialVersionUID = 1;

    CancelledException(Fault fault) {
      super(fault);
    }
  }

  /** Something known that this version does not support. */
  public static final class UnsupportedException extends StaunchException {
    private static final long serialVersionUID = 1;

    UnsupportedException(Fault fault) {
      super(fault);
    }
  }

  /** Staunch itself, or a kernel, broke its contract. */
  public static final class InternalException extends StaunchException {
    private static final long serialVersionUID = 1;

    InternalException(Fault fault) {
      super(fault);
    }
  }
}
