/**
 * Races within the room {@code kernel}: what requests share of a model, and its random numbers.
 *
 * <p>Each test is a few instructions on two or three threads, run millions of times on fresh
 * objects; the outcomes named are all that may ever be seen. They stand in the room's own package
 * because they see what it keeps to itself. How to run them, and what came of it: docs/proofs.md.
 */
package dev.staunch.kernel;
