/**
 * Races among threads that enter a model, leave it and close it.
 *
 * <p>Each test is a few instructions on two or three threads, run millions of times on fresh
 * objects; only the outcomes that it lists may ever occur. The tests are in the package of the
 * model because they use its package-private classes. How to run them, and their results:
 * docs/proofs.md.
 */
@NullMarked
package dev.staunch.inference;

import org.jspecify.annotations.NullMarked;
