/**
 * A model that answers requests.
 *
 * <p>Holds a model's signature, requests and responses, their JSON and binary forms in the Open
 * Inference Protocol V2, and batching in which a bad request fails alone. Each request decodes into
 * one scope, runs a plan, is encoded, and the scope closes.
 *
 * <p>Neighbours: {@code dev.staunch.torchscript} loads, {@code dev.staunch.execute} runs. Jackson
 * is used inside the codec and appears in no exported signature.
 *
 * <p>Not here: sockets, HTTP and metrics; and no operation is computed here.
 */
package dev.staunch.inference;
