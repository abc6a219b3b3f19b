/**
 * JMH benchmarks for one operation, one task, one tensor, one fault, one wait or one round of a
 * service.
 *
 * <p>{@code bench/run jmh} runs any of them and shows the bytes that they allocate. The suites run
 * those that have a row, through {@code jmh}, beside the peer. Results of earlier runs are in
 * {@code bench/baseline}. All benchmarks use the runtime's public API. Programs that count instead
 * are in {@code counted}.
 */
@NullMarked
package dev.staunch.bench.timed;

import org.jspecify.annotations.NullMarked;
