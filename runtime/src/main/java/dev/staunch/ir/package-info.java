/**
 * Programs as data: functions of blocks of operations over values that are defined once.
 *
 * <p>Entry point: {@link dev.staunch.ir.Function}; a {@link dev.staunch.ir.Program} holds several.
 * The {@link dev.staunch.ir.Operator} of an {@link dev.staunch.ir.Operation} says what it does. It
 * is either an operation that a kernel computes, given by its definition and attributes, or one of
 * the few operations of {@link dev.staunch.ir.Structure} that the IR itself defines: branches,
 * loops, calls, construction. An {@link dev.staunch.ir.Attribute} is a value that an operation
 * knows before it runs.
 *
 * <p>{@link dev.staunch.ir.Verifier} checks a program before it runs. {@link
 * dev.staunch.ir.ProgramPrinter} prints a program, whether of a script or of dataflow, and {@link
 * dev.staunch.ir.ProgramText} reads that text back as the same program.
 *
 * <p>TorchScript archives and programs in MLIR text are both lowered to this form, and {@code
 * execute} makes plans of it. What operations are is in {@code operation}. How they compute is in
 * {@code kernel}, which this package does not depend on; the caller supplies the rule that checks
 * calls against schemas.
 */
package dev.staunch.ir;
