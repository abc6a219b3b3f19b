package dev.staunch.kernel;

import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.List;

/** An environment that draws random numbers and keeps what kernels print. */
final class RecordingEnvironment extends KernelBench {
  private final List<String> printed = new ArrayList<>();
  private final Generator generator = Generator.ofSeed(Generator.DEFAULT_SEED);

  RecordingEnvironment(ResourceScope scope) {
    super(scope);
    setGradEnabled(true);
  }

  List<String> printed() {
    return printed;
  }

  @Override
  public Generator generator() {
    return generator;
  }

  @Override
  public void print(String line) {
    printed.add(line);
  }
}
