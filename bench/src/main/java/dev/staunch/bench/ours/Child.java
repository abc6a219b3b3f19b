package dev.staunch.bench.ours;

/** The main class of a JVM that takes one measurement and prints its figures. */
public final class Child {
  private Child() {}

  /** Takes the names of a {@link Measurement} and an {@link Effort}. */
  public static void main(String[] arguments) {
    Measurement what = Measurement.valueOf(arguments[0]);
    what.take(Effort.valueOf(arguments[1]))
        .forEach((name, value) -> System.out.println(name + "=" + value));
    System.out.flush();
    // Work that was interrupted or left over must not keep the next measurement waiting.
    Runtime.getRuntime().halt(0);
  }
}
