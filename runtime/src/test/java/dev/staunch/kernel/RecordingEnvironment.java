package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An environment for calling kernels alone; keeps what they print. */
final class RecordingEnvironment implements Environment {
  private final ResourceScope scope;
  private final List<String> printed = new ArrayList<>();
  private final Generator generator = Generator.ofSeed(Generator.DEFAULT_SEED);
  private boolean gradEnabled = true;

  RecordingEnvironment(ResourceScope scope) {
    this.scope = scope;
  }

  Generator generator() {
    return generator;
  }

  List<String> printed() {
    return printed;
  }

  @Override
  public ResourceScope scope() {
    return scope;
  }

  @Override
  public Catalog catalog() {
    return StandardOperations.catalog();
  }

  @Override
  public boolean gradEnabled() {
    return gradEnabled;
  }

  @Override
  public void setGradEnabled(boolean enabled) {
    gradEnabled = enabled;
  }

  @Override
  public RandomStream random() {
    return generator.next();
  }

  @Override
  public @Nullable Fault cancelled() {
    return null;
  }

  @Override
  public void print(String line) {
    printed.add(line);
  }

  @Override
  public void cancel(String reason) {
    throw new UnsupportedOperationException("nothing to cancel");
  }

  @Override
  public Object later(Supplier<Object> work) {
    return work.get();
  }
}
