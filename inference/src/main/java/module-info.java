import org.jspecify.annotations.NullMarked;

/** A loaded model that answers requests. This module does no networking. */
@NullMarked
module dev.staunch.inference {
  requires java.management;
  requires transitive dev.staunch.runtime;
  requires transitive dev.staunch.torchscript;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires static transitive org.jspecify;

  exports dev.staunch.inference;
  exports dev.staunch.inference.recorded;
}
