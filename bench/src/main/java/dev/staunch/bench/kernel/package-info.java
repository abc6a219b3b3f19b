/**
 * Kernels alone, on one thread. {@link dev.staunch.bench.kernel.KernelTimes} runs the cases of one
 * {@link dev.staunch.bench.kernel.KernelCases group} in a separate JVM and reports the machine's
 * limit. {@link dev.staunch.bench.kernel.BreadthTimes} times ordinary operations as a user calls
 * them. The suites in {@code suite} judge the results.
 */
@NullMarked
package dev.staunch.bench.kernel;

import org.jspecify.annotations.NullMarked;
