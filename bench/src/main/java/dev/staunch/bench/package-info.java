/**
 * The comparison of Staunch with a peer: {@code bench/run engine} and {@code bench/run memory}.
 *
 * <p>{@link dev.staunch.bench.Main} is the door. A suite ({@code suite}) says which rows there are
 * and what counts as good. Staunch is measured through its public API: JMH, driven by {@code jmh},
 * times the benchmarks of {@code timed}; the programs of {@code counted} count. {@code peer} runs
 * the peer's programs beside it, in the same sitting; {@code report} prints the table. {@code
 * strategy} compares ways to give memory back and draws them.
 *
 * <p>Not here: running benchmarks without a peer, which JMH's own main class does.
 */
@NullMarked
package dev.staunch.bench;

import org.jspecify.annotations.NullMarked;
