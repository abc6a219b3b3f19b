/**
 * What the tests of several modules share: golden cases, seeds, injected faults, leak checks.
 *
 * <p>A golden case is a text file with a program, its inputs and the expected results; every
 * executor runs the same files. A random test prints its one seed, and takes it back to repeat a
 * failure.
 *
 * <p>Neighbours: {@code dev.staunch.runtime} only, so any other module's tests may use it. The
 * tests of {@code runtime} itself do not, for the build has no cycles.
 *
 * <p>Not here: tests.
 */
package dev.staunch.testkit;
