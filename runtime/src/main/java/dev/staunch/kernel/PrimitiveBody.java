package dev.staunch.kernel;

/** An operation whose own kernel fills new tensors, with forms that are inferred beforehand. */
public non-sealed interface PrimitiveBody extends Body {}
