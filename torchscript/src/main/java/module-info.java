import org.jspecify.annotations.NullMarked;

/** Reads TorchScript archives into the runtime's IR. This module executes nothing. */
@NullMarked
module dev.staunch.torchscript {
  requires transitive dev.staunch.runtime;
  requires static transitive org.jspecify;

  exports dev.staunch.torchscript;
}
