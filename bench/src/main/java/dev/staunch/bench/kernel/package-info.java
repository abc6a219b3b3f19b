/**
 * Kernels alone, on one thread: {@link dev.staunch.bench.kernel.KernelTimes} runs the cases of one
 * {@link dev.staunch.bench.kernel.KernelCases group} in a JVM of its own, and says what the machine
 * can do at most. {@link dev.staunch.bench.kernel.BreadthTimes} times ordinary operations as a user
 * calls them. What judges them is in {@code suite}.
 */
@NullMarked
package dev.staunch.bench.kernel;

import org.jspecify.annotations.NullMarked;
