/**
 * Operations as data: what each one takes, returns and does. Every other package asks here instead
 * of keeping lists of names. Nothing is computed here.
 *
 * <p>Entry point: {@link dev.staunch.operation.OperationDefinition}. Its {@link
 * dev.staunch.operation.Schema} is the contract in libtorch's notation, parsed by {@link
 * dev.staunch.operation.SchemaText}. Its {@link dev.staunch.operation.Effects} combine the schema's
 * own marks with the definition's {@link dev.staunch.operation.Trait}s.
 *
 * <p>If an operation has an {@link dev.staunch.operation.Inference}, its results are known before
 * it runs. They are inferred from {@link dev.staunch.operation.Operands}, in which a {@link
 * dev.staunch.operation.TensorForm} stands for each tensor.
 *
 * <p>The {@link dev.staunch.operation.Cost} of a call, in time and memory, follows from the same
 * forms.
 *
 * <p>A {@link dev.staunch.operation.Formula} says what a pointwise operation computes; its text is
 * read as {@link dev.staunch.operation.Expression}s.
 *
 * <p>A check that refuses a dtype says which it {@linkplain dev.staunch.operation.ExpectedDType
 * expected}.
 *
 * <p>Below are {@code type} and {@code fault}. Above are {@code ir}, whose programs are made of
 * operations, and {@code kernel}, whose catalog says how each is computed.
 */
package dev.staunch.operation;
