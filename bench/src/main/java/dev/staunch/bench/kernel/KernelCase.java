package dev.staunch.bench.kernel;

/**
 * A kernel with its operands.
 *
 * @param work billions of operations per run, or of bytes that it reads and writes
 * @param fewest the least operations that do it; 0 if something else than the roofline bounds it
 * @param bytes how many bytes it has to read
 */
record KernelCase(String name, double work, double fewest, double bytes, Runnable run) {
  KernelCase(String name, double work, Runnable run) {
    this(name, work, 0, 0, run);
  }

  /** The most work a second that the roofline allows. */
  double bound(Roofline roofline) {
    return work / roofline.nanos(fewest, bytes) * 1e9;
  }
}
