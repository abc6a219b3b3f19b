/**
 * Lets JMH measure, one benchmark to a JVM.
 *
 * <p>{@link dev.staunch.bench.jmh.Fork} is the door: it takes a {@link
 * dev.staunch.bench.jmh.JmhBenchmark}, which says what to measure, and a {@link
 * dev.staunch.bench.jmh.Schedule}, which says how often, and gives {@link
 * dev.staunch.bench.jmh.Scores}. The benchmarks themselves are in {@code timed}; what counts as the
 * figure of a row, the best iteration or the first, is for the suites to say.
 */
@NullMarked
package dev.staunch.bench.jmh;

import org.jspecify.annotations.NullMarked;
