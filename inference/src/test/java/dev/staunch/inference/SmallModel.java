package dev.staunch.inference;

import dev.staunch.execute.RunOptions;
import dev.staunch.memory.Leak;
import dev.staunch.memory.LeakDetection;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A model of a few lines of code, whose {@code __setstate__} makes its state. */
final class SmallModel implements AutoCloseable {
  /** The name of a request's scope in leak reports. */
  static final String CALL = "call";

  private static final String PICKLE = "\u0080\u0002c__torch__\nM\n)\u0081K\u0007b.";

  final Queue<Leak> leaks = new ConcurrentLinkedQueue<>();
  final OffHeap memory =
      OffHeap.of(
          MemoryOptions.withBudget(64 << 20)
              .withLeakDetection(LeakDetection.FULL)
              .withLeakListener(leaks::add));
  final Model model;

  private SmallModel(byte[] archive) {
    try {
      Path file = Files.createTempFile("small", ".pt");
      try {
        model = Model.load(Files.write(file, archive), memory);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param attributes the declarations of the attributes, one per line
   * @param start sets the attributes
   * @param methods whole methods, from {@code def} on
   */
  static SmallModel of(String attributes, String start, String methods) {
    return new SmallModel(SmallArchive.of(PICKLE, 10, code(attributes, start, methods)));
  }

  /** As {@link #of}; {@code CONSTANTS.c0} is a tensor of four zeros. */
  static SmallModel withConstant(String attributes, String start, String methods) {
    return new SmallModel(SmallArchive.withConstant(PICKLE, code(attributes, start, methods)));
  }

  private static String code(String attributes, String start, String methods) {
    String restore = "def __setstate__(self: __torch__.M, n: int) -> NoneType:\n";
    String body = attributes + restore + start.indent(2) + "  return None\n" + methods;
    return "class M(Module):\n  __parameters__ = []\n" + body.indent(2);
  }

  Object call(String method, Object... arguments) {
    return call(method, options -> options, arguments);
  }

  /** Returns a number, a text or a fault; tensors are freed with the scope of the request. */
  Object call(String method, UnaryOperator<RunOptions> how, Object... arguments) {
    try (ResourceScope scope = ResourceScope.open(memory, CALL)) {
      return model.call(method, List.of(arguments), how.apply(RunOptions.in(scope)));
    }
  }

  /** Runs {@code calls}, whose results stay until it returns. */
  void inScope(Consumer<RunOptions> calls) {
    try (ResourceScope scope = ResourceScope.open(memory, CALL)) {
      calls.accept(RunOptions.in(scope));
    }
  }

  @Override
  public void close() {
    model.close();
  }
}
