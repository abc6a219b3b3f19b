import org.jspecify.annotations.NullMarked;

/**
 * Kernels on the JDK's Vector API. No module needs to require this one: it is discovered if
 * present.
 */
@NullMarked
module dev.staunch.vector {
  requires dev.staunch.runtime;
  requires java.management;
  requires jdk.incubator.vector;
  requires jdk.management;
  requires static transitive org.jspecify;

  provides dev.staunch.kernel.primitive.KernelSetProvider with
      dev.staunch.vector.VectorKernelsProvider;
}
