package dev.staunch.data.image;

import dev.staunch.data.decode.Place;

/**
 * An image before it is decoded, in a part whose bytes it fills.
 *
 * @param place where it comes from
 * @param seed of what is done to it at random
 */
@SuppressWarnings("ArrayRecordComponent") // made for one reader
record Encoded(Place place, float[] labels, long seed) {}
