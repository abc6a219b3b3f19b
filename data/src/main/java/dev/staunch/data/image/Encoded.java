package dev.staunch.data.image;

import dev.staunch.data.decode.Place;

/**
 * An image before it is decoded; its bytes fill the part.
 *
 * @param place where it comes from
 * @param seed the seed for its random changes
 */
@SuppressWarnings("ArrayRecordComponent") // made for one reader
record Encoded(Place place, float[] labels, long seed) {}
