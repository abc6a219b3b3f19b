/**
 * Runs JMH, one benchmark per JVM.
 *
 * <p>Start with {@link dev.staunch.bench.jmh.Fork}. It takes a {@link
 * dev.staunch.bench.jmh.JmhBenchmark}, which says what to measure, and a {@link
 * dev.staunch.bench.jmh.Schedule}, which says how often, and returns {@link
 * dev.staunch.bench.jmh.Scores}. The benchmarks themselves are in {@code timed}. The suites decide
 * which score is the figure of a row: the best iteration or the first.
 */
@NullMarked
package dev.staunch.bench.jmh;

import org.jspecify.annotations.NullMarked;
