/**
 * Programs as data: functions of blocks of operations over values that are defined once.
 *
 * <p>Door: {@link dev.staunch.ir.Function}, collected in a {@link dev.staunch.ir.Program}. An
 * {@link dev.staunch.ir.Operation} is one record that names an entry of the catalog, or one of the
 * few operations of {@link dev.staunch.ir.Structure} that the IR itself means: branches, loops,
 * calls, construction. {@link dev.staunch.ir.Verifier} checks a program before it runs, {@link
 * dev.staunch.ir.IrPrinter} prints one.
 *
 * <p>TorchScript archives and programs in MLIR text are both lowered to this form; {@code execute}
 * makes a plan of it. How operations compute is in {@code kernel}; this room knows them by name
 * only, and gets the rule that checks them against their schemas from its caller.
 */
package dev.staunch.ir;
