/**
 * The comparison of Staunch with its peers: the suites that {@code bench/run} runs.
 *
 * <p>Start with {@link dev.staunch.bench.Main}. A suite ({@code suite}) defines the rows and their
 * goals. Staunch is measured through its public API: {@code jmh} lets JMH time the benchmarks of
 * {@code timed}; the programs of {@code counted} count. {@code peer} runs the peer's programs in
 * the same session, and {@code report} prints the table. {@code strategy} compares ways to give
 * memory back and draws them.
 *
 * <p>Not here: running benchmarks without a peer, which JMH's own main class does.
 */
@NullMarked
package dev.staunch.bench;

import org.jspecify.annotations.NullMarked;
