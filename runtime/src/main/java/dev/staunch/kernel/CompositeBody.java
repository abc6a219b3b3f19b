package dev.staunch.kernel;

/** The operation is made of other operations. */
public non-sealed interface CompositeBody extends Body {}
