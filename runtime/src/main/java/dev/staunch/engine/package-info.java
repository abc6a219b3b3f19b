/**
 * When things happen: whose turn it is with what, on which thread, and when to stop.
 *
 * <p>Doors: {@link dev.staunch.engine.Engine} runs {@link dev.staunch.engine.Task}s in the order
 * that the {@link dev.staunch.engine.Variable}s they use demand; a program pushes and waits through
 * an {@link dev.staunch.engine.EngineContext} of its own. {@link dev.staunch.engine.CancelScope} is
 * what a request is cancelled by, its deadline included. {@link dev.staunch.engine.Pending} is a
 * value that is settled once, {@link dev.staunch.engine.Workers} run single pieces of work; plans
 * use those two. {@link dev.staunch.engine.Guard} is the one place that catches every throwable.
 *
 * <p>A variable is a queue of turns: readers together, a writer alone, in the order of pushing. A
 * task takes its places in all its queues at once, so that no two can wait for each other, and runs
 * when it has all turns: threaded, serial or in an order drawn from a seed, which only the
 * schedulers know. A write that fails leaves its {@link dev.staunch.fault.Fault} in the variable;
 * tasks that read it do not run, and pass it on.
 *
 * <p>This room knows no tensor and no operation; {@code eager} and {@code execute} above bring
 * those. Threads are made nowhere else in the runtime, but for the reaper of {@code memory}.
 */
package dev.staunch.engine;
