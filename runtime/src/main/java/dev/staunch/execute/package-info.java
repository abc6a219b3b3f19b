/**
 * Runs programs: one executor for sequential scripts and for dataflow with values that arrive
 * later.
 *
 * <p>Door: {@link dev.staunch.execute.Plan}, a program made ready once, then run any number of
 * times on any threads with {@link dev.staunch.execute.RunOptions} of its own.
 *
 * <p>A run walks the operations in program order. Each operation reads registers, and one rule
 * holds for all: a faulted operand becomes its results; a pending operand puts it off; a cancelled
 * request skips it; otherwise it runs. In a sequential function the first fault ends the function;
 * in a dataflow function it reaches its dependents only. Small models run from start to end on the
 * calling thread, without a queue; runs and frames are used again by later requests ({@link
 * dev.staunch.execute.Plan} keeps a few), unless something was put off in them.
 *
 * <p>Below are {@code ir} (what to run), {@code dispatch} (the way to kernels) and {@code engine}
 * (pending values, cancellation). Front ends that make programs are other modules.
 */
package dev.staunch.execute;
