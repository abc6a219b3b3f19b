/**
 * The {@code staunch} command: reads arguments, calls the modules below, prints.
 *
 * <p>Door: {@code Main}. There is one class for each subcommand. This is the only package that
 * writes to standard output and standard error; results go to the first, complaints to the second.
 *
 * <p>Neighbours: every other module; none knows this one.
 *
 * <p>Not here: anything that a program would want to call as a library.
 */
package dev.staunch.cli;
