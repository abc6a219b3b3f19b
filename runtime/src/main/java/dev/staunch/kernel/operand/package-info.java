/**
 * What every tensor kernel needs to check its operands and to make its results.
 *
 * <p>Before the loop, {@link dev.staunch.kernel.operand.OperandChecks} and {@link
 * dev.staunch.kernel.operand.Dimensions} check arguments, {@link
 * dev.staunch.kernel.operand.Promotion} finds the dtype, and {@link
 * dev.staunch.kernel.operand.Scalars} and {@link dev.staunch.kernel.operand.Positions} read Python
 * numbers and indices. In the loop, {@link dev.staunch.kernel.operand.Operand} moves elements of
 * any dtype to arrays and back, and {@link dev.staunch.kernel.operand.Places} gives their
 * positions. After the loop, {@link dev.staunch.kernel.operand.Views} decides what a view inherits.
 *
 * <p>Start with {@link dev.staunch.kernel.operand.Composite}, an operation made of other
 * operations. Its {@link dev.staunch.kernel.operand.Steps} can be computed or only inferred.
 *
 * <p>This package depends on the contract, {@code dev.staunch.kernel}. Loops over elements are in
 * {@code loop}. Code that only one family of operations needs belongs to that family.
 */
package dev.staunch.kernel.operand;
