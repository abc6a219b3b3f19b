/**
 * Races within the package {@code engine}: turns, tasks and the account of unread faults.
 *
 * <p>Each test is a few instructions on two or three threads, run millions of times on fresh
 * objects; only the outcomes that it lists may ever occur. The tests are in the package under test
 * because they use its package-private classes. How to run them, and their results: docs/proofs.md.
 */
package dev.staunch.engine;
