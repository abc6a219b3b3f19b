/**
 * Scheduling: in which order tasks run, on which thread, and when they stop.
 *
 * <p>Entry points: {@link dev.staunch.engine.Engine} runs {@link dev.staunch.engine.Task}s in the
 * order that the {@link dev.staunch.engine.Variable}s they use require. A program pushes tasks and
 * waits for them through an {@link dev.staunch.engine.EngineContext} of its own. {@link
 * dev.staunch.engine.CancelScope} cancels a request, at its deadline or on demand. {@link
 * dev.staunch.engine.Pending} is a value that is settled once, and {@link
 * dev.staunch.engine.Workers} run single pieces of work; plans use those two. {@link
 * dev.staunch.engine.Guard} is the one place that catches every throwable.
 *
 * <p>A variable is a queue of turns, in the order of pushing: readers share a turn, a writer has
 * one alone. A task joins all of its queues at once, so two tasks can never wait for each other. It
 * runs once it has all of its turns: on worker threads, serially, or in an order drawn from a seed.
 * Only the schedulers know which. A write that fails leaves its {@link dev.staunch.fault.Fault} in
 * the variable; tasks that read the variable do not run, and pass the fault on.
 *
 * <p>This package knows neither tensors nor operations; {@code eager} and {@code execute}, above
 * it, bring those. No other package of the runtime creates threads, except {@code memory} for its
 * reaper.
 */
package dev.staunch.engine;
