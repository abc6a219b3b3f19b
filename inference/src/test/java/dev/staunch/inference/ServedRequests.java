package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client {@linkplain UnderFire under fire}. One in fifty is bad, some have a
 * deadline, and another thread may cancel or interrupt a request or close its scope. Each request
 * has to end with the right answer, or with a fault whose type is explained by what happened to the
 * request.
 */
final class ServedRequests {
  private static final int COLUMNS = 16;

  private final UnderFire fire;
  private final Random random;
  private final ScheduledExecutorService timer;

  /** The faults that the request may end with. */
  private final Set<FaultType> allowed = EnumSet.noneOf(FaultType.class);

  ServedRequests(UnderFire fire, Random random, ScheduledExecutorService timer) {
    this.fire = fire;
    this.random = random;
    this.timer = timer;
  }

  /** Sends one request of a random kind. */
  void one() {
    allowed.clear();
    allowed.add(FaultType.CLOSED);
    CancelScope scope = CancelScope.open();
    if (random.nextInt(10) == 0) {
      scope = CancelScope.withDeadline(Duration.ofNanos(random.nextInt(1_000_000)));
      allowed.add(FaultType.DEADLINE_EXCEEDED);
    }
    Future<?> trouble = trouble(scope);
    switch (random.nextInt(10)) {
      case 0, 1 -> counted(scope);
      case 2 -> wild(scope);
      case 3 -> inClosedScope();
      default -> answered(scope);
    }
    end(trouble);
  }

  /** Schedules a cancellation or an interrupt of this request from another thread, or nothing. */
  private @Nullable Future<?> trouble(CancelScope scope) {
    Thread me = Thread.currentThread();
    int kind = random.nextInt(20);
    if (kind > 1) {
      return null;
    }
    allowed.add(FaultType.CANCELLED);
    return soon(kind == 0 ? () -> scope.cancel("the client wants it") : me::interrupt);
  }

  private Future<?> soon(Runnable action) {
    return timer.schedule(action, random.nextInt(500), TimeUnit.MICROSECONDS);
  }

  /** Waits until the other thread is done, so that its interrupt does not hit the next request. */
  private static void end(@Nullable Future<?> trouble) {
    boolean open = trouble != null;
    while (open) {
      try {
        trouble.get();
        open = false;
      } catch (InterruptedException e) {
        // the interrupt that was scheduled
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      }
    }
    Thread.interrupted();
  }

  private ServedModel.Loaded any() {
    return fire.plain.get(random.nextInt(fire.plain.size())).current();
  }

  private void answered(CancelScope scope) {
    ServedModel.Loaded loaded = any();
    if (random.nextInt(30) == 0) {
      bad(loaded, scope);
      return;
    }
    int number = random.nextInt(fire.versions.requests().size());
    InferenceRequest request = fire.versions.requests().get(number);
    Answer answer = loaded.model.predict(request, "forward", scope);
    if (answer.failed()) {
      fault("answered", answer.fault());
      return;
    }
    float[] values = ArchiveVersions.values(answer);
    boolean right = loaded.isOf(fire.versions.versionOf(number, values));
    fire.check("request " + number + " got " + Arrays.toString(values), right);
    fire.ended("answered", "right");
  }

  private void bad(ServedModel.Loaded loaded, CancelScope scope) {
    InferenceRequest bad = InferenceRequest.of("bad").input("x", Shape.of(2, 3), new float[6]);
    Answer answer = loaded.model.predict(bad, "forward", scope);
    fire.check("a bad request was answered", answer.failed());
    allowed.add(FaultType.SHAPE);
    fault("bad", answer.fault());
  }

  /**
   * The answer may be any numbers until the change to the file is noticed; no other outcome is
   * allowed.
   */
  private void wild(CancelScope scope) {
    int number = random.nextInt(fire.versions.requests().size());
    InferenceRequest request = fire.versions.requests().get(number);
    Answer answer = fire.wild.current().model.predict(request, "forward", scope);
    allowed.add(FaultType.DATA_FORMAT);
    fault("mapped and overwritten", answer.fault());
    if (!answer.failed()) {
      fire.ended("mapped and overwritten", "answered");
    }
  }

  private void counted(CancelScope scope) {
    ServedModel.Loaded loaded = fire.counting.current();
    boolean fails = random.nextInt(5) == 0;
    InferenceRequest request = InferenceRequest.of("c").input("fail", Shape.of(), fails);
    Answer answer = loaded.model.predict(request, "count", scope);
    if (!answer.failed()) {
      long count = answer.outputs().getFirst().longs()[0];
      fire.check("counted: " + count + " came twice", loaded.counts.add(count));
      fire.check("counted: a request that was to fail was answered", !fails);
      fire.ended("counted", "right");
      return;
    }
    if (fails && answer.fault().message().contains("as asked")) {
      allowed.add(FaultType.SCRIPT_RAISED);
    }
    fault("counted", answer.fault());
  }

  /** A request whose scope another thread closes while it runs. */
  private void inClosedScope() {
    try (ResourceScope scope = ResourceScope.open(fire.memory, "closed under")) {
      Future<?> closing = soon(scope::close);
      Object outcome = called(any().model, scope);
      if (outcome instanceof Fault fault) {
        fault("in a scope that is closed", fault);
      } else {
        fire.ended("in a scope that is closed", "answered");
      }
      end(closing);
    }
  }

  private static Object called(Model model, ResourceScope scope) {
    try {
      Object x = HostTensors.floats(scope, Shape.of(1, COLUMNS), new float[COLUMNS]);
      return x instanceof DenseTensor ? model.call("forward", List.of(x), RunOptions.in(scope)) : x;
    } catch (StaunchException e) {
      return e.fault();
    }
  }

  /** Checks a fault. A model that is being closed stops its requests after a while. */
  private void fault(String kind, @Nullable Fault fault) {
    if (fault != null) {
      boolean may = allowed.contains(fault.type()) || fault.reason() == CancelReason.SHUTDOWN;
      fire.check(kind + ": " + fault + " of " + fault.operation(), may);
      fire.ended(kind, fault.type().word());
    }
  }
}
