/**
 * Operations of MLIR programs, under the names of TensorFlow Runtime.
 *
 * <p>Entry point: {@link dev.staunch.tfrt.TfrtOperations}, which adds them to a catalog. Values are
 * {@code Integer}, {@code Long}, {@code Float}, {@code Double}, {@code Boolean} and {@link
 * dev.staunch.kernel.Chain}. Some operations exist for programs that test an executor: they fail,
 * cancel, or return their results later.
 *
 * <p>This package builds on the contract of kernels in the module {@code runtime}, whose standard
 * catalog has none of these operations. Not here: checking programs against the catalog ({@link
 * dev.staunch.execute.CatalogContract}); reading MLIR text ({@code dev.staunch.ir}).
 */
package dev.staunch.tfrt;
