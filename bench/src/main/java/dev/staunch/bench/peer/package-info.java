/**
 * The peer: MXNet 1.9.1, whose native library programs outside this project drive through its C
 * interface and through DJL.
 *
 * <p>{@link dev.staunch.bench.peer.Mxnet} is the door: it starts the programs and reads the figures
 * that they print. Nothing of the peer is part of Staunch; where it is absent, its figures are.
 */
@NullMarked
package dev.staunch.bench.peer;

import org.jspecify.annotations.NullMarked;
