package dev.staunch.fault;

/** The closed set of fault types; each has its category and its own exception at the edge. */
public enum FaultType {
  SHAPE("shape", FaultCategory.CALLER),
  DTYPE("dtype", FaultCategory.CALLER),
  INDEX("index", FaultCategory.CALLER),
  VALUE("value", FaultCategory.CALLER),
  CLOSED("closed", FaultCategory.CALLER),
  REQUEST("request", FaultCategory.CALLER),
  SCRIPT_RAISED("script_raised", FaultCategory.CALLER),
  DATA_FORMAT("data_format", FaultCategory.BAD_DATA),
  UNKNOWN_OPERATION("unknown_operation", FaultCategory.BAD_DATA),
  OUT_OF_MEMORY("out_of_memory", FaultCategory.EXHAUSTED),
  OVERLOADED("overloaded", FaultCategory.EXHAUSTED),
  DEADLINE_EXCEEDED("deadline_exceeded", FaultCategory.CANCELLED),
  CANCELLED("cancelled", FaultCategory.CANCELLED),
  UNSUPPORTED("unsupported", FaultCategory.INTERNAL),
  INTERNAL("internal", FaultCategory.INTERNAL);

  private final String word;
  private final FaultCategory category;

  FaultType(String word, FaultCategory category) {
    this.word = word;
    this.category = category;
  }

  /**
   * The stable identifier of this type in JSON and on the console, such as {@code script_raised}.
   */
  public String word() {
    return word;
  }

  public FaultCategory category() {
    return category;
  }
}
