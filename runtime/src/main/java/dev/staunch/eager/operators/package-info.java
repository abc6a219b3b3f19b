/**
 * The operators of a tensor, grouped by purpose into one interface each.
 *
 * <p>Entry point: {@link dev.staunch.eager.operators.Applicable}, which calls an operation of the
 * catalog by name; every operator is such a call. {@link dev.staunch.eager.operators.Arithmetic},
 * {@link dev.staunch.eager.operators.Reductions} and the other groups are generic in the handle
 * type that they return, so none of them depends on {@code eager.Tensor}, which implements them
 * all. The names are PyTorch's (docs/decisions/0005).
 */
package dev.staunch.eager.operators;
