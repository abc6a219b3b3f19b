/**
 * Operations of programs in MLIR text under the names of TensorFlow Runtime.
 *
 * <p>Door: {@link dev.staunch.tfrt.TfrtOperations}, which adds them to a catalog; values are {@code
 * Integer}, {@code Long}, {@code Float}, {@code Double}, {@code Boolean} and {@link
 * dev.staunch.kernel.Chain}. Some of them exist for the test programs of an executor: they fail,
 * cancel, or arrive later.
 *
 * <p>Below is the contract of kernels in the module {@code runtime}, whose standard catalog has
 * none of them. Not here: checking programs against the catalog ({@link
 * dev.staunch.execute.CatalogContract}); reading MLIR text ({@code dev.staunch.ir}).
 */
package dev.staunch.tfrt;
