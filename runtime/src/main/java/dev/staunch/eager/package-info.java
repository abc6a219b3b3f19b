/**
 * Tensors as users handle them: values that may be faults, with the operator surface.
 *
 * <p>Doors: {@link dev.staunch.eager.Context} makes tensors and owns them; {@link
 * dev.staunch.eager.Tensor} is the handle. An operation goes straight down, through {@code
 * dispatch}, to a kernel, and straight up again. A handle that holds a fault hands it on to
 * whatever is computed from it, and throws it at each read.
 *
 * <p>The operators stand in groups, one sealed interface each, which {@code Tensor} implements:
 * {@link dev.staunch.eager.Arithmetic}, {@link dev.staunch.eager.Reductions}, {@link
 * dev.staunch.eager.Indexing} and so on; {@link dev.staunch.eager.Creation} and {@link
 * dev.staunch.eager.RandomCreation} make new tensors. Names are PyTorch's (docs/decisions/0005).
 *
 * <p>Thin on purpose: shapes, promotion and arithmetic are in {@code kernel}; memory is in {@code
 * memory}. Values that are still pending come with the engine's variables.
 */
package dev.staunch.eager;
