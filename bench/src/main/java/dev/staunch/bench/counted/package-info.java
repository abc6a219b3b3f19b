/**
 * Programs whose figures are counts, not times: faults that were reported, bytes that stay behind.
 *
 * <p>Each has a main method that prints its figures as {@code name=value} and runs in a JVM of its
 * own, for one may die of what it does. {@link dev.staunch.bench.process.Launch} starts them. What
 * is timed is in {@code timed}.
 */
@NullMarked
package dev.staunch.bench.counted;

import org.jspecify.annotations.NullMarked;
