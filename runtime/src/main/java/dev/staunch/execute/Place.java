package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.fault.ProgramPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request is: the calls, branches and iterations that lead to a step. It follows from where
 * operations stand, not from when they happened to run, so it is the same under every schedule
 * (F6). Created when something fails or is deferred.
 *
 * @param point for comparison with others of the same run
 * @param path for display (F7), outermost first
 */
record Place(ProgramPoint point, List<Fault.Frame> path) {

  /** Where {@code frame} is when it runs the step at {@code site}. */
  static Place of(Frame frame, Site site) {
    ArrayList<Long> steps = new ArrayList<>();
    ArrayList<Fault.Frame> path = new ArrayList<>();
    frame.lead(site, steps, path);
    long[] numbers = steps.stream().mapToLong(Long::longValue).toArray();
    return new Place(ProgramPoint.of(numbers), List.copyOf(path));
  }

  /** Adds the path to {@code site} within {@code frame}, including inlined calls. */
  static void within(Frame frame, Site site, List<Long> steps, List<Fault.Frame> path) {
    Site.Inlined call = site.inlined();
    if (call != null) {
      within(frame, call.site(), steps, path);
    }
    String function = call == null ? frame.code.name() : call.function();
    path.add(new Fault.Frame(function, site.line()));
    regions(frame, site.region(), steps, path);
    steps.add((long) site.number());
  }

  private static void regions(
      Frame frame, Site.@Nullable Region region, List<Long> steps, List<Fault.Frame> path) {
    if (region == null) {
      return;
    }
    Site owner = region.owner();
    regions(frame, owner.region(), steps, path);
    String label = region.label();
    if (region.isLoop()) {
      Object trip = frame.registers[region.trip()];
      steps.add((long) owner.number());
      steps.add((Long) trip);
      label += " " + trip;
    }
    path.add(new Fault.Frame(label, owner.source()));
  }

  /** {@code fault}, which arose here, with the details that it lacks. */
  Fault of(Fault fault) {
    Fault known = fault.origin() == null ? fault.withOrigin(point) : fault;
    return known.path().isEmpty() ? known.withPath(path) : known;
  }
}
