/**
 * Models that answer inference requests.
 *
 * <p>Entry point: {@link dev.staunch.inference.Model}, which is loaded from an archive. It answers
 * an {@link dev.staunch.inference.InferenceRequest} with an {@link dev.staunch.inference.Answer}.
 * {@link dev.staunch.inference.ProtocolReader} and {@link dev.staunch.inference.ProtocolWriter}
 * read and write their JSON forms in the Open Inference Protocol V2. Each request is decoded into
 * its own memory scope, runs a plan and is encoded; then the scope is closed. A bad request fails
 * alone.
 *
 * <p>Neighbours: {@code dev.staunch.torchscript} loads archives, {@code dev.staunch.execute} runs
 * plans. The codec uses Jackson internally; no exported signature mentions it.
 *
 * <p>Not here: sockets, HTTP and metrics. No operator is computed here either.
 */
package dev.staunch.inference;
