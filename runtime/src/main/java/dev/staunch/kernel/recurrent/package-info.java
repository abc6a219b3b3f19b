/**
 * Recurrent layers: {@code lstm}, {@code gru} and the plain ones; over padded batches, over packed
 * sequences, and single steps.
 *
 * <p>Door: {@link dev.staunch.kernel.recurrent.RecurrentOperations}. A call becomes a {@code
 * RecurrentPlan}, checked; {@code RecurrentNetwork} walks its layers, {@code RecurrentDirection}
 * the time steps of one; {@code RecurrentCell} is what happens in a step. {@code SequenceSteps}
 * says how many sequences take part in each.
 *
 * <p>Input is multiplied for all time steps at once, so that only the state's product is left to do
 * step by step.
 *
 * <p>Below are {@code linear}, {@code pointwise}, {@code scalar}, {@code loop} and {@code operand}.
 * Not here: attention, embeddings.
 */
package dev.staunch.kernel.recurrent;
