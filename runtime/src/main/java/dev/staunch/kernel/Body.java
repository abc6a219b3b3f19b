package dev.staunch.kernel;

/**
 * How an operation is computed: what those may know who fuse operations, expand them, or look for a
 * faster way. An entry's kernel is its body, if the kernel is more than a function.
 */
public sealed interface Body
    permits PointwiseBody,
        CompositeBody,
        PrimitiveBody,
        Body.Structural,
        Body.Inferred,
        Body.Opaque {

  /**
   * A kernel that makes no elements of tensors: it gives numbers, text, lists, what is asked of a
   * tensor, or a view of its first operand, or it steers.
   */
  record Structural(Kernel kernel) implements Body {}

  /**
   * A kernel that fills new tensors, or those that it writes, whose forms are inferred before, and
   * of which no more is known than that.
   */
  record Inferred(Kernel kernel) implements Body {}

  /**
   * A kernel whose tensors are not known before it has run: nobody inferred them, they hang on
   * elements, or they may share memory with an operand.
   */
  record Opaque(Kernel kernel) implements Body {}
}
