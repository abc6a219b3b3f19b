package dev.staunch.bench.kernel;

/**
 * A kernel with its operands.
 *
 * @param work billions of operations per run, or of bytes that it reads and writes
 */
record KernelCase(String name, double work, Runnable run) {}
