/**
 * The operators of a tensor, in groups: one interface for each thing that they are for.
 *
 * <p>Door: {@link dev.staunch.eager.operators.Applicable}, which calls an operation of the catalog
 * by its name; every operator is such a call. {@link dev.staunch.eager.operators.Arithmetic},
 * {@link dev.staunch.eager.operators.Reductions} and so on are generic in the handle that they
 * return, so that none of them knows {@code eager.Tensor}, which implements them all. Names are
 * PyTorch's (docs/decisions/0005).
 */
package dev.staunch.eager.operators;
