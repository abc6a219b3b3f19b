/**
 * Tensors as users handle them: values that may be pending or faults, with the operator surface.
 *
 * <p>Doors: {@link dev.staunch.eager.Context} makes tensors and owns them; {@link
 * dev.staunch.eager.Tensor} is the handle, its operators in groups ({@link
 * dev.staunch.eager.operators}). An operation goes straight down: a task to {@code engine}, which
 * decides where and when, a call to {@code dispatch}, a kernel; and straight up again. What it
 * reads and writes is known from the alias marks of its schema. A handle that holds a fault hands
 * it on to whatever is computed from it, and throws it at each read.
 *
 * <p>{@link dev.staunch.eager.Creation} and {@link dev.staunch.eager.RandomCreation} make new
 * tensors, {@link dev.staunch.eager.Indexing} takes parts of them, {@link
 * dev.staunch.eager.Reading} leads out of the runtime.
 *
 * <p>Thin on purpose: shapes, promotion and arithmetic are in {@code kernel}; memory is in {@code
 * memory}; order, waiting and cancelling in {@code engine}.
 */
package dev.staunch.eager;
