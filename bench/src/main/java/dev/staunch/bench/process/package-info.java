/**
 * Runs programs beside this one and reads what they print.
 *
 * <p>{@link dev.staunch.bench.process.Programs} is the door; {@link
 * dev.staunch.bench.process.Launch} runs those of this module. Programs run one after the other,
 * never two at a time, for they are being timed; each has a limit, for a peer may hang.
 */
@NullMarked
package dev.staunch.bench.process;

import org.jspecify.annotations.NullMarked;
