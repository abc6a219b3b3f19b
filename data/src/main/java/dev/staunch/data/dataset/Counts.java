package dev.staunch.data.dataset;

import dev.staunch.fault.Fault;

/** Counts what was read. Any thread may read the counts; only the producer's thread writes them. */
final class Counts {
  private volatile DataMetrics now = new DataMetrics(0, 0, 0, 0, 0);
  private long epoch;
  private long batches;
  private long examples;
  private long faults;
  private long bytes;

  DataMetrics metrics() {
    return now;
  }

  void begin(long number) {
    epoch = number;
    publish();
  }

  void read(long inAll) {
    bytes = inAll;
  }

  void examples(int number) {
    examples += number;
  }

  void batch() {
    batches++;
    publish();
  }

  void fault(String name, Fault fault) {
    faults++;
    publish();
    DataEvents.fault(name, fault);
  }

  void epochRead(String name) {
    publish();
    DataEvents.epoch(name, now);
  }

  private void publish() {
    now = new DataMetrics(epoch, batches, examples, faults, bytes);
  }
}
