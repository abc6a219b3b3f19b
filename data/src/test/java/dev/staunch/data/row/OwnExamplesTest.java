package dev.staunch.data.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Session;
import dev.staunch.fault.Fault;
import dev.staunch.type.DType;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnExamplesTest {
  private final Session session = new Session();

  @AfterEach
  void nothingLeaks() {
    session.close();
  }

  /** Numbers and their squares; a number in {@code bad} fails in one of three ways. */
  private static Examples squares(int count, List<Integer> bad) {
    List<Field> fields = List.of(Field.of("data", DType.FLOAT32), Field.of("label", DType.INT64));
    return Examples.of(
        "squares",
        fields,
        () -> {
          int[] next = {0};
          return row -> {
            int i = next[0]++;
            if (bad.contains(i)) {
              switch (i % 3) {
                case 0 -> row.fail(Fault.data("square " + i, "there is no " + i));
                case 1 -> throw new IOException("disk on fire");
                default -> throw new IllegalStateException("a bug");
              }
            }
            row.put(0, (double) i);
            row.put(1, (long) i * i);
            return i < count;
          };
        });
  }

  @Test
  void aSourceOfTheUsersOwnIsAFunction() {
    assertEquals(
        List.of("[0.0, 1.0] | [0, 1]", "[2.0, 3.0] | [4, 9]"),
        session.all(squares(4, List.of()), 2).batches());
  }

  @Test
  void whateverItThrowsIsAFaultInThePlaceOfTheExample() {
    Session.Seen seen = session.all(squares(6, List.of(1, 3, 5)), 1);
    assertEquals(List.of("[0.0] | [0]", "[2.0] | [4]", "[4.0] | [16]"), seen.batches());
    assertEquals(
        "example 2 of squares cannot be read: disk on fire", seen.faults().get(0).message());
    assertEquals("there is no 3", seen.faults().get(1).message());
    assertTrue(seen.faults().get(2).message().contains("a bug"));
  }

  @Test
  void anExampleThatLacksElementsIsAFault() {
    Examples short1 =
        Examples.of(
            "short",
            List.of(Field.of("data", DType.FLOAT32, 3)),
            () -> {
              int[] next = {0};
              return row -> {
                row.put(0, new double[next[0] + 1]);
                return next[0]++ < 4;
              };
            });
    Session.Seen seen = session.all(short1, 1);
    assertEquals(List.of("[0.0, 0.0, 0.0]"), seen.batches());
    assertEquals(
        "an example has 1 of the 3 elements of data float32[3]",
        seen.faults().getFirst().message());
    assertEquals(
        "an example has more elements than data float32[3]", seen.faults().getLast().message());
  }

  @Test
  void aNumberThatTheFieldCannotHoldIsAFault() {
    List<DType> dtypes =
        List.of(
            DType.INT64, DType.INT32, DType.UINT8, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
    List<List<String>> expected =
        List.of(
            List.of("[7]", "[300]", "[-1]"),
            List.of("[7]", "[300]", "[-1]"),
            List.of("[7]"),
            List.of("[7.0]", "[300.0]", "[-1.0]", "[1.5]", "[NaN]"),
            List.of("[7.0]", "[300.0]", "[-1.0]", "[1.5]", "[NaN]"),
            List.of("[7.0]", "[300.0]", "[-1.0]", "[1.5]", "[NaN]"));
    double[] numbers = {7, 300, -1, 1.5, Double.NaN, 1e300};
    for (int i = 0; i < dtypes.size(); i++) {
      Examples examples =
          Examples.of(
              "own",
              List.of(Field.of("data", dtypes.get(i))),
              () -> {
                int[] next = {0};
                return row -> {
                  row.put(0, numbers[next[0] % numbers.length]);
                  return next[0]++ < numbers.length;
                };
              });
      Session.Seen seen = session.all(examples, 1);
      assertEquals(expected.get(i), seen.batches(), dtypes.get(i).toString());
      assertEquals(numbers.length, seen.batches().size() + seen.faults().size());
      assertEquals(
          "1.0E300 does not fit data " + dtypes.get(i) + "[]", seen.faults().getLast().message());
    }
  }

  @Test
  void sparseElementsAreNamed() {
    Examples eye =
        Examples.of(
            "eye",
            List.of(Field.sparse("x", DType.FLOAT32, 3)),
            () -> {
              int[] next = {0};
              return row -> {
                if (next[0] < 4) {
                  row.putAt(0, next[0], 1);
                }
                return next[0]++ < 4;
              };
            });
    Session.Seen seen = session.all(eye, 3);
    assertEquals(List.of("[1.0, 1.0, 1.0] | [0, 1, 2] | [0, 1, 2, 3]"), seen.batches());
    assertEquals(1, seen.faults().size());
  }
}
