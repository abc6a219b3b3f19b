package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.LoadOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A model that is served under fire: its file is reloaded again and again, and the previous model
 * is closed while requests use it.
 */
final class ServedModel {
  /** A loaded archive and its answers. */
  static final class Loaded {
    final Model model;

    /** Which version of the archive this is; -1 until an answer shows it. */
    final AtomicInteger version = new AtomicInteger(-1);

    /** The answers to requests that count. */
    final Set<Long> counts = ConcurrentHashMap.newKeySet();

    Loaded(Model model) {
      this.model = model;
    }

    /** Whether {@code found} is the version of all answers so far. */
    boolean isOf(int found) {
      return found >= 0 && (version.compareAndSet(-1, found) || version.get() == found);
    }

    /** Whether each answered request counted exactly once, and no other request counted. */
    boolean hasCountedWhole() {
      return counts.stream().allMatch(count -> count >= 1 && count <= counts.size());
    }
  }

  final Path file;
  final AtomicLong loads = new AtomicLong();
  final AtomicLong refused = new AtomicLong();
  private final OffHeap memory;
  private final LoadOptions options;
  private volatile Loaded current;

  ServedModel(Path file, OffHeap memory, LoadOptions options) {
    this.file = file;
    this.memory = memory;
    this.options = options;
    this.current = new Loaded(Model.load(file, memory, options));
  }

  Loaded current() {
    return current;
  }

  /**
   * Reloads the file and closes the previous model, whose requests have {@code patience} to end.
   * The file may be damaged at that moment.
   *
   * @throws AssertionError if a damaged file is reported as anything other than a data format fault
   */
  Loaded reload(Duration patience) {
    Loaded before = current;
    try {
      current = new Loaded(Model.load(file, memory, options));
      loads.incrementAndGet();
    } catch (StaunchException e) {
      Fault fault = e.fault();
      if (fault.type() != FaultType.DATA_FORMAT) {
        throw new AssertionError("a damaged archive is " + fault, e);
      }
      refused.incrementAndGet();
      return before;
    }
    before.model.close(patience);
    return before;
  }

  void close() {
    current.model.close(Duration.ofSeconds(30));
  }
}
