/**
 * Replays calls that another runtime recorded, and says where a model's answers differ.
 *
 * <p>Door: {@link dev.staunch.inference.recorded.Replay}, for {@link
 * dev.staunch.inference.recorded.RecordedCases} read from the JSON file that lies beside an
 * archive. A {@link dev.staunch.inference.recorded.Trace} notes each operation of a call, a {@link
 * dev.staunch.inference.recorded.RecordedRun} writes it, and {@link
 * dev.staunch.inference.recorded.FirstDifference} finds where two part.
 *
 * <p>Neighbours: {@link dev.staunch.inference.Model} makes the calls. Which archives to look at,
 * and what to print of them, is the command line's business. Tolerances are stated at the
 * comparison.
 */
package dev.staunch.inference.recorded;
