/**
 * Recurrent layers, {@code lstm}, {@code gru} and the plain ones: over padded batches, over packed
 * sequences, and as single steps.
 *
 * <p>Start with {@link dev.staunch.kernel.recurrent.RecurrentOperations}. A checked call becomes a
 * {@code RecurrentPlan}. {@code RecurrentNetwork} walks its layers, {@code RecurrentDirection}
 * walks the time steps of one direction, and {@code RecurrentCell} computes one step. {@code
 * SequenceSteps} says how many sequences take part in each step.
 *
 * <p>The input of all time steps is multiplied in one product, so each step computes only the
 * product with the state.
 *
 * <p>This package depends on {@code linear}, {@code formula}, {@code scalar}, {@code loop} and
 * {@code operand}. Attention is in {@code attention}, embeddings in {@code neural}.
 */
package dev.staunch.kernel.recurrent;
