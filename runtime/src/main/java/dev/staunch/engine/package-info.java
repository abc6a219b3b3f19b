/**
 * When things happen: values that arrive later, threads that run what was put off, cancellation.
 *
 * <p>Doors: {@link dev.staunch.engine.Pending} is a value that is settled once, {@link
 * dev.staunch.engine.Workers} are the threads, {@link dev.staunch.engine.CancelScope} is what a
 * request is cancelled by, its deadline included. {@link dev.staunch.engine.Guard} is the one place
 * that catches every throwable.
 *
 * <p>This room knows no tensor and no operation; {@code dispatch} and {@code execute} above bring
 * those. Threads are made nowhere else in the runtime. Errors travel as {@link
 * dev.staunch.fault.Fault}s.
 */
package dev.staunch.engine;
