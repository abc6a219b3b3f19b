import org.jspecify.annotations.NullMarked;

/** Operations of MLIR programs, under the names of TensorFlow Runtime. */
@NullMarked
module dev.staunch.tfrt {
  requires transitive dev.staunch.runtime;
  requires static transitive org.jspecify;

  exports dev.staunch.tfrt;
}
