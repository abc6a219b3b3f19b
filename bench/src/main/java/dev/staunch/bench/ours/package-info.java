/**
 * Measures Staunch through its public API, one figure to a JVM.
 *
 * <p>{@link dev.staunch.bench.ours.Measurement} lists what there is; {@link
 * dev.staunch.bench.ours.Child} is the main class of the JVM that takes one of them and prints its
 * figures as {@code name=value}; {@link dev.staunch.bench.ours.Launch} starts it and reads them.
 *
 * <p>Times are the best of several repetitions after a warm-up, as the peer's programs take theirs.
 * Medians over several JVMs are made by the suites.
 */
@NullMarked
package dev.staunch.bench.ours;

import org.jspecify.annotations.NullMarked;
