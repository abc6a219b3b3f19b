package dev.staunch.kernel;

/** It is made of other operations. */
public non-sealed interface CompositeBody extends Body {}
