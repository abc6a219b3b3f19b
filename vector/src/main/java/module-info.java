import org.jspecify.annotations.NullMarked;

/** Kernels on the JDK's Vector API. Nobody needs to name it: it is found where it is present. */
@NullMarked
module dev.staunch.vector {
  requires dev.staunch.runtime;
  requires jdk.incubator.vector;
  requires static transitive org.jspecify;

  provides dev.staunch.kernel.primitive.KernelSetProvider with
      dev.staunch.vector.VectorKernelsProvider;
}
