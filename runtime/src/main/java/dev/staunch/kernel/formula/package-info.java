/**
 * The rules of pointwise operations. Each rule is a formula; the build generates one loop per kind
 * of number from it ({@code src/generator}) before the compiler runs. No two formulas share a loop,
 * so running one never slows down another.
 *
 * <p>Start with {@code Formulas}, which is generated: it has a constant or a method for each
 * formula. To add a formula, edit {@code pointwise.formulas}. Code that does not fit in an
 * expression belongs in {@link dev.staunch.kernel.formula.RealFunctions} and {@link
 * dev.staunch.kernel.formula.IntegerFunctions}.
 *
 * <p>This package depends on {@code loop}, whose {@link dev.staunch.kernel.loop.Rule} defines what
 * a rule is, and on {@code scalar}. The names, dtypes and checks of the operations are in {@code
 * pointwise} and other packages above.
 */
package dev.staunch.kernel.formula;
