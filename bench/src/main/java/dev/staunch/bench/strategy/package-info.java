/**
 * Five ways to give tensors' memory back, compared on one training loop: close each tensor, close a
 * scope for each step, or leave it to the garbage collector, which is asked now and then, asked at
 * a threshold, or not asked at all.
 *
 * <p>{@link dev.staunch.bench.strategy.Strategy} is the door; {@link
 * dev.staunch.bench.strategy.StrategyRun} is the main class of the JVM that trains with one of
 * them, {@link dev.staunch.bench.strategy.StrategyPlot} draws what all of them held over time. Only
 * the way memory is given back differs: the model, its data and the JVM are the same.
 */
@NullMarked
package dev.staunch.bench.strategy;

import org.jspecify.annotations.NullMarked;
