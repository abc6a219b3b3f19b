/**
 * Whole models, as services run them: Staunch in a separate JVM for each row, and the alternatives
 * that JVM users have.
 *
 * <p>{@link dev.staunch.bench.model.ModelTimes} is Staunch's program. {@link
 * dev.staunch.bench.model.ModelPeers} runs the programs of the peers, which are not part of
 * Staunch. Rows are named {@code MODEL@BATCH} everywhere. The suites in {@code suite} judge the
 * results.
 */
@NullMarked
package dev.staunch.bench.model;

import org.jspecify.annotations.NullMarked;
