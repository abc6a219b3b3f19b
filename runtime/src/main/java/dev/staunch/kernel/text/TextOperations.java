package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.operand.Positions;
import dev.staunch.kernel.operand.Slice;
import dev.staunch.kernel.scalar.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Operations on strings. As in libtorch, they count UTF-8 bytes, and only ASCII letters are
 * letters; see {@link ByteText}.
 */
public final class TextOperations {
  private TextOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(
        TextOperations::access,
        TextOperations::numbers,
        TextTests::addTo,
        TextSearches::addTo,
        TextSplits::addTo,
        TextForms::addTo,
        FormatOperations::addTo);
  }

  private static void access(Catalog.Builder catalog) {
    catalog.one(
        "aten::add.str(str a, str b) -> str",
        call -> ByteText.joined(call.string(0), call.string(1)));
    catalog.one(
        "aten::len.str(str s) -> int", call -> (long) ByteText.open(call.string(0)).length());
    Kernel.One get = call -> get(ByteText.open(call.string(0)), call.integer(1));
    catalog.one("aten::__getitem__.str(str s, int index) -> str", get);
    catalog.one("prim::StringIndex(str string, int index) -> str", get);
    catalog.one("aten::list(str t) -> str[]", TextOperations::characters);
    catalog.one(
        "aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str",
        call ->
            call.integer(3) == 0 ? Fault.value("the step of a slice must not be 0") : sliced(call));
  }

  private static Object get(String bytes, long index) {
    int at = Positions.position(index, bytes.length());
    return at < 0
        ? Fault.index(
            "index " + index + " is out of range for a text of " + bytes.length() + " bytes")
        : ByteText.close(bytes.substring(at, at + 1));
  }

  private static Object characters(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String bytes = ByteText.open(call.string(0));
    List<Object> characters = new ArrayList<>();
    for (int i = 0; i < bytes.length() && poll.mayContinue(1); i++) {
      characters.add(ByteText.close(bytes.substring(i, i + 1)));
    }
    return poll.orFault(characters);
  }

  private static Object sliced(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String bytes = ByteText.open(call.string(0));
    StringBuilder part = new StringBuilder();
    Slice slice = Slice.of(call, bytes.length());
    for (long i = slice.first(); slice.holds(i) && poll.mayContinue(1); i = slice.next(i)) {
      part.append(bytes.charAt((int) i));
    }
    return poll.orFault(ByteText.close(part.toString()));
  }

  private static void numbers(Catalog.Builder catalog) {
    catalog.one("aten::bin(int i) -> str", call -> based(call.integer(0), "0b", 2));
    catalog.one("aten::oct(int i) -> str", call -> based(call.integer(0), "0o", 8));
    catalog.one("aten::hex(int i) -> str", call -> based(call.integer(0), "0x", 16));
    catalog.one(
        "aten::ord(str string) -> int",
        call -> {
          String bytes = ByteText.open(call.string(0));
          return bytes.length() == 1
              ? (Object) (long) bytes.charAt(0)
              : Fault.value("ord takes a text of 1 byte, but it has " + bytes.length());
        });
    catalog.one(
        "aten::chr(int i) -> str",
        call -> {
          long code = call.integer(0);
          return code < 0 || code > Character.MAX_CODE_POINT
              ? Fault.value("chr takes a number from 0 to 1114111, but got " + code)
              : ByteText.close(Character.toString((char) (code & 0xff)));
        });
  }

  private static String based(long value, String prefix, int radix) {
    String digits = Long.toString(value, radix).toLowerCase(Locale.ROOT);
    return value < 0 ? "-" + prefix + digits.substring(1) : prefix + digits;
  }
}
