/**
 * Programs as data: functions of blocks of operations over values that are defined once.
 *
 * <p>Door: {@link dev.staunch.ir.Function}, collected in a {@link dev.staunch.ir.Program}. What an
 * {@link dev.staunch.ir.Operation} does is an {@link dev.staunch.ir.Operator}: an operation that is
 * computed, by its definition and with its attributes, or one of the few of {@link
 * dev.staunch.ir.Structure} that the IR itself means: branches, loops, calls, construction. What an
 * operation knows before it runs is an {@link dev.staunch.ir.Attribute}.
 *
 * <p>{@link dev.staunch.ir.Verifier} checks a program before it runs. {@link
 * dev.staunch.ir.ProgramPrinter} prints one, of a script or of dataflow, as a text that {@link
 * dev.staunch.ir.ProgramText} reads as the same program.
 *
 * <p>TorchScript archives and programs in MLIR text are both lowered to this form; {@code execute}
 * makes a plan of it. What operations are is in {@code operation}, how they compute in {@code
 * kernel}, which this room does not know; the rule that checks calls against schemas comes from the
 * caller.
 */
package dev.staunch.ir;
