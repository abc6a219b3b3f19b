/**
 * Runs programs. One executor serves both sequential scripts and dataflow programs whose values
 * arrive later.
 *
 * <p>Entry point: {@link dev.staunch.execute.Plan}, a program that is prepared once and then run
 * any number of times, on any threads, each run with its own {@link
 * dev.staunch.execute.RunOptions}.
 *
 * <p>A run walks the operations in program order. Each operation reads registers, and one rule
 * holds for all of them: a faulted operand becomes the operation's result; a pending operand defers
 * the operation; a cancelled request skips it; otherwise it runs. In a sequential function the
 * first fault ends the function; in a dataflow function it reaches its dependents only. Small
 * models run from start to end on the calling thread, without a queue. Later requests reuse runs
 * and frames ({@link dev.staunch.execute.Plan} keeps a few), unless an operation was deferred in
 * them.
 *
 * <p>Below are {@code ir} (what to run), {@code dispatch} (the way to kernels) and {@code engine}
 * (pending values, cancellation). The front ends that produce programs are other modules.
 */
package dev.staunch.execute;
