/**
 * Whole models, as services run them: ours in a JVM of their own for each row, and what JVM users
 * would take instead.
 *
 * <p>{@link dev.staunch.bench.model.ModelTimes} is the program of ours; {@link
 * dev.staunch.bench.model.ModelPeers} runs those of the peers, which are not part of Staunch. Rows
 * are named {@code MODEL@BATCH} everywhere. What judges them is in {@code suite}.
 */
@NullMarked
package dev.staunch.bench.model;

import org.jspecify.annotations.NullMarked;
