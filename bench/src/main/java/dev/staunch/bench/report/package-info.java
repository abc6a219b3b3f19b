/**
 * The result of a comparison: rows of a table, each with a figure of Staunch, a figure of the peer,
 * their ratio, a goal, and whether it was reached.
 *
 * <p>Start with {@link dev.staunch.bench.report.Row}; {@link dev.staunch.bench.report.Samples}
 * holds the measurements of several rounds and gives medians. This package neither measures nor
 * runs anything.
 */
@NullMarked
package dev.staunch.bench.report;

import org.jspecify.annotations.NullMarked;
