/**
 * Replays calls that another runtime recorded, and reports where a model's answers differ.
 *
 * <p>Entry point: {@link dev.staunch.inference.recorded.Replay}, for {@link
 * dev.staunch.inference.recorded.RecordedCases} read from the JSON file next to an archive. A
 * {@link dev.staunch.inference.recorded.Trace} records each operation of a call, a {@link
 * dev.staunch.inference.recorded.RecordedRun} writes it to a file, and {@link
 * dev.staunch.inference.recorded.FirstDifference} finds the first operation at which two traces
 * differ.
 *
 * <p>Neighbours: {@link dev.staunch.inference.Model} makes the calls. The command line decides
 * which archives to replay and what to print. Each comparison documents its tolerances.
 */
package dev.staunch.inference.recorded;
