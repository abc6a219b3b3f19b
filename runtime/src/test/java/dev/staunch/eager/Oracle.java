package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.ProgramPoint;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Says what each step of a program has to give. It calls each kernel at once, alone, in the order
 * of the program, and keeps for each storage and for each handle why it might not be readable. That
 * tensors share memory it sees by their storages.
 */
final class Oracle implements AutoCloseable {
  /** What a read gives: a value if there is no cause why not. */
  record Read(Causes causes, @Nullable Snapshot value) {}

  /** What an operation that is not waited for gives: a last result of so many bytes, or 0. */
  record Applied(long bytes) {}

  /** What an operation that is waited for gives: causes why not, or a value without tensors. */
  record Answer(Causes causes, @Nullable Object value) {}

  /** Stands in an answer for a tensor. */
  enum Answered {
    TENSOR
  }

  final Surrounded around = new Surrounded();
  final OracleEnvironment environment;
  final LayoutCheck layouts;
  private final Map<Integer, Expected> places = new TreeMap<>();
  private final Map<Storage, Expected.Cells> cells = new IdentityHashMap<>();
  private final ResourceScope apart;
  private @Nullable Object standIn;
  private long order;
  private boolean drawsKnown = true;

  Oracle(OffHeap memory, LayoutCheck layouts) {
    this.environment =
        new OracleEnvironment(
            ResourceScope.open(memory, "oracle"), Generator.ofSeed(Generator.DEFAULT_SEED));
    this.apart = ResourceScope.open(memory, "apart");
    this.layouts = layouts;
  }

  @Override
  public void close() {
    environment.scope().close();
    apart.close();
  }

  Map<Integer, Expected> places() {
    return places;
  }

  /** Any tensor, where only its type counts. */
  Object standIn() {
    if (standIn == null) {
      standIn = DenseTensor.allocate(apart, DType.INT64, Shape.of(1));
    }
    return standIn;
  }

  /**
   * Follows a step other than a block. The result is what it has to give; null if it is to be left
   * out, for it means nothing here, or what it gives would depend on timing in too many ways.
   */
  @Nullable Object follow(Step step) {
    return switch (step) {
      case Step.Make make -> make(make);
      case Step.Apply apply -> new OracleCall(this, apply).outcome();
      case Step.Close close -> close(close.place());
      case Step.Check check -> check(check.place());
      case Step.Seed seed -> seed(seed);
      case Step.Count count -> isCertain() ? (Object) environment.scope().account().bytes() : null;
      case Step.Block block -> throw new IllegalArgumentException(block.toString());
    };
  }

  private @Nullable Object make(Step.Make make) {
    if (places.containsKey(make.place())
        || !(make.spec().build(environment.scope()) instanceof DenseTensor made)) {
      return null;
    }
    Expected handle = handle(made);
    handle.own = around.closing();
    places.put(make.place(), handle);
    return make;
  }

  private @Nullable Object close(int place) {
    Expected handle = places.get(place);
    if (handle == null || handle.closed) {
      return null;
    }
    handle.close();
    return handle;
  }

  private @Nullable Object check(int place) {
    Expected handle = places.get(place);
    if (handle == null) {
      return null;
    }
    Causes causes = handle.causes();
    if (causes.known() == null && handle.closed) {
      return new Read(causes.orElse(closedFault()), null);
    }
    boolean readable = causes.known() == null && handle.tensor != null;
    return new Read(causes, readable ? Snapshot.of(handle.tensor) : null);
  }

  private @Nullable Object seed(Step.Seed seed) {
    environment.generator().seed(seed.seed());
    drawsKnown = !around.isTroubled();
    return drawsKnown ? seed : null;
  }

  /** Whether it is certain which tensors there are. */
  private boolean isCertain() {
    return !around.isTroubled()
        && places.values().stream().allMatch(each -> each.closed || !each.own.isOpen());
  }

  void begin(Step.Block block) {
    around.begin(block, places.keySet());
  }

  /** What a block owns and does not hand on is closed. */
  void end(Step.Block block) {
    Set<Integer> before = around.end();
    if (!block.owns()) {
      return;
    }
    Causes.Open lost = around.lost(block);
    places.forEach((place, handle) -> {
      if (before.contains(place)) {
        return;
      }
      if (!block.keeps(place)) {
        closeTensor(handle);
      } else if (block.trouble() != Step.Trouble.NONE) {
        handle.own = handle.own.and(Causes.open(lost));
      }
    });
  }

  /** A handle without a tensor may still be given one. */
  private static void closeTensor(Expected handle) {
    if (handle.tensor != null) {
      handle.close();
    }
  }

  // for its calls

  ProgramPoint nextPoint() {
    return ProgramPoint.of(1, order++);
  }

  boolean drawsKnown() {
    return drawsKnown;
  }

  void loseDraws() {
    drawsKnown = false;
  }

  static Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "closed");
  }

  /** The handle of a tensor that an operation gave. */
  Expected handle(DenseTensor tensor) {
    Expected.Cells known = cells.get(tensor.storage());
    Expected handle = new Expected(known == null ? new Expected.Cells() : known, known == null);
    handle.tensor = tensor;
    cells.put(tensor.storage(), handle.cells);
    return handle;
  }

  /** Lets the storage of {@code tensor}, which is new, have the state of another. */
  void join(DenseTensor tensor, Expected.Cells other) {
    cells.putIfAbsent(tensor.storage(), other);
  }

  /** Puts a handle into a place, or closes it, if there is none. */
  void put(int place, Expected handle) {
    if (place >= 0) {
      places.put(place, handle);
    } else {
      closeTensor(handle);
    }
  }
}
