package dev.staunch.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stop, skip and count, or substitute; a reset works after each (D3). */
@Timeout(60)
class FaultPolicyTest {
  private final Trial trial = new Trial();

  @AfterEach
  void nothingLeaks() {
    trial.close();
  }

  private ScriptedSource source() {
    return new ScriptedSource(trial, 6).faultAt(1).faultAt(2).faultAt(5);
  }

  @Test
  void stopIsTheDefaultAndAResetGoesBackToTheStart() {
    var numbers = trial.open(source());
    assertEquals(List.of(0L, FaultType.DATA_FORMAT), Trial.rest(numbers));
    assertEquals(List.of(FaultType.DATA_FORMAT), Trial.rest(numbers), "sticky");
    numbers.reset();
    assertEquals(List.of(0L, FaultType.DATA_FORMAT), Trial.rest(numbers));
  }

  @Test
  void skipGoesOnCountsAndTells() {
    var numbers = trial.open(source(), trial.options, FaultPolicy.skip(3));
    assertEquals(List.of(0L, 3L, 4L), Trial.rest(numbers));
    assertEquals(3, numbers.skippedFaults());
    assertEquals(
        List.of("no number at 1", "no number at 2", "no number at 5"),
        trial.reports.stream().map(Fault::message).toList());
  }

  @Test
  void theCountIsThatOfThePlaceAndNotOfWhatIsReadAhead() {
    var numbers = trial.open(source(), trial.options, FaultPolicy.skip(3));
    Trial.good(numbers.next()).close();
    assertEquals(0, numbers.skippedFaults());
    Trial.good(numbers.next()).close();
    assertEquals(2, numbers.skippedFaults());
    numbers.reset();
    assertEquals(0, numbers.skippedFaults());
    assertEquals(List.of(0L, 3L, 4L), Trial.rest(numbers));
    assertEquals(3, numbers.skippedFaults());
  }

  @Test
  void oneFaultMoreThanTheLimitStops() {
    var numbers = trial.open(source(), trial.options, FaultPolicy.skip(2));
    assertEquals(List.of(0L, 3L, 4L, FaultType.DATA_FORMAT), Trial.rest(numbers));
    assertEquals("no number at 5", Trial.bad(numbers.next()).message());
    numbers.reset();
    assertEquals(List.of(0L, 3L, 4L, FaultType.DATA_FORMAT), Trial.rest(numbers));
  }

  @Test
  void aSubstituteTakesThePlace() {
    var source = source();
    FaultPolicy<NumberBatch> policy =
        FaultPolicy.substitute(3, fault -> new Item.Good<>(source.batch(-1)));
    var numbers = trial.open(source, trial.options, policy);
    assertEquals(List.of(0L, -1L, -1L, 3L, 4L, -1L), Trial.rest(numbers));
    assertEquals(3, numbers.skippedFaults());
  }

  @Test
  void aSubstituteThatFailsIsAFaultAtThePlace() {
    FaultPolicy<NumberBatch> policy =
        FaultPolicy.substitute(
            3,
            fault -> {
              throw new IllegalStateException("no idea");
            });
    var numbers = trial.open(source(), trial.options, policy);
    Trial.good(numbers.next()).close();
    assertEquals(
        "the source numbers threw IllegalStateException at the substitute of batch 1: no idea",
        Trial.bad(numbers.next()).message());
  }

  @Test
  void aListenerThatThrowsStopsNothing() {
    PrefetchOptions options =
        trial.options.withReports(fault -> {
          throw new IllegalStateException("a bad listener");
        });
    var numbers = trial.open(source(), options, FaultPolicy.skip(9));
    assertEquals(List.of(0L, 3L, 4L), Trial.rest(numbers));
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> FaultPolicy.skip(-1));
  }
}
