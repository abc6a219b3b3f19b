package dev.staunch.bench.suite;

import dev.staunch.bench.ours.Effort;
import dev.staunch.bench.ours.Launch;
import dev.staunch.bench.ours.Measurement;
import dev.staunch.bench.peer.Mxnet;
import dev.staunch.bench.report.Samples;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One sitting: what ours and the peer measured, in turn, on one machine within minutes.
 *
 * @param effort how long it may take
 * @param peer null if it is absent
 * @param logs takes the error output of what runs
 * @param progress told what is being measured
 */
public record Sitting(Effort effort, @Nullable Mxnet peer, Path logs, Consumer<String> progress) {

  /** Lets Staunch measure {@code what} once. */
  void ours(Samples into, Measurement what) {
    progress.accept("ours: " + what.name().toLowerCase(Locale.ROOT));
    into.add(Launch.measure(what, effort, logs));
  }

  /** Lets the peer measure once, if it is there. */
  void peer(Samples into, String name, Function<Mxnet, Map<String, Double>> what) {
    if (peer != null) {
      progress.accept("peer: " + name);
      into.add(what.apply(peer));
    }
  }
}
