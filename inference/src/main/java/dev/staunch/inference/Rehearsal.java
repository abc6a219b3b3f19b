package dev.staunch.inference;

import dev.staunch.execute.RunOptions;
import dev.staunch.execute.StateUse;
import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks a method as its users will, but changes nothing. A method that writes nothing is asked in
 * all the usual ways in turn, by requests and by calls with tensors, with a deadline and without
 * one: the JVM discards code that meets a way for the first time. Not thread-safe.
 */
final class Rehearsal implements AutoCloseable {
  /** The first requests have a deadline. Only what was answered in time is asked without one. */
  private static final int CAREFUL = 4;

  private final Model model;
  private final String method;
  private final Model.Options options;
  private final boolean writes;

  /** Owns the tensors of calls, as the scope of a service does. */
  private final ResourceScope scope;

  private final Map<InferenceRequest, List<Object>> arguments = new IdentityHashMap<>();
  private long asked;

  /**
   * @param options with a deadline
   */
  Rehearsal(Model model, String method, Model.Options options) {
    this.model = model;
    this.method = method;
    this.options = options;
    StateUse use = model.stateUse(method);
    this.writes = use.state() || use.arguments();
    this.scope = ResourceScope.open(model.memory(), "warm-up");
  }

  /** Discards the answer, and returns its fault or null. */
  @Nullable Fault answer(InferenceRequest request) {
    if (writes) {
      return model.rehearse(request, method, options);
    }
    long way = asked++;
    Model.Options given = way < CAREFUL || way % 4 < 2 ? options : RunOptions::in;
    if (way % 2 == 0) {
      return model.predict(request, method, given).fault();
    }
    List<Object> tensors =
        arguments.computeIfAbsent(request, each -> model.arguments(each, method, scope));
    try (ResourceScope own = scope.child("request")) {
      Object result = model.call(method, tensors, given.in(own));
      return result instanceof Fault fault ? fault : null;
    }
  }

  @Override
  public void close() {
    scope.close();
  }
}
