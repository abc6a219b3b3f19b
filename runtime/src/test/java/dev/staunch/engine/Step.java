package dev.staunch.engine;

import java.util.function.Supplier;

/** A task made of a supplier. */
final class Step extends Task {
  private final Supplier<Object> work;
  private final boolean small;
  private String name = "step";
  volatile Object outcome;

  Step(Uses uses, boolean small, Supplier<Object> work) {
    super(uses);
    this.work = work;
    this.small = small;
  }

  static Step small(Uses uses, Runnable work) {
    return new Step(uses, true, done(work));
  }

  static Step large(Uses uses, Runnable work) {
    return new Step(uses, false, done(work));
  }

  static Step failing(Uses uses, Object fault) {
    return new Step(uses, false, () -> fault);
  }

  private static Supplier<Object> done(Runnable work) {
    return () -> {
      work.run();
      return DONE;
    };
  }

  Step called(String other) {
    name = other;
    return this;
  }

  @Override
  protected Object run() {
    return work.get();
  }

  @Override
  protected void settle(Object settled) {
    assert outcome == null : "settled twice";
    outcome = settled;
  }

  @Override
  protected boolean isSmall() {
    return small;
  }

  @Override
  protected String name() {
    return name;
  }
}
