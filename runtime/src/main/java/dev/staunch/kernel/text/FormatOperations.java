package dev.staunch.kernel.text;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.scalar.ByteText;
import dev.staunch.kernel.scalar.NumberText;
import dev.staunch.operation.None;
import java.util.List;
import java.util.Locale;

/** {@code str}, {@code format} and the {@code %} of strings. */
final class FormatOperations {
  private static final int DECIMALS = 6;

  private FormatOperations() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one(
        "aten::str(t elem) -> str",
        call -> {
          CancellationPoll poll = new CancellationPoll(call);
          return poll.orFault(ValuePrinter.print(poll, call.value(0)));
        });
    catalog.one("aten::format(str self, ...) -> str", FormatOperations::format);
    catalog.one("aten::percentFormat(str self, ...) -> str", FormatOperations::percentFormat);
  }

  /** Fills each {@code {}}; all other text stays as it is, and surplus values are ignored. */
  private static Object format(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    StringBuilder out = new StringBuilder();
    int used = 0;
    int done = 0;
    for (int at = text.indexOf("{}"); at >= 0; at = text.indexOf("{}", done)) {
      if (++used >= call.size()) {
        return Fault.value(
            Message.of(
                "the text '%s' has more `{}` than the %s values to fill in",
                text, call.size() - 1));
      }
      ValuePrinter.print(poll, call.value(used), out.append(text, done, at));
      done = at + 2;
    }
    return poll.orFault(ByteText.whole(out.append(text, done, text.length()).toString()));
  }

  private static Object percentFormat(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String text = call.string(0);
    List<Object> values =
        call.size() > 1 && call.value(1) instanceof TupleValue tuple
            ? tuple.elements()
            : List.of(call.size() > 1 ? call.value(1) : None.NONE);
    StringBuilder out = new StringBuilder();
    int used = 0;
    int done = 0;
    for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', done)) {
      if (at == text.length() - 1) {
        return Fault.value("the text '" + text + "' ends in a `%`; write `%%` for the sign itself");
      }
      out.append(text, done, at);
      char key = text.charAt(at + 1);
      if (key != '%' && used >= values.size()) {
        return Fault.value(
            "the text '" + text + "' asks for more than " + values.size() + " values");
      }
      Object part = key == '%' ? "%" : formatted(poll, key, values.get(used++));
      if (part instanceof Fault) {
        return part;
      }
      out.append(part);
      done = at + 2;
    }
    return used < values.size()
        ? Fault.value("the text '" + text + "' takes " + used + " of " + values.size() + " values")
        : poll.orFault(ByteText.whole(out.append(text, done, text.length()).toString()));
  }

  private static Object formatted(CancellationPoll poll, char key, Object value) {
    return switch (key) {
      case 's' -> ValuePrinter.print(poll, value);
      case 'c' -> character(value);
      case 'd', 'i', 'e', 'E', 'f', 'F' ->
          value instanceof Number number
              ? number(key, number)
              : Fault.value(
                  Message.of(
                      "`%%%s` formats a number, but got %s; use `%%s`",
                      key, ValuePrinter.brief(value)));
      default ->
          Fault.value(
              "the specifier `%"
                  + key
                  + "` is not supported; use one of `%s %c %d %i %e %E %f %F`");
    };
  }

  private static Object character(Object value) {
    return switch (value) {
      case Long code -> ByteText.close(Character.toString((char) (code & 0xff)));
      case String text -> text;
      default -> Fault.value("`%c` formats an int or a text, but got " + ValuePrinter.brief(value));
    };
  }

  /** As libtorch does, all but integers are rounded to single precision before they are written. */
  private static String number(char key, Number value) {
    return switch (key) {
      case 'd', 'i' -> Long.toString(value.longValue());
      case 'f', 'F' -> NumberText.fixed(value.floatValue(), DECIMALS);
      default -> {
        String text = NumberText.scientific(value.floatValue(), DECIMALS);
        yield key == 'E' ? text.toUpperCase(Locale.ROOT) : text;
      }
    };
  }
}
