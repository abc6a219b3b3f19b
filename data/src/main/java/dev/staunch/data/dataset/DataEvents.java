package dev.staunch.data.dataset;

import dev.staunch.fault.Fault;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Java Flight Recorder events of data iterators; does nothing while no recording runs. */
final class DataEvents {
  private DataEvents() {}

  @Name("dev.staunch.DataFault")
  @Label("Data Fault")
  @Description("An example could not be read")
  @Category({"Staunch", "Data"})
  @StackTrace(false)
  static final class DataFault extends Event {
    @Label("Dataset")
    @Nullable String dataset;

    @Label("Place")
    @Nullable String place;

    @Label("Message")
    @Nullable String message;
  }

  @Name("dev.staunch.DataEpoch")
  @Label("Data Epoch")
  @Description("An epoch was read to its end; the figures are of all epochs so far")
  @Category({"Staunch", "Data"})
  @StackTrace(false)
  static final class DataEpoch extends Event {
    @Label("Dataset")
    @Nullable String dataset;

    @Label("Epoch")
    long epoch;

    @Label("Batches")
    long batches;

    @Label("Examples")
    long examples;

    @Label("Faults")
    long faults;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;
  }

  static void fault(String name, Fault fault) {
    if (!FlightRecorder.isInitialized()) {
      return;
    }
    DataFault event = new DataFault();
    if (event.shouldCommit()) {
      event.dataset = name;
      event.place = fault.input();
      event.message = fault.message();
      event.commit();
    }
  }

  static void epoch(String name, DataMetrics metrics) {
    if (!FlightRecorder.isInitialized()) {
      return;
    }
    DataEpoch event = new DataEpoch();
    if (event.shouldCommit()) {
      event.dataset = name;
      event.epoch = metrics.epoch();
      event.batches = metrics.batches();
      event.examples = metrics.examples();
      event.faults = metrics.faults();
      event.bytesRead = metrics.bytesRead();
      event.commit();
    }
  }
}
