/**
 * The rules of pointwise operations: for each a formula, of which a loop for each kind of number is
 * made before the compiler runs ({@code src/generator}). No loop is shared by two formulas, so none
 * gets slower because another has run.
 *
 * <p>Door: {@code Formulas}, generated: a constant or a method for each formula. A formula is added
 * in {@code pointwise.formulas}; what does not fit in an expression stands in {@link
 * dev.staunch.kernel.formula.RealFunctions} and {@link
 * dev.staunch.kernel.formula.IntegerFunctions}.
 *
 * <p>Below are {@code loop}, where {@link dev.staunch.kernel.loop.Rule} says what a rule is, {@code
 * scalar} and {@code operand}. Not here: names, dtypes and checks of operations ({@code pointwise}
 * and others above).
 */
package dev.staunch.kernel.formula;
