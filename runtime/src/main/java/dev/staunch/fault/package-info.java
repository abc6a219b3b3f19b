/**
 * What went wrong, as a value, and what it becomes at the edge.
 *
 * <p>Door: {@link dev.staunch.fault.Fault}. Below the edge an operation that fails puts one in each
 * result it could not produce; at the edge {@link dev.staunch.fault.Fault#toException} turns it
 * into the {@link dev.staunch.fault.StaunchException} of its {@link dev.staunch.fault.FaultType}.
 * {@link dev.staunch.fault.Report} prints one whole.
 *
 * <p>A fault names its operation, its operands and the {@link dev.staunch.fault.SourceLocation}
 * that asked for it: a line of the model's Python source, of a program text, or of a data file. All
 * of that is gathered on the failure path; nothing here runs while things go well, but what {@code
 * dev.staunch.fault.jvm} holds.
 *
 * <p>This room has no neighbours below. Propagation is not here ({@code dispatch}, {@code
 * execute}), nor is cancellation ({@code engine}), which hands out faults like everybody else.
 */
package dev.staunch.fault;
