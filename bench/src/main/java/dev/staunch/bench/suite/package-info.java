/**
 * Which rows a comparison has and what counts as good: the acceptance table of the project, as
 * code.
 *
 * <p>{@link dev.staunch.bench.suite.EngineSuite} and {@link dev.staunch.bench.suite.MemorySuite}
 * are the doors. They let JMH, the counting programs and {@code peer} measure in turn, round by
 * round, and judge the medians; {@link dev.staunch.bench.suite.EngineTimes} says which of JMH's
 * scores are the figures of a row. They measure nothing themselves.
 */
@NullMarked
package dev.staunch.bench.suite;

import org.jspecify.annotations.NullMarked;
