/**
 * Staunch beside libtorch: random programs run by both, and what differs.
 *
 * <p>Entry point: {@link dev.staunch.peers.SideBySide}, which starts processes, as libtorch may end
 * one. {@code RandomCase} is the program of a seed: {@code Arguments} makes what its operations
 * take, {@code Libtorch} calls the peer, {@code Comparison} says what differs, {@code Accepted}
 * which differences have a reason.
 */
@NullMarked
package dev.staunch.peers;

import org.jspecify.annotations.NullMarked;
