import org.jspecify.annotations.NullMarked;

/** Runs tensor programs. Depends on the JDK alone; JSpecify is needed at compile time only. */
@NullMarked
@SuppressWarnings("module") // modules named in qualified exports are compiled after this one
module dev.staunch.runtime {
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires static transitive org.jspecify;

  exports dev.staunch.dispatch to
      dev.staunch.inference;
  exports dev.staunch.eager;
  exports dev.staunch.eager.operators;
  exports dev.staunch.engine;
  exports dev.staunch.execute;
  exports dev.staunch.fault;
  exports dev.staunch.fault.jvm to
      dev.staunch.data;
  exports dev.staunch.ir;
  exports dev.staunch.kernel;
  exports dev.staunch.kernel.primitive;
  exports dev.staunch.kernel.standard;
  exports dev.staunch.memory;
  exports dev.staunch.operation;
  exports dev.staunch.tensor;
  exports dev.staunch.type;

  uses dev.staunch.kernel.primitive.KernelSetProvider;
}
