/**
 * Programs as data: functions of blocks of operations over values that are defined once.
 *
 * <p>Door: {@link dev.staunch.ir.Function}, collected in a {@link dev.staunch.ir.Program}. What an
 * {@link dev.staunch.ir.Operation} does is an {@link dev.staunch.ir.Operator}: an entry of the
 * catalog with its attributes, or one of the few of {@link dev.staunch.ir.Structure} that the IR
 * itself means: branches, loops, calls, construction. What an operation knows before it runs is an
 * {@link dev.staunch.ir.Attribute}.
 *
 * <p>{@link dev.staunch.ir.Verifier} checks a program before it runs. {@link
 * dev.staunch.ir.ProgramPrinter} prints one, of a script or of dataflow, as a text that {@link
 * dev.staunch.ir.ProgramText} reads as the same program.
 *
 * <p>TorchScript archives and programs in MLIR text are both lowered to this form; {@code execute}
 * makes a plan of it. How operations compute is in {@code kernel}; this room knows them by name
 * only, and gets the rule that checks them against their schemas from its caller.
 */
package dev.staunch.ir;
