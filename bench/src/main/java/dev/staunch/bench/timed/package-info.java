/**
 * What is timed: benchmarks of JMH's for one operation, one task, one tensor, one fault, one wait
 * or one round of a service.
 *
 * <p>{@code bench/run jmh} runs any of them, with the bytes that they allocate; the suites run
 * those that have a row, through {@code jmh}, beside the peer. Results of earlier runs stand in
 * {@code bench/baseline}. Everything is driven through the runtime's public API. What is counted
 * instead of timed is in {@code counted}.
 */
@NullMarked
package dev.staunch.bench.timed;

import org.jspecify.annotations.NullMarked;
