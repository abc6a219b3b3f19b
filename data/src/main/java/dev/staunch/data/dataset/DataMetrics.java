package dev.staunch.data.dataset;

/**
 * What an iterator has read so far, over all epochs; this runs ahead of what has been taken.
 *
 * @param epoch the epoch being read, counted from 0
 * @param batches how many batches were made
 * @param examples how many examples were read successfully
 * @param faults how many faults were found, however they were handled
 * @param bytesRead bytes of input, decompressed
 */
public record DataMetrics(long epoch, long batches, long examples, long faults, long bytesRead) {}
