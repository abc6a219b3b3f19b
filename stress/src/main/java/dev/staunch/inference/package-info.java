/**
 * Races of who comes into a model, leaves it and closes it.
 *
 * <p>Each test is a few instructions on two or three threads, run millions of times on fresh
 * objects; the outcomes named are all that may ever be seen. They stand in the package of the model
 * because they see what it keeps to itself. How to run them, and what came of it: docs/proofs.md.
 */
@NullMarked
package dev.staunch.inference;

import org.jspecify.annotations.NullMarked;
