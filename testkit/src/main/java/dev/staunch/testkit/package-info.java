/**
 * Code that the tests of several modules share: golden cases, seeds, injected faults, leak checks.
 *
 * <p>A golden case is a text file with a program, its inputs and the expected results; every
 * executor runs the same files. A randomised test prints its one seed, and accepts it again to
 * reproduce a failure.
 *
 * <p>Neighbours: only {@code dev.staunch.runtime}, so the tests of any other module may use this
 * one. The tests of {@code runtime} itself do not, because the build has no cycles.
 *
 * <p>Not here: tests.
 */
package dev.staunch.testkit;
