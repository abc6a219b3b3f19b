package dev.staunch.data;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the source as the queue demands, and closes it at the end. Runs on one thread. */
final class Producer<B extends Batch> implements Runnable {
  /** A call to the source. */
  private interface Call<B extends Batch> {
    Item<B> on(Source<B> source) throws IOException, InterruptedException;
  }

  private final String name;
  private final Source<B> source;
  private final FaultPolicy<B> policy;
  private final BatchQueue<B> queue;
  private final Reports reports;
  private final BooleanSupplier abandoned;
  private long index;
  private long skippedFaults;

  /** The call to the source that is running, for messages about why it does not end. */
  private volatile String doing = "start";

  Producer(
      String name,
      Source<B> source,
      FaultPolicy<B> policy,
      BatchQueue<B> queue,
      Reports reports,
      BooleanSupplier abandoned) {
    this.name = name;
    this.source = source;
    this.policy = policy;
    this.queue = queue;
    this.reports = reports;
    this.abandoned = abandoned;
  }

  String doing() {
    return doing;
  }

  @Override
  public void run() {
    Object outcome = Guard.attempt(Producer::produce, this);
    Thread.interrupted(); // the source may need an uninterrupted thread to close
    Guard.attempt(Producer::closeSource, this);
    queue.end(outcome instanceof Fault fault ? fault : null);
  }

  /** Works until it is told to stop, or until nobody is left who could do so. */
  private Object produce() {
    while (true) {
      BatchQueue.Work work = queue.work();
      switch (work) {
        case PULL -> pull();
        case RESET -> reset();
        case STOP -> {
          return this;
        }
        case null -> {
          if (abandoned.getAsBoolean()) {
            abandon();
            return this;
          }
        }
      }
    }
  }

  private void abandon() {
    List<Item<B>> left = queue.close(Thread.currentThread());
    left.forEach(reports::discard);
    reports.tell(
        Fault.internal(
            "the prefetcher of " + name + " was dropped without a close; close it to free it"));
  }

  private Object closeSource() {
    doing = "close";
    Item<B> outcome =
        call(
            "close",
            closing -> {
              closing.close();
              return new Item.End<>();
            });
    reports.discard(outcome);
    return outcome;
  }

  private void reset() {
    index = 0;
    skippedFaults = 0;
    Item<B> outcome =
        call(
            "reset",
            resetting -> {
              Fault fault = resetting.reset();
              return fault == null ? new Item.End<>() : new Item.Bad<>(fault);
            });
    queue.resetDone(outcome instanceof Item.Bad<B>(Fault fault) ? fault : null);
  }

  private void pull() {
    String place = "batch " + index++;
    Item<B> item = call(place, Source::next);
    if (item instanceof Item.Bad<B>(Fault fault)) {
      item = decide(fault, place);
      if (item == null) {
        return;
      }
    }
    put(item, place);
  }

  private void put(Item<B> item, String place) {
    boolean placed = false;
    try {
      placed = queue.put(measured(item, place));
    } finally {
      if (!placed && (item instanceof Item.Good<B> || !queue.isClosed())) {
        reports.discard(item);
      }
    }
  }

  /** Makes the queue entry of an item; a batch that cannot tell its size becomes a fault. */
  private BatchQueue.Entry<B> measured(Item<B> item, String place) {
    if (!(item instanceof Item.Good<B>(B batch))) {
      return new BatchQueue.Entry<>(item, 0, skippedFaults);
    }
    Object size = Guard.attempt(Batch::bytes, batch);
    if (size instanceof Long bytes && bytes >= 0 && bytes <= BatchQueue.MOST_BYTES) {
      return new BatchQueue.Entry<>(item, bytes, skippedFaults);
    }
    reports.close(batch);
    Fault fault =
        size instanceof Fault thrown
            ? told(thrown, place)
            : Fault.internal(Message.of("%s of %s says that it holds %s bytes", place, name, size));
    return new BatchQueue.Entry<>(new Item.Bad<>(at(place, fault)), 0, skippedFaults);
  }

  /** Returns the item to deliver in the place of a fault, or null for none. */
  private @Nullable Item<B> decide(Fault fault, String place) {
    return switch (policy) {
      case FaultPolicy.Stop<B> _ -> new Item.Bad<>(fault);
      case FaultPolicy.Skip<B>(long most) -> passOver(fault, most) ? null : new Item.Bad<>(fault);
      case FaultPolicy.Substitute<B>(long most, var made) ->
          passOver(fault, most)
              ? call("the substitute of " + place, _ -> made.apply(fault))
              : new Item.Bad<>(fault);
    };
  }

  private boolean passOver(Fault fault, long most) {
    if (skippedFaults >= most) {
      return false;
    }
    skippedFaults++;
    if (!queue.isClosed()) {
      reports.tell(fault);
    }
    return true;
  }

  /**
   * Returns the item that a call to the source yields. Exceptions become faults, and every fault
   * says where it arose.
   */
  private Item<B> call(String place, Call<B> call) {
    doing = place;
    Object outcome = Guard.attempt(asked -> outcome(call, asked), source);
    doing = "nothing";
    if (outcome instanceof Fault thrown) {
      return new Item.Bad<>(at(place, told(thrown, place)));
    }
    @SuppressWarnings("unchecked") // outcome() returns either a fault or this
    Item<B> item = (Item<B>) outcome;
    return item instanceof Item.Bad<B>(Fault fault) ? new Item.Bad<>(at(place, fault)) : item;
  }

  private static <B extends Batch> Object outcome(Call<B> call, Source<B> source) {
    try {
      Item<B> item = call.on(source);
      return item != null ? item : Fault.thrown(new NullPointerException("it returned null"));
    } catch (StaunchException e) {
      return new Item.Bad<B>(e.fault());
    } catch (IOException | InterruptedException e) {
      return Fault.thrown(e);
    }
  }

  /** Rewords the fault of an exception in terms of the data. */
  private Fault told(Fault thrown, String place) {
    Throwable cause = thrown.cause();
    if (cause == null) {
      return thrown;
    }
    String text = cause.getMessage();
    String message =
        Message.of(
            "the source %s threw %s at %s%s",
            name, cause.getClass().getSimpleName(), place, text == null ? "" : ": " + text);
    boolean unreadable = cause instanceof IOException || cause instanceof UncheckedIOException;
    return unreadable ? Fault.data(name, message).withCause(cause) : thrown.withMessage(message);
  }

  private Fault at(String place, Fault fault) {
    return fault.within(new Fault.Frame(place + " of " + name, null));
  }
}
