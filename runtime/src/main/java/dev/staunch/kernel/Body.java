package dev.staunch.kernel;

/**
 * How an operation is computed, for code that fuses operations, expands them, or looks for a faster
 * way. If an entry's kernel is more than a function, the kernel is its own body.
 */
public sealed interface Body
    permits PointwiseBody,
        PrimitiveBody,
        Body.Composed,
        Body.Structural,
        Body.Inferred,
        Body.Opaque {

  /** The operation is made of other operations. */
  non-sealed interface Composed extends Body {}

  /**
   * A kernel that computes no tensor elements: it returns numbers, text, lists, properties of a
   * tensor or a view of its first operand, or it controls the flow of the program.
   */
  record Structural(Kernel kernel) implements Body {}

  /**
   * A kernel that fills new tensors, or the tensors that it writes. Their forms are inferred
   * beforehand; nothing more is known of it.
   */
  record Inferred(Kernel kernel) implements Body {}

  /**
   * A kernel whose result tensors are unknown until it has run: there is no inference for them,
   * they depend on the elements, or they may share memory with an operand.
   */
  record Opaque(Kernel kernel) implements Body {}
}
