/**
 * Compares five ways to give the memory of tensors back, on one training loop: close each tensor,
 * close a scope for each step, or leave it to the garbage collector, which is called now and then,
 * called at a threshold, or not called at all.
 *
 * <p>Start with {@link dev.staunch.bench.strategy.Strategy}. {@link
 * dev.staunch.bench.strategy.StrategyRun} is the main class of the JVM that trains with one
 * strategy, and {@link dev.staunch.bench.strategy.StrategyPlot} draws the bytes that all of them
 * held over time. Strategies differ only in the way memory is given back: the model, its data and
 * the JVM are the same.
 */
@NullMarked
package dev.staunch.bench.strategy;

import org.jspecify.annotations.NullMarked;
