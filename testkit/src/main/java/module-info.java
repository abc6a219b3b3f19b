import org.jspecify.annotations.NullMarked;

/** Code shared by tests; never on the path of a running service. */
@NullMarked
module dev.staunch.testkit {
  requires transitive dev.staunch.runtime;
  requires transitive org.junit.jupiter.api;
  requires static transitive org.jspecify;

  exports dev.staunch.testkit;
}
