package dev.staunch.execute;

import dev.staunch.dispatch.Interceptor;
import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Workers;
import dev.staunch.fault.Fault;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.ResourceScope;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a plan may use.
 *
 * @param scope owns what the run makes, results included; the caller closes it
 * @param cancel cancels the run, its deadline included
 * @param gradEnabled the gradient mode to start in; always put back at the end (S6)
 * @param output takes lines that the program prints or warns
 * @param workers run what kernels put off; null lets that run at once, on the calling thread
 * @param interceptor sees every kernel call; null for none
 * @param faultListener told of each fault once, where it arises, whether anybody reads it or not
 * @param argumentNames what faults call the last arguments of the function; may be empty
 * @param seed of the run's random numbers; {@link Generator#DEFAULT_SEED} unless given
 * @param stateGuard forbids writing what is shared; null for none
 */
public record RunOptions(
    ResourceScope scope,
    CancelScope cancel,
    boolean gradEnabled,
    Consumer<String> output,
    @Nullable Workers workers,
    @Nullable Interceptor interceptor,
    List<String> argumentNames,
    Consumer<Fault> faultListener,
    long seed,
    @Nullable StateGuard stateGuard) {

  public RunOptions {
    argumentNames = List.copyOf(argumentNames);
  }

  /** No gradients, no deadline, no output, no workers, no interceptor. */
  public static RunOptions in(ResourceScope scope) {
    return in(scope, CancelScope.open());
  }

  /** As {@link #in(ResourceScope)}, to be cancelled by {@code cancel}. */
  public static RunOptions in(ResourceScope scope, CancelScope cancel) {
    return new RunOptions(
        scope,
        cancel,
        false,
        line -> {},
        null,
        null,
        List.of(),
        fault -> {},
        Generator.DEFAULT_SEED,
        null);
  }

  public RunOptions withCancel(CancelScope other) {
    return new RunOptions(
        scope,
        other,
        gradEnabled,
        output,
        workers,
        interceptor,
        argumentNames,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withGradEnabled(boolean enabled) {
    return new RunOptions(
        scope,
        cancel,
        enabled,
        output,
        workers,
        interceptor,
        argumentNames,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withOutput(Consumer<String> lines) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        lines,
        workers,
        interceptor,
        argumentNames,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withWorkers(Workers threads) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        threads,
        interceptor,
        argumentNames,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withInterceptor(@Nullable Interceptor other) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        workers,
        other,
        argumentNames,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withArgumentNames(List<String> names) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        workers,
        interceptor,
        names,
        faultListener,
        seed,
        stateGuard);
  }

  public RunOptions withFaultListener(Consumer<Fault> listener) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        workers,
        interceptor,
        argumentNames,
        listener,
        seed,
        stateGuard);
  }

  /** The same seed gives the same random numbers, operation by operation. */
  public RunOptions withSeed(long other) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        workers,
        interceptor,
        argumentNames,
        faultListener,
        other,
        stateGuard);
  }

  public RunOptions withStateGuard(StateGuard guard) {
    return new RunOptions(
        scope,
        cancel,
        gradEnabled,
        output,
        workers,
        interceptor,
        argumentNames,
        faultListener,
        seed,
        guard);
  }
}
