package dev.staunch.engine;

/** A task that counts its runs and how often it was settled. */
final class Turn extends Task {
  private final Runnable work;
  private int runs;
  private int settled;

  Turn(Uses uses) {
    this(uses, () -> {});
  }

  Turn(Uses uses, Runnable work) {
    super(uses);
    this.work = work;
  }

  /** A task that is called by hand when its turn comes. */
  static Turn byHand(EngineContext context, Variable variable) {
    return byHand(context, Uses.updating(variable));
  }

  static Turn byHand(EngineContext context, Uses uses) {
    Turn turn = new Turn(uses);
    context.bind(turn);
    turn.waiter = Thread.currentThread();
    return turn;
  }

  @Override
  protected Object run() {
    runs++;
    work.run();
    return DONE;
  }

  @Override
  protected boolean isSmall() {
    return true;
  }

  @Override
  protected synchronized void settle(Object outcome) {
    settled++;
  }

  int runs() {
    return runs;
  }

  synchronized int timesSettled() {
    return settled;
  }
}
