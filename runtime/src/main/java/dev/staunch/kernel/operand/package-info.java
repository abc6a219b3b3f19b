/**
 * What every kernel of tensors asks of its operands, and does with its results.
 *
 * <p>Before the loop: {@link dev.staunch.kernel.operand.OperandChecks} and {@link
 * dev.staunch.kernel.operand.Dimensions} check arguments, {@link
 * dev.staunch.kernel.operand.Promotion} finds the dtype, {@link dev.staunch.kernel.operand.Scalars}
 * and {@link dev.staunch.kernel.operand.Positions} read Python's numbers and indices. In it: {@link
 * dev.staunch.kernel.operand.Operand} moves elements of any dtype to arrays and back, {@link
 * dev.staunch.kernel.operand.Places} says where they lie. Behind it: {@link
 * dev.staunch.kernel.operand.Views} says what a view inherits.
 *
 * <p>Door: {@link dev.staunch.kernel.operand.Composite}, an operation made of others: its {@link
 * dev.staunch.kernel.operand.Steps} are computed, or inferred.
 *
 * <p>Below is the contract, {@code dev.staunch.kernel}. Not here: loops over elements ({@code
 * loop}), and what only one family of operations needs.
 */
package dev.staunch.kernel.operand;
