/** Races of who comes into a model, leaves it and closes it. */
@NullMarked
package dev.staunch.inference;

import org.jspecify.annotations.NullMarked;
