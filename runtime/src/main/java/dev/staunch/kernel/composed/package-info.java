/**
 * Operations that are short programs of others: views that write into a copy, sequences padded,
 * losses over labels, weights that are normed.
 *
 * <p>Door: {@link dev.staunch.kernel.composed.ComposedOperations}.
 */
@NullMarked
package dev.staunch.kernel.composed;

import org.jspecify.annotations.NullMarked;
