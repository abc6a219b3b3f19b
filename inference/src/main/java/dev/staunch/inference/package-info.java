/**
 * Models that answer inference requests.
 *
 * <p>This package holds a model's signature, its requests and responses, and their JSON and binary
 * forms in the Open Inference Protocol V2, and batches in which a bad request fails alone. Each
 * request is decoded into its own memory scope, runs a plan and is encoded; then the scope is
 * closed.
 *
 * <p>Neighbours: {@code dev.staunch.torchscript} loads archives, {@code dev.staunch.execute} runs
 * plans. The codec uses Jackson internally; no exported signature mentions it.
 *
 * <p>Not here: sockets, HTTP and metrics. No operator is computed here either.
 */
package dev.staunch.inference;
