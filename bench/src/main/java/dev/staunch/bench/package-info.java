/**
 * The comparison of Staunch with a peer: {@code bench/run engine} and {@code bench/run memory}.
 *
 * <p>{@link dev.staunch.bench.Main} is the door. A suite ({@code suite}) says which rows there are
 * and what counts as good; {@code ours} measures Staunch through its public API, each figure in a
 * JVM of its own; {@code peer} runs the peer's programs beside it, in the same sitting; {@code
 * report} prints the table. {@code strategy} compares ways to give memory back and draws them.
 *
 * <p>Not here: micro-benchmarks of single calls, which are JMH's ({@code micro}).
 */
@NullMarked
package dev.staunch.bench;

import org.jspecify.annotations.NullMarked;
