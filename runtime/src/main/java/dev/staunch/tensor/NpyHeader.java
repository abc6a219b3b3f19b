package dev.staunch.tensor;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The header of a .npy file, which describes the elements that follow it.
 *
 * @param bigEndian whether the bytes of each number are in the opposite order of this machine's
 * @param columnMajor whether the first index varies fastest ({@code fortran_order})
 * @param bytes where the elements begin
 */
public record NpyHeader(
    DType dtype, boolean bigEndian, boolean columnMajor, Shape shape, int bytes) {
  /** The first bytes of every file. */
  static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The limit of NumPy's arrays. */
  static final int MOST_DIMENSIONS = 64;

  static Fault damaged(String name, long at, String what) {
    return Fault.data(name + ", byte " + at, what);
  }

  /** As NumPy writes it for row-major, little-endian data; without padding. */
  static String text(DType dtype, Shape shape) {
    String sizes =
        Arrays.stream(shape.toArray())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", ", "(", shape.rank() == 1 ? ",)" : ")"));
    return Message.of("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", code(dtype), sizes);
  }

  private static String code(DType dtype) {
    return switch (dtype) {
      case UINT8 -> "|u1";
      case INT8 -> "|i1";
      case INT16 -> "<i2";
      case INT32 -> "<i4";
      case INT64 -> "<i8";
      case FLOAT16 -> "<f2";
      case FLOAT32 -> "<f4";
      case FLOAT64 -> "<f8";
      case COMPLEX64 -> "<c8";
      case COMPLEX128 -> "<c16";
      case BOOL -> "|b1";
      case BFLOAT16 -> "<V2";
    };
  }

  private static @Nullable DType dtype(String code) {
    return switch (code) {
      case "u1" -> DType.UINT8;
      case "i1" -> DType.INT8;
      case "i2" -> DType.INT16;
      case "i4" -> DType.INT32;
      case "i8" -> DType.INT64;
      case "f2" -> DType.FLOAT16;
      case "f4" -> DType.FLOAT32;
      case "f8" -> DType.FLOAT64;
      case "c8" -> DType.COMPLEX64;
      case "c16" -> DType.COMPLEX128;
      case "b1" -> DType.BOOL;
      case "V2" -> DType.BFLOAT16;
      default -> null;
    };
  }

  /**
   * Parses the header {@code text}, which stands from {@code start} to {@code end} in the file
   * called {@code name}; returns the header or a fault.
   */
  static Object parse(String name, String text, long start, long end) {
    return new Parser(name, text, start, end).parse();
  }

  /** Parses the one dictionary literal that a header may be, and no other Python. */
  private static final class Parser {
    private final String name;
    private final String text;
    private final long start;
    private final long end;
    private int at;
    private @Nullable Fault fault;
    private @Nullable String descr;
    private @Nullable Boolean columnMajor;
    private @Nullable Shape shape;

    Parser(String name, String text, long start, long end) {
      this.name = name;
      this.text = text;
      this.start = start;
      this.end = end;
    }

    Object parse() {
      expect('{');
      while (fault == null && !accept('}')) {
        entry();
        if (!accept(',') && !peek('}')) {
          wrong("',' or '}'");
        }
      }
      if (fault == null && peek() != 0) {
        wrong("the end of the header");
      }
      if (fault != null) {
        return fault;
      }
      return descr == null || columnMajor == null || shape == null
          ? damaged(name, start, "the header lacks descr, fortran_order or shape")
          : header(descr, columnMajor, shape);
    }

    private Object header(String code, boolean order, Shape sizes) {
      boolean marked = !code.isEmpty() && "<>|=".indexOf(code.charAt(0)) >= 0;
      DType dtype = dtype(marked ? code.substring(1) : code);
      return dtype == null
          ? unsupported("'" + code + "'", "save the array with `astype` as another")
          : new NpyHeader(
              dtype, code.startsWith(">") && dtype.bytes() > 1, order, sizes, (int) end);
    }

    private Fault unsupported(String what, String remedy) {
      String text = "elements of NumPy's dtype %s are not supported; %s";
      return Fault.unsupported(Message.of(text, what, remedy))
          .withInput(name)
          .withExpected("bool, int8 to int64, uint8, float16 to float64 or complex", what);
    }

    private void entry() {
      String key = string();
      expect(':');
      switch (key) {
        case "descr" -> {
          if (peek('[')) {
            fault =
                fault == null ? unsupported("of several fields", "save each field alone") : fault;
          }
          descr = string();
        }
        case "fortran_order" -> columnMajor = truth();
        case "shape" -> shape = tuple();
        default -> wrong("'descr', 'fortran_order' or 'shape'");
      }
    }

    private boolean truth() {
      peek();
      for (String word : new String[] {"True", "False"}) {
        if (text.startsWith(word, at)) {
          at += word.length();
          return word.equals("True");
        }
      }
      wrong("True or False");
      return false;
    }

    private @Nullable Shape tuple() {
      long[] sizes = new long[MOST_DIMENSIONS];
      int rank = 0;
      expect('(');
      while (fault == null && !accept(')')) {
        if (rank == MOST_DIMENSIONS) {
          wrong("at most " + MOST_DIMENSIONS + " dimensions");
          return null;
        }
        sizes[rank++] = size();
        if (!accept(',') && !peek(')')) {
          wrong("',' or ')'");
        }
      }
      try {
        long bytes = DType.COMPLEX128.bytes();
        for (int i = 0; i < rank; i++) {
          bytes = Math.multiplyExact(bytes, Math.max(1, sizes[i]));
        }
        return Shape.of(Arrays.copyOf(sizes, rank));
      } catch (ArithmeticException e) {
        wrong("a shape whose bytes a long counts");
        return null;
      }
    }

    private long size() {
      peek();
      int from = at;
      while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0 && at - from < 18) {
        at++;
      }
      if (from == at) {
        wrong("a size");
        return 0;
      }
      long size = Long.parseLong(text, from, at, 10);
      accept('L'); // as Python 2 wrote it
      return size;
    }

    private String string() {
      char quote = peek();
      if (quote != '\'' && quote != '"') {
        wrong("a string");
        return "";
      }
      int end = text.indexOf(quote, at + 1);
      if (end < 0) {
        wrong("a string that ends");
        return "";
      }
      String value = text.substring(at + 1, end);
      at = end + 1;
      return value;
    }

    private void expect(char c) {
      if (!accept(c)) {
        wrong("'" + c + "'");
      }
    }

    private boolean accept(char c) {
      boolean there = peek(c);
      at += there ? 1 : 0;
      return there;
    }

    private boolean peek(char c) {
      return peek() == c;
    }

    /** The next character that is not a space; 0 at the end. */
    private char peek() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private void wrong(String expected) {
      if (fault == null) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "its end";
        String message = "the header has " + found + " where " + expected + " is expected";
        fault = damaged(name, start + at, message).withExpected(expected, found);
      }
    }
  }
}
