/**
 * Races within the package {@code execute}: the runs that wait for their next request.
 *
 * <p>Each test is a few instructions on two or three threads, run millions of times on fresh
 * objects; only the outcomes that it lists may ever occur. The tests are in the package under test
 * because they use its package-private classes. How to run them, and their results: docs/proofs.md.
 */
package dev.staunch.execute;
