package dev.staunch.torchscript.pickle;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Reads the pickles of an archive with a list of allowed opcodes and a closed table of globals
 * (S7). No class is loaded and nothing is called. Time and memory are linear in the size of the
 * record. Damage is a {@link StaunchException} that names the record and the byte.
 */
public final class Unpickler {
  /** Marks where a run of items begins on the stack. */
  private enum Mark {
    MARK
  }

  /** What decoding puts in place of bytes that are not UTF-8; a text may have it as well. */
  private static final char REPLACEMENT = '\uFFFD';

  private final String record;
  private final ByteBuffer bytes;
  private final List<Object> stack = new ArrayList<>();
  private final Map<Integer, Object> memo = new HashMap<>();
  private final Globals globals = new Globals(this::damaged);

  private Unpickler(String record, byte[] bytes) {
    this.record = record;
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the value in {@code bytes}; {@code record} is their name in faults. */
  public static Pickled read(String record, byte[] bytes) {
    return new Unpickler(record, bytes).value();
  }

  private Pickled value() {
    try {
      while (true) {
        int opcode = bytes.get() & 0xff;
        switch (opcode) {
          case '.' -> {
            return pop();
          }
          case 0x80 -> protocol();
          case 'N' -> stack.add(Pickled.None.NONE);
          case 0x88 -> stack.add(new Pickled.Bool(true));
          case 0x89 -> stack.add(new Pickled.Bool(false));
          case 'K' -> stack.add(new Pickled.Int(bytes.get() & 0xff));
          case 'M' -> stack.add(new Pickled.Int(bytes.getShort() & 0xffff));
          case 'J' -> stack.add(new Pickled.Int(bytes.getInt()));
          case 0x8a -> stack.add(new Pickled.Int(longValue(bytes.get() & 0xff)));
          case 'G' -> stack.add(new Pickled.Real(bigEndian(bytes.getLong())));
          case 'X' -> stack.add(new Pickled.Text(text(bytes.getInt())));
          case 0x8c -> stack.add(new Pickled.Text(text(bytes.get() & 0xff)));
          case '(' -> stack.add(Mark.MARK);
          case ')' -> stack.add(new Pickled.Tuple(List.of()));
          case 't' -> stack.add(new Pickled.Tuple(popToMark()));
          case 0x85 -> stack.add(new Pickled.Tuple(pop(1)));
          case 0x86 -> stack.add(new Pickled.Tuple(pop(2)));
          case 0x87 -> stack.add(new Pickled.Tuple(pop(3)));
          case ']' -> stack.add(new Pickled.Sequence());
          case 'a' -> append(pop(1));
          case 'e' -> append(popToMark());
          case '}' -> stack.add(new Pickled.Mapping());
          case 's' -> setItems(pop(2));
          case 'u' -> setItems(popToMark());
          case 'c' -> stack.add(globals.check(new Globals.Global(line(), line())));
          case 'q' -> memo.put(bytes.get() & 0xff, top());
          case 'r' -> memo.put(bytes.getInt(), top());
          case 'h' -> stack.add(recall(bytes.get() & 0xff));
          case 'j' -> stack.add(recall(bytes.getInt()));
          case 'Q' -> stack.add(globals.storage(pop()));
          case 0x81 -> newObject();
          case 'R' -> reduce();
          case 'b' -> build();
          default ->
              throw damaged("unknown pickle opcode 0x" + HexFormat.of().toHexDigits((byte) opcode));
        }
      }
    } catch (BufferUnderflowException e) {
      throw damaged("the pickle is cut off");
    }
  }

  private void protocol() {
    int version = bytes.get() & 0xff;
    if (version != 2) {
      throw damaged("pickle protocol " + version + " is not 2");
    }
  }

  private void append(List<Pickled> items) {
    if (!(top() instanceof Pickled.Sequence list)) {
      throw damaged("items are appended to something that is not a list");
    }
    list.items.addAll(items);
  }

  private void setItems(List<Pickled> items) {
    if (!(top() instanceof Pickled.Mapping map) || items.size() % 2 != 0) {
      throw damaged("items are set in something that is not a dict");
    }
    for (int i = 0; i < items.size(); i += 2) {
      map.keys.add(items.get(i));
      map.values.add(items.get(i + 1));
    }
  }

  private void newObject() {
    Pickled arguments = pop();
    if (!(popAny() instanceof Globals.Global type) || !(arguments instanceof Pickled.Tuple)) {
      throw damaged("an object is made of something that is not a class");
    }
    if (!type.module().startsWith("__torch__")) {
      throw damaged(type.qualified() + " is not a class of the archive");
    }
    stack.add(new Pickled.Instance(type.qualified()));
  }

  private void reduce() {
    Pickled arguments = pop();
    if (!(popAny() instanceof Globals.Global function)) {
      throw damaged("a call of an unknown function");
    }
    boolean enumMember = function.module().startsWith("__torch__");
    if (!enumMember && !(arguments instanceof Pickled.Tuple)) {
      throw damaged("a call without a tuple of arguments");
    }
    // an enum member is pickled with its bare value, or with a tuple of it
    stack.add(
        globals.call(
            function,
            arguments instanceof Pickled.Tuple tuple ? tuple.items() : List.of(arguments)));
  }

  private void build() {
    Pickled state = pop();
    if (!(top() instanceof Pickled.Instance object) || object.state != null) {
      throw damaged("state is given to something that is not a new object");
    }
    object.state = state;
  }

  private Object recall(int key) {
    Object value = memo.get(key);
    if (value == null) {
      throw damaged("memo entry " + key + " was never stored");
    }
    return value;
  }

  private List<Pickled> popToMark() {
    int mark = stack.lastIndexOf(Mark.MARK);
    if (mark < 0) {
      throw damaged("a run of items has no beginning");
    }
    List<Pickled> items = pop(stack.size() - mark - 1);
    stack.removeLast();
    return items;
  }

  /** The last {@code count} values on the stack. */
  private List<Pickled> pop(int count) {
    if (stack.size() < count) {
      throw empty();
    }
    List<Object> last = stack.subList(stack.size() - count, stack.size());
    List<Pickled> items = new ArrayList<>(count);
    for (Object item : last) {
      if (!(item instanceof Pickled value)) {
        throw misplaced();
      }
      items.add(value);
    }
    last.clear();
    return items;
  }

  private Pickled pop() {
    if (popAny() instanceof Pickled value) {
      return value;
    }
    throw misplaced();
  }

  private Object popAny() {
    Object value = top();
    stack.removeLast();
    return value;
  }

  private Object top() {
    if (stack.isEmpty()) {
      throw empty();
    }
    return stack.getLast();
  }

  private StaunchException empty() {
    return damaged("the pickle's stack is empty");
  }

  private StaunchException misplaced() {
    return damaged("a class or a mark stands where a value should");
  }

  private static double bigEndian(long bits) {
    return Double.longBitsToDouble(Long.reverseBytes(bits));
  }

  private long longValue(int length) {
    if (length > 8) {
      throw damaged("an integer of " + length + " bytes is larger than 64 bits");
    }
    byte[] raw = new byte[length];
    bytes.get(raw);
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (raw[i] & 0xffL) << (8 * i);
    }
    int shift = 64 - 8 * length;
    return length == 0 ? 0 : value << shift >> shift;
  }

  private String text(int length) {
    if (length < 0) {
      throw damaged("a text has an impossible length");
    }
    if (length > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    int start = bytes.position();
    bytes.position(start + length);
    String text = new String(bytes.array(), start, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0 && !isEncoded(text, start, length)) {
      throw damaged("a text is not UTF-8");
    }
    return text;
  }

  private boolean isEncoded(String text, int start, int length) {
    ByteBuffer given = bytes.slice(start, length);
    return given.equals(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private String line() {
    int start = bytes.position();
    while (bytes.get() != '\n') {}
    int length = bytes.position() - 1 - start;
    return new String(bytes.array(), start, length, StandardCharsets.UTF_8);
  }

  private StaunchException damaged(String what) {
    String text = Message.of("record %s is damaged at byte %d: %s", record, bytes.position(), what);
    return Fault.data(record, text).toException();
  }
}
