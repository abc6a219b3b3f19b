/**
 * Errors as values, and the exceptions that they become at the edge.
 *
 * <p>Entry point: {@link dev.staunch.fault.Fault}. Below the edge, an operation that fails puts a
 * fault in place of each result that it could not produce. At the edge, {@link
 * dev.staunch.fault.Fault#toException} turns the fault into the {@link
 * dev.staunch.fault.StaunchException} of its {@link dev.staunch.fault.FaultType}. {@link
 * dev.staunch.fault.Report} prints a fault in full.
 *
 * <p>A fault names its operation, its operands and the {@link dev.staunch.fault.SourceLocation}
 * that asked for it: a line of the model's Python source, of a program text, or of a data file. All
 * of this is gathered on the failure path. Except for {@code dev.staunch.fault.jvm}, nothing here
 * runs while operations succeed.
 *
 * <p>No package lies below this one. Not here: propagation ({@code dispatch}, {@code execute}) and
 * cancellation ({@code engine}), which creates faults as every other package does.
 */
package dev.staunch.fault;
