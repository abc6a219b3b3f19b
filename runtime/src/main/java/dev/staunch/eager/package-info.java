/**
 * Tensors as users handle them: handles that may be pending or hold a fault, with the operators.
 *
 * <p>Entry points: {@link dev.staunch.eager.Context} creates tensors and owns them. {@link
 * dev.staunch.eager.Tensor} is the handle; its operators are grouped in {@link
 * dev.staunch.eager.operators}. A call goes straight down and straight back up: it becomes a task
 * of {@code engine}, which decides where and when it runs, then a call to {@code dispatch}, then a
 * kernel. The alias marks of the operation's schema say what it reads and writes. A handle that
 * holds a fault passes it on to every result computed from it, and throws it at each read.
 *
 * <p>{@link dev.staunch.eager.Creation} and {@link dev.staunch.eager.RandomCreation} create new
 * tensors, {@link dev.staunch.eager.Indexing} selects parts of them, and {@link
 * dev.staunch.eager.Reading} copies elements out of the runtime.
 *
 * <p>This package is thin on purpose. Shapes, promotion and arithmetic are in {@code kernel};
 * memory is in {@code memory}; ordering, waiting and cancellation are in {@code engine}.
 */
package dev.staunch.eager;
