package dev.staunch.data;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import java.util.function.Consumer;

/** Disposes of items that nobody took, and reports faults that nobody else sees; throws nothing. */
final class Reports {
  private final Consumer<Fault> listener;

  Reports(Consumer<Fault> listener) {
    this.listener = listener;
  }

  void tell(Fault fault) {
    Guard.run(told -> told.accept(fault), listener);
  }

  /** Closes the batch of an item that nobody took, or reports its fault. */
  void discard(Item<?> item) {
    switch (item) {
      case Item.Good<?>(Batch batch) -> close(batch);
      case Item.Bad<?>(Fault fault) -> {
        if (!fault.reach().isRead()) {
          tell(fault);
        }
      }
      case Item.End<?>() -> {}
    }
  }

  /** Closes a batch; if that fails, other batches are still closed. */
  void close(Batch batch) {
    Fault fault = Guard.run(Batch::close, batch);
    if (fault != null) {
      tell(fault.withMessage("a batch that nobody took failed to close: " + fault.message()));
    }
  }
}
