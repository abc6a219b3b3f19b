/**
 * Operations of programs in MLIR text under the names of TensorFlow Runtime.
 *
 * <p>Door: {@link dev.staunch.kernel.tfrt.TfrtOperations}, part of the standard operations; values
 * are {@code Integer}, {@code Long}, {@code Float}, {@code Double}, {@code Boolean} and {@link
 * dev.staunch.kernel.Chain}. {@link dev.staunch.kernel.tfrt.TfrtTestOperations} are those that
 * TensorFlow Runtime's own test programs need: they fail, cancel, or arrive later.
 *
 * <p>Below is the contract alone. Not here: checking programs against the catalog ({@link
 * dev.staunch.kernel.CatalogContract}); reading MLIR text.
 */
package dev.staunch.kernel.tfrt;
