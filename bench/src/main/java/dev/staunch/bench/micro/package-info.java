/**
 * Micro-benchmarks with JMH: what one operation, one task, one tensor or one fault costs, in time
 * and in allocated bytes.
 *
 * <p>Run them with {@code bench/run jmh}; results of earlier runs stand in {@code bench/baseline}.
 * Everything is driven through the runtime's public API. Whoever wants a comparison with a peer
 * finds it in {@code dev.staunch.bench}, not here.
 */
@NullMarked
package dev.staunch.bench.micro;

import org.jspecify.annotations.NullMarked;
