package dev.staunch.kernel.container;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.text.ValuePrinter;
import dev.staunch.operation.Inference;
import dev.staunch.operation.None;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Operations on dicts. They keep insertion order; tensors are keys by identity. */
final class DictOperations {
  /** The number of elements that cost as much as one entry. */
  private static final int COST = 8;

  private DictOperations() {}

  static void addTo(Catalog.Builder catalog) {
    for (String key : List.of("str", "int", "bool", "float", "complex", "Tensor")) {
      access(catalog, key);
      defaults(catalog, key);
      views(catalog, key);
      removal(catalog, key);
      copies(catalog, key);
    }
    catalog.one("aten::dict() -> Dict(str, Tensor)", call -> new LinkedHashMap<>());
  }

  @SuppressWarnings("unchecked") // the schema says dict
  private static Map<Object, Object> dict(Call call, int i) {
    return (Map<Object, Object>) call.value(i);
  }

  /** The key in argument 1; zeros of either sign are the same key. */
  private static Object key(Call call) {
    return normal(call.value(1));
  }

  private static Object normal(Object key) {
    return switch (key) {
      case Double real -> real + 0.0;
      case ComplexNumber complex -> new ComplexNumber(complex.re() + 0.0, complex.im() + 0.0);
      default -> key;
    };
  }

  private static Fault missing(Call call) {
    return Fault.index("KeyError: " + ValuePrinter.brief(call.value(1)));
  }

  private static void access(Catalog.Builder catalog, String key) {
    catalog.one(
        Message.of("aten::__getitem__.Dict_%s(Dict(%s, t) self, %s key) -> t(*)", key, key, key),
        call -> {
          Object found = dict(call, 0).get(key(call));
          return found == null ? missing(call) : found;
        });
    catalog.none(
        Message.of(
            "aten::_set_item.%s(Dict(%s, t)(a!) l, %s(b -> *) idx, t(c -> *) v) -> ()",
            key, key, key),
        call -> {
          dict(call, 0).put(key(call), call.value(2));
          return null;
        });
    catalog.one(
        Message.of("aten::__contains__.%s(Dict(%s, t) dict, %s key) -> bool", key, key, key),
        call -> dict(call, 0).containsKey(key(call)));
    catalog.one(
        Message.of("aten::len.Dict_%s(Dict(%s, t) self) -> int", key, key),
        call -> (long) dict(call, 0).size());
  }

  private static void defaults(Catalog.Builder catalog, String key) {
    catalog.one(
        Message.of("aten::get.%s(Dict(%s, t) self, %s key) -> t(*)?", key, key, key),
        call -> dict(call, 0).getOrDefault(key(call), None.NONE));
    catalog.one(
        Message.of(
            "aten::get.default_%s(Dict(%s, t) self, %s key, t default_value) -> t(*)",
            key, key, key),
        call -> dict(call, 0).getOrDefault(key(call), call.value(2)));
    catalog.one(
        Message.of(
            "aten::setdefault.%s(Dict(%s, t)(a!) self, %s(b -> *) key, t(c -> *) default_value) -> t(*)",
            key, key, key),
        call -> dict(call, 0).computeIfAbsent(key(call), absent -> call.value(2)));
  }

  private static void views(Catalog.Builder catalog, String key) {
    catalog
        .withInference(Inference.OF_VALUES)
        .one(
            Message.of("aten::keys.%s(Dict(%s, t) self) -> %s[](*)", key, key, key),
            call -> listed(call, dict(call, 0).keySet(), name -> name));
    catalog.one(
        Message.of("aten::values.%s(Dict(%s, t) self) -> t[](*)", key, key),
        call -> listed(call, dict(call, 0).values(), value -> value));
    catalog.one(
        Message.of("aten::items.%s(Dict(%s, t) self) -> ((%s, t)[])", key, key, key),
        call ->
            listed(
                call,
                dict(call, 0).entrySet(),
                item -> TupleValue.of(item.getKey(), item.getValue())));
  }

