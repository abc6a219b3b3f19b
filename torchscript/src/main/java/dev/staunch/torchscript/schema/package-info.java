/**
 * Operation schemas in PyTorch's notation, and the choice among overloads.
 *
 * <p>Parses a schema's text, matches a call's arguments against it, and fills in defaults. When no
 * overload fits, the fault lists what was tried and why each was refused.
 *
 * <p>Neighbours: {@code dev.staunch.kernel} holds the catalog; {@code lower} asks.
 *
 * <p>Not here: kernels and shape rules.
 */
package dev.staunch.torchscript.schema;
