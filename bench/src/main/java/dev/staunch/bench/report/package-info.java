/**
 * What a comparison says: rows of a table with a figure of ours, one of the peer, their ratio, a
 * goal and whether it was reached.
 *
 * <p>{@link dev.staunch.bench.report.Row} is the door; {@link dev.staunch.bench.report.Samples}
 * holds what several rounds measured and gives medians. Measures and runs nothing.
 */
@NullMarked
package dev.staunch.bench.report;

import org.jspecify.annotations.NullMarked;
