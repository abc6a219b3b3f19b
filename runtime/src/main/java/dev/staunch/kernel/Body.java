package dev.staunch.kernel;

/**
 * How an operation is computed: what those may know who fuse operations, expand them, or look for a
 * faster way. An entry's kernel is its body, if the kernel is more than a function.
 */
public sealed interface Body
    permits PointwiseBody, CompositeBody, PrimitiveBody, Body.Structural, Body.Opaque {

  /** A kernel that deals with no tensors, but with numbers, text, lists or control. */
  record Structural(Kernel kernel) implements Body {}

  /** A kernel of tensors of which nothing is known. Only what has not become another body yet. */
  record Opaque(Kernel kernel) implements Body {}
}
