/**
 * The peer: MXNet 1.9.1. Programs outside this project drive its native library through its C
 * interface and through DJL.
 *
 * <p>Start with {@link dev.staunch.bench.peer.Mxnet}: it starts the programs and reads the figures
 * that they print. Nothing of the peer is part of Staunch; if the peer is absent, its figures are
 * too.
 */
@NullMarked
package dev.staunch.bench.peer;

import org.jspecify.annotations.NullMarked;
