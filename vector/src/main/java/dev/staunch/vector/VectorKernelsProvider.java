package dev.staunch.vector;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.KernelSetProvider;
import java.time.Duration;
import java.util.Set;

/**
 * Puts the Vector API kernels in front of others, if the JVM was started with that API. They serve
 * requests once the JVM has compiled them; until then, the others do. The system property {@value
 * #CHOICE} pins one set for the whole process: {@code vector} or {@code plain}.
 */
public final class VectorKernelsProvider implements KernelSetProvider {
  /** The system property that pins a set. */
  public static final String CHOICE = "dev.staunch.kernels";

  private static final String NEEDED = "jdk.incubator.vector";

  /**
   * How old a process is when it logs that the API is missing. Initialising the JVM's logging takes
   * a tenth of the time of a first answer, and a process that ends sooner had nothing to gain from
   * the API.
   */
  private static final Duration SAID_AFTER = Duration.ofSeconds(3);

  /** For {@link java.util.ServiceLoader}. */
  public VectorKernelsProvider() {}

  @Override
  public KernelSet over(KernelSet others) {
    String choice = System.getProperty(CHOICE, "");
    if (choice.equals("plain")) {
      return others;
    }
    if (!hasVectors()) {
      Thread.ofPlatform()
          .daemon()
          .name("staunch-vector-missing")
          .start(VectorKernelsProvider::sayWhatIsMissing);
      return others;
    }
    KernelSet vectors = new VectorKernels(others);
    WarmUp warmUp = new WarmUp(others, vectors, WarmUp.LEAST_TURNS, WarmUp.EACH_NANOS);
    if (choice.equals("vector")) {
      WarmUp.start(() -> warmUp.apply(Set.copyOf(KernelGroup.all())));
      return vectors;
    }
    return new WarmingKernels(
        others, vectors, warmUp, WarmUp::start, WarmingKernels.PATIENCE_NANOS);
  }

  /**
   * Searches the modules itself, because {@code ModuleLayer.findModule} for a missing module builds
   * streams of the parent layers.
   */
  private static boolean hasVectors() {
    for (Module module : ModuleLayer.boot().modules()) {
      if (NEEDED.equals(module.getName())) {
        return true;
      }
    }
    return false;
  }

  private static void sayWhatIsMissing() {
    try {
      Thread.sleep(SAID_AFTER);
    } catch (InterruptedException e) {
      return; // only code that interrupts all threads knows this one
    }
    System.getLogger(VectorKernelsProvider.class.getName())
        .log(
            System.Logger.Level.INFO,
            "the plain kernels are used; start java with --add-modules "
                + NEEDED
                + " for fast ones");
  }
}
