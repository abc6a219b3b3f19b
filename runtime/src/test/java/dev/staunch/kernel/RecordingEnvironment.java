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

  Generator generator() {
    return generator;
  }

  List<String> printed() {
    return printed;
  }

  @Override
  public RandomStream random() {
    return generator.next();
  }

  @Override
  public void print(String line) {
    printed.add(line);
  }
}
