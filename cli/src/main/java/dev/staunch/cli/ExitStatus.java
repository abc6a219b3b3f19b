package dev.staunch.cli;

/** The exit statuses of the commands; documented in their help, and stable. */
final class ExitStatus {
  /** Everything succeeded. */
  static final int OK = 0;

  /** A file that the command needs could not be read or written, or an archive did not pass. */
  static final int NOT_LOADED = 1;

  /** The arguments are invalid. */
  static final int USAGE = 2;

  /** The model was loaded and answered, but some requests failed. */
  static final int SOME_FAILED = 3;

  /** The reader of standard output went away, as with {@code | head -1}: 128 + SIGPIPE. */
  static final int NOBODY_READS = 141;

  private ExitStatus() {}
}
