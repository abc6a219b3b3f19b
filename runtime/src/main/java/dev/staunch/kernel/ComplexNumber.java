package dev.staunch.kernel;

/** A complex scalar of programs. */
public record ComplexNumber(double re, double im) {}
