/**
 * Runs programs beside this one and reads their output.
 *
 * <p>Start with {@link dev.staunch.bench.process.Programs}; {@link
 * dev.staunch.bench.process.Launch} runs programs of this module. Programs run one after the other,
 * never two at a time, because they are being timed. Each has a time limit, because a peer may
 * hang.
 */
@NullMarked
package dev.staunch.bench.process;

import org.jspecify.annotations.NullMarked;
