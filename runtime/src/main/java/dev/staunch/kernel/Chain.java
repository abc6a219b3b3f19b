package dev.staunch.kernel;

/**
 * A value that carries nothing but order: an operation that takes it runs after the operation that
 * returned it.
 */
public enum Chain {
  READY;

  /** Its type in MLIR text. */
  public static final String TYPE = "!tfrt.chain";
}