  /** {@code part} applied to each entry, as a list; or the fault of a cancellation. */
  private static <T> Object listed(Call call, Collection<T> entries, Function<T, Object> part) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> list = new ArrayList<>();
    for (T entry : entries) {
      if (!poll.mayContinue(COST)) {
        break;
      }
      list.add(part.apply(entry));
    }
    return poll.orFault(list);
  }

  private static void removal(Catalog.Builder catalog, String key) {
    catalog.one(
        Message.of("aten::pop.Dict_%s(Dict(%s, t)(a!) self, %s key) -> t(*)", key, key, key),
        call -> {
          Object found = dict(call, 0).remove(key(call));
          return found == null ? missing(call) : found;
        });
    catalog.one(
        Message.of(
            "aten::pop.Dict_default_%s(Dict(%s, t)(a!) self, %s key, t default_value) -> t(*)",
            key, key, key),
        call -> {
          Object found = dict(call, 0).remove(key(call));
          return found == null ? call.value(2) : found;
        });
    catalog.none(
        Message.of("aten::Delete.Dict_%s(Dict(%s, t)(a!) self, %s key) -> ()", key, key, key),
        call -> dict(call, 0).remove(key(call)) == null ? missing(call) : null);
    catalog.one(
        Message.of("aten::popitem.%s(Dict(%s, t)(a!) self) -> ((%s, t))", key, key, key),
        call -> popItem(dict(call, 0)));
    catalog.none(
        Message.of("aten::clear.%s(Dict(%s, t)(a!) self) -> ()", key, key),
        call -> {
          dict(call, 0).clear();
          return null;
        });
  }

  /** Removes the first item, as libtorch does; Python would remove the last. */
  private static Object popItem(Map<Object, Object> dict) {
    if (dict.isEmpty()) {
      return Fault.index("popitem finds no item in an empty dictionary");
    }
    Map.Entry<Object, Object> first = dict.entrySet().iterator().next();
    TupleValue item = TupleValue.of(first.getKey(), first.getValue());
    dict.remove(first.getKey());
    return item;
  }

  private static void copies(Catalog.Builder catalog, String key) {
    Kernel.One copy =
        call -> {
          Map<Object, Object> made = new LinkedHashMap<>();
          Fault stop =
              put(call, dict(call, 0).entrySet(), Map.Entry::getKey, Map.Entry::getValue, made);
          return stop == null ? made : stop;
        };
    catalog.one(
        Message.of("aten::copy.Dict_%s(Dict(%s, t)(a) self) -> Dict(%s, t)", key, key, key), copy);
    catalog.one(
        Message.of("aten::dict.Dict_%s(Dict(%s, t)(a) self) -> Dict(%s, t)", key, key, key), copy);
    catalog.one(
        Message.of("aten::dict.%s((%s, tVal)[] inputs) -> Dict(%s, tVal)", key, key, key),
        call -> {
          Map<Object, Object> made = new LinkedHashMap<>();
          Fault stop =
              put(
                  call,
                  call.list(0),
                  item -> normal(pair(item).get(0)),
                  item -> pair(item).get(1),
                  made);
          return stop == null ? made : stop;
        });
    catalog.none(
        Message.of(
            "aten::update.%s(Dict(%s, t)(a!) self, Dict(%s, t)(a!) to_add) -> ()", key, key, key),
        call ->
            put(
                call,
                dict(call, 1).entrySet(),
                Map.Entry::getKey,
                Map.Entry::getValue,
                dict(call, 0)));
  }

  private static List<Object> pair(Object item) {
    return ((TupleValue) item).elements();
  }

  /** Puts the key and value of each entry; returns the fault of a cancellation, or null. */
  private static <T> @Nullable Fault put(
      Call call,
      Collection<T> entries,
      Function<T, Object> key,
      Function<T, Object> value,
      Map<Object, Object> into) {
    CancellationPoll poll = new CancellationPoll(call);
    for (T entry : entries) {
      if (!poll.mayContinue(COST)) {
        break;
      }
      into.put(key.apply(entry), value.apply(entry));
    }
    return poll.fault();
  }
}
