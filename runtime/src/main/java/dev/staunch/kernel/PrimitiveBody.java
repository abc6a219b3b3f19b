package dev.staunch.kernel;

/** A kernel of its own fills new tensors, whose forms are inferred before. */
public non-sealed interface PrimitiveBody extends Body {}
