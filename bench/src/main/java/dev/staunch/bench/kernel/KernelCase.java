package dev.staunch.bench.kernel;

/**
 * A kernel with its operands.
 *
 * @param work billions of operations of a run, or of bytes that it reads and writes
 */
record KernelCase(String name, double work, Runnable run) {}
