/**
 * The rows of a comparison and their goals: the acceptance table of the project, as code.
 *
 * <p>Start with {@link dev.staunch.bench.suite.EngineSuite} and {@link
 * dev.staunch.bench.suite.MemorySuite}. They let JMH, the counting programs and {@code peer}
 * measure in turn, round by round, and judge the medians. {@link
 * dev.staunch.bench.suite.EngineTimes} selects the figures of a row from JMH's scores. This package
 * measures nothing itself.
 */
@NullMarked
package dev.staunch.bench.suite;

import org.jspecify.annotations.NullMarked;
