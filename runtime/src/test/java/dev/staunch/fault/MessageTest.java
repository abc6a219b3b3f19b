package dev.staunch.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages are built from patterns and read the same everywhere (F9). */
class MessageTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          plain,                  plain
          %s and %d,              one and 2
          %d%s,                   one2
          %2$s before %1$d,       2 before one
          %2$s then %s then %s,   2 then one then 2
          100 %% of %s,           100 % of one
          %%s,                    %s
          %%%s,                   %one
          """)
  void valuesTakeTheirPlaces(String pattern, String text) {
    assertEquals(text, Message.of(pattern, "one", 2));
  }

  /** A sequence that is not a placeholder is text: a message never becomes another fault. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          %
          half%
          5 % of it
          %f %x %-3s %02d
          %3$s
          %0$s
          %1$
          %1$x
          %9
          """)
  void whatIsNoPlaceStays(String pattern) {
    assertEquals(pattern, Message.of(pattern, "one", 2));
  }

  @Test
  void aValueThatIsNotThereLeavesItsPlaceAndOneTooManyIsLeftOut() {
    assertEquals("7 and %s", Message.of("%s and %s", 7));
    assertEquals("7", Message.of("%s", 7, 8));
    assertEquals("null", Message.of("%s", (@Nullable Object) null));
  }

  @Test
  void numbersHaveTheSameDigitsInEveryCountry() {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.of("ar", "EG"));
    try {
      assertEquals("-12 of 9223372036854775807", Message.of("%d of %d", -12, Long.MAX_VALUE));
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
