package dev.staunch.data.dataset;

/**
 * What an iterator has read so far, of all epochs; ahead of what was taken.
 *
 * @param epoch the one being read, counted from 0
 * @param batches made
 * @param examples read well
 * @param faults found, whatever became of them
 * @param bytesRead of the input, unpacked
 */
public record DataMetrics(long epoch, long batches, long examples, long faults, long bytesRead) {}
