import org.jspecify.annotations.NullMarked;

/** The command line: reads arguments, prints text. */
@NullMarked
module dev.staunch.cli {
  requires dev.staunch.data;
  requires dev.staunch.inference;
  requires dev.staunch.runtime;
  requires dev.staunch.tfrt;
  requires dev.staunch.torchscript;
  requires info.picocli;
  requires static transitive org.jspecify;

  opens dev.staunch.cli to
      info.picocli;
}
