package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Pending;
import dev.staunch.engine.Workers;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.Report;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the demo's requests, compares the answers with PyTorch's and prints the outcome of each.
 */
final class DemoRun {
  private static final int BAD = 26;
  private final Model model;
  private final OffHeap memory;
  private final PrintWriter out;
  private final ProtocolReader reader = new ProtocolReader();
  private final Map<String, float[]> recorded = new LinkedHashMap<>();
  private final List<String> requests;

  DemoRun(Model model, OffHeap memory, PrintWriter out) throws IOException {
    this.model = model;
    this.memory = memory;
    this.out = out;
    this.requests = new ArrayList<>(DemoFiles.lines("requests.jsonl"));
    for (String line : DemoFiles.lines("answers.jsonl")) {
      String id = line.replaceFirst(".*\"id\": \"([^\"]+)\".*", "$1");
      String[] scores = line.replaceFirst(".*\\[(.*)\\].*", "$1").split(", ", -1);
      float[] values = new float[scores.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = Float.parseFloat(scores[i]);
      }
      recorded.put(id, values);
    }
  }

  /** The answer to a request, and how long it took. */
  private record Outcome(Answer answer, long nanos) {}

  boolean run() {
    out.println("The model: " + model.module().method("forward"));
    out.println("saved by PyTorch, loaded without native code; see cli/src/demo/ranker.py.");
    out.println();
    troubles();
    return mainRun();
  }

  /**
   * Sends 50 good requests and one with a wrong shape, all in flight before the first may start.
   */
  private boolean mainRun() {
    out.println(
        "51 requests in flight at once, one of them with 7 features where the model takes 8:");
    List<String> lines = new ArrayList<>(requests);
    lines.add(BAD - 1, request("bad", "INT64", "1,2", 7));
    long before = memory.account().bytes();
    List<Outcome> outcomes = send(lines);
    long after = memory.account().bytes();
    int answered = 0;
    int failed = 0;
    boolean right = true;
    Fault shown = null;
    List<Long> times = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      times.add(outcome.nanos());
      Fault fault = outcome.answer().fault();
      if (fault == null) {
        answered++;
        right &= matches(outcome.answer());
      } else {
        failed++;
        shown = fault;
        right &= "bad".equals(outcome.answer().id());
      }
    }
    print(outcomes);
    if (shown != null) {
      out.println();
      out.println("The fault, whole:");
      out.print(Report.of(shown).indent(2));
    }
    times.sort(null);
    out.println();
    out.printf(
        Locale.ROOT,
        "Time per request: median %.2f ms, slowest %.2f ms (a cold process; each on one thread).%n",
        times.get(times.size() / 2) / 1e6,
        times.getLast() / 1e6);
    out.printf(
        Locale.ROOT,
        "Off-heap bytes before and after: %,d and %,d, the model's weights.%n",
        before,
        after);
    out.println(
        right
            ? "Each answer equals PyTorch's within 1e-5."
            : "AN ANSWER DIFFERS from what PyTorch recorded.");
    int lost = lines.size() - answered - failed;
    out.printf(
        Locale.ROOT,
        "%d requests: %d answered, %d failed, %d lost, %d bytes leaked%n",
        lines.size(),
        answered,
        failed,
        lost,
        after - before);
    return right && failed == 1 && lost == 0 && after == before;
  }

  private void print(List<Outcome> outcomes) {
    StringBuilder row = new StringBuilder("  ");
    for (Outcome outcome : outcomes) {
      Answer answer = outcome.answer();
      String word =
          answer.failed()
              ? answer.id() + ": FAULT"
              : String.format(Locale.ROOT, "%s: %.4f", answer.id(), scores(answer)[0]);
      row.append(String.format(Locale.ROOT, "%-12s", word));
      if (row.length() > 66) {
        out.println(row.toString().stripTrailing());
        row = new StringBuilder("  ");
      }
    }
    out.println(row.toString().stripTrailing());
  }

  private static float[] scores(Answer answer) {
    return answer.outputs().get(0).floats();
  }

  private boolean matches(Answer answer) {
    float[] expected = recorded.get(answer.id());
    float[] actual = scores(answer);
    if (expected == null || expected.length != actual.length) {
      return false;
    }
    for (int i = 0; i < actual.length; i++) {
      if (!(Math.abs(actual[i] - expected[i]) <= 1e-5 + 1e-5 * Math.abs(expected[i]))) {
        return false;
      }
    }
    return true;
  }

  /** Every request waits on its own thread until all are in flight. */
  private List<Outcome> send(List<String> lines) {
    CountDownLatch all = new CountDownLatch(lines.size());
    List<Pending> pending = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    try (Workers workers = Workers.of(lines.size(), "staunch-demo")) {
      for (String line : lines) {
        pending.add(workers.submit(() -> answer(line, all)));
      }
      for (Pending later : pending) {
        Object outcome = later.await(CancelScope.open());
        if (outcome instanceof Outcome known) {
          outcomes.add(known);
        }
      }
    }
    return outcomes;
  }

  private Outcome answer(String line, CountDownLatch all) {
    InferenceRequest request = parse(line);
    all.countDown();
    try {
      all.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long start = System.nanoTime();
    Answer answer = model.predict(request, "forward");
    return new Outcome(answer, System.nanoTime() - start);
  }

  private InferenceRequest parse(String line) {
    InferenceRequest request = reader.read(line).request();
    if (request == null) {
      throw new IllegalStateException("the demo's own request is damaged");
    }
    return request;
  }

  private void troubles() {
    out.println("First, three troubles one at a time, each beside a good request:");
    trouble("an id out of range", request("id", "INT64", "1,2000", 8), false);
    trouble("ids of the wrong dtype", request("dtype", "FP32", "1,2", 8), false);
    trouble("a request cancelled half-way", requests.get(1), true);
    out.println();
  }

  private void trouble(String title, String line, boolean cancelled) {
    CancelScope cancel = CancelScope.open();
    AtomicInteger operations = new AtomicInteger();
    Answer answer =
        model.predict(
            parse(line),
            "forward",
            scope -> {
              RunOptions options = RunOptions.in(scope).withCancel(cancel);
              return cancelled
                  ? options.withInterceptor((operation, arguments, source) -> {
                    if (operations.incrementAndGet() == 8) {
                      cancel.cancel("the client of request 2 went away");
                    }
                    return null;
                  })
                  : options;
            });
    Answer beside = model.predict(parse(requests.get(0)), "forward");
    Fault fault = answer.fault();
    out.println("  " + title + ": " + (fault == null ? "NO FAULT" : fault.type().word()));
    if (fault != null) {
      out.println("    " + fault.message());
      if (fault.source() != null) {
        out.println("    at " + fault.source());
      }
    }
    boolean fine = !beside.failed() && matches(beside);
    out.println("    the good request beside it: " + (fine ? "right answer" : "WRONG"));
  }

  /** A request for two candidates, as text. */
  private static String request(String id, String datatype, String items, int features) {
    StringBuilder values = new StringBuilder("0.5");
    for (int i = 1; i < 2 * features; i++) {
      values.append(",0.5");
    }
    String input = "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}";
    return Message.of(
        "{\"id\":\"%s\",\"inputs\":[%s,%s,%s]}",
        id,
        Message.of(input, "user", "[2]", datatype, "[1,1]"),
        Message.of(input, "item", "[2]", datatype, "[" + items + "]"),
        Message.of(input, "features", "[2," + features + "]", "FP32", "[" + values + "]"));
  }
}
