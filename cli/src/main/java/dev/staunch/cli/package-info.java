/**
 * The {@code staunch} command: reads arguments, calls the modules below, and prints.
 *
 * <p>Entry point: {@code Main}. There is one class for each subcommand. Only this package writes to
 * standard output and standard error: results go to the former, messages about problems to the
 * latter.
 *
 * <p>Neighbours: every other module; none of them depends on this one.
 *
 * <p>Not here: anything that a program would call as a library.
 */
package dev.staunch.cli;
