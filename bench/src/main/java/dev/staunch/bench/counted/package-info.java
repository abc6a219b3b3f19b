/**
 * Programs whose figures are counts, not times: reported faults, bytes that stay behind.
 *
 * <p>Each has a main method that prints its figures as {@code name=value} and runs in a JVM of its
 * own, because a program may die of what it does. {@link dev.staunch.bench.process.Launch} starts
 * them. Timed benchmarks are in {@code timed}.
 */
@NullMarked
package dev.staunch.bench.counted;

import org.jspecify.annotations.NullMarked;
