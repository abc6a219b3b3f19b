package dev.staunch.kernel;

/** A kernel of its own fills one new tensor, whose form is inferred before. */
public non-sealed interface PrimitiveBody extends Body {}
