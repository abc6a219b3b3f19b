package readers;

/** Asks a reader for its examples one by one and prints each example or error. */
final class Answers {
  /** After an error the reader is asked again, in case it goes on, up to this number of errors. */
  private static final int PATIENCE = 3;

  private static final int SHOWN = 4;

  private Answers() {}

  /** An open reader; returns an example as text, or null at the end. */
  interface Reader {
    String next() throws Exception;
  }

  /** Opens a reader. */
  interface Opening {
    Reader open() throws Exception;
  }

  static void print(String file, Opening opening) {
    System.out.println("== " + file);
    Reader reader;
    try {
      reader = opening.open();
    } catch (Exception | AssertionError e) {
      System.out.println("   opening it: " + e);
      return;
    }
    String last = "";
    int read = 0;
    int failed = 0;
    while (failed < PATIENCE) {
      try {
        String example = reader.next();
        if (example == null) {
          break;
        }
        last = example;
        if (read++ < SHOWN) {
          System.out.println("   example: " + example);
        }
      } catch (Exception | AssertionError e) {
        failed++;
        System.out.println("   error: " + e);
      }
    }
    if (read > SHOWN) {
      System.out.println("   last example: " + last);
    }
    System.out.println("   " + read + " examples, " + failed + " errors");
  }
}
