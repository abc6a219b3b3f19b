/**
 * Operations that are short programs of other operations: views that write into a copy, sequence
 * padding, losses over labels, and weight normalisation.
 *
 * <p>Start with {@link dev.staunch.kernel.composed.ComposedOperations}.
 */
@NullMarked
package dev.staunch.kernel.composed;

import org.jspecify.annotations.NullMarked;
