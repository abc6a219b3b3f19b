/**
 * What an operation is, as data: whoever wants to know what one takes, gives and does asks here,
 * and nobody keeps lists of names. Nothing is computed.
 *
 * <p>Door: {@link dev.staunch.operation.OperationDefinition}. Its {@link
 * dev.staunch.operation.Schema} is the contract, as libtorch writes it, read by {@link
 * dev.staunch.operation.SchemaText}. Its {@link dev.staunch.operation.Effects} are what the
 * schema's own marks say, and what its {@link dev.staunch.operation.Trait}s add to that.
 *
 * <p>What an operation gives is known before it runs, as far as its entry has an {@link
 * dev.staunch.operation.Inference}: from {@link dev.staunch.operation.Operands}, of which tensors
 * are known by their {@link dev.staunch.operation.TensorForm}.
 *
 * <p>What a call takes in time and memory is its {@link dev.staunch.operation.Cost}, told from the
 * same forms.
 *
 * <p>What a pointwise operation computes is a {@link dev.staunch.operation.Formula}, of which
 * {@link dev.staunch.operation.Expression}s are read.
 *
 * <p>Below are {@code type} and {@code fault}. Above are {@code ir}, whose programs are made of
 * operations, and {@code kernel}, whose catalog says how each is computed.
 */
package dev.staunch.operation;
