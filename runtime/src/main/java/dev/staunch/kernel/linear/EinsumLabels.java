package dev.staunch.kernel.linear;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.TensorForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The labels of an einsum, numbered with those of the output first. Each dimension that an ellipsis
 * stands for has a label of its own, counted from the right.
 *
 * @param names the name of each label in the equation
 * @param operands the labels of each operand's dimensions
 * @param lasts the last operand that has each label
 * @param outputs the number of labels of the output
 */
record EinsumLabels(List<String> names, int[][] operands, int[] lasts, int outputs) {
  private static final String ELLIPSIS = "...";

  int count() {
    return names.size();
  }

  int[] of(int operand) {
    return operands[operand];
  }

  int last(int label) {
    return lasts[label];
  }

  String name(int label) {
    return names.get(label);
  }

  /** The labels of {@code equation} for these operands; or a fault. */
  static Object parse(String equation, List<TensorForm> tensors) {
    if (tensors.isEmpty()) {
      return Fault.value("einsum takes at least one operand");
    }
    String text = equation.replace(" ", "");
    int arrow = text.indexOf("->");
    String[] inputs = (arrow < 0 ? text : text.substring(0, arrow)).split(",", -1);
    if (inputs.length != tensors.size()) {
      String words = "the equation '%s' is written for %s, but einsum got %d";
      String wanted = Message.count(inputs.length, "operand");
      return Fault.value(Message.of(words, equation, wanted, tensors.size()));
    }
    List<List<String>> words = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      Object split = words(inputs[i], tensors.get(i).rank(), i);
      if (!(split instanceof List<?> list)) {
        return split;
      }
      words.add(list.stream().map(String.class::cast).toList());
    }
    int hidden = hidden(words);
    Object output = arrow < 0 ? implied(words, hidden) : words(text.substring(arrow + 2), hidden);
    return output instanceof List<?> list
        ? numbered(list.stream().map(String.class::cast).toList(), words, tensors)
        : output;
  }

  /** The number of dimensions that the widest ellipsis stands for. */
  private static int hidden(List<List<String>> words) {
    return (int)
        words.stream()
            .mapToLong(list -> list.stream().filter(word -> word.startsWith(ELLIPSIS)).count())
            .max()
            .orElse(0);
  }

  private static Object words(String input, int rank, int number) {
    int letters = input.replace(ELLIPSIS, "").length();
    boolean open = input.contains(ELLIPSIS);
    Fault fault = unreadable(input, "operand " + number);
    if (fault != null) {
      return fault;
    }
    if (open ? letters > rank : letters != rank) {
      String text = "operand %d has %d dimensions, but '%s' names %d";
      String more = open ? "" : "; let `...` stand for the others";
      return Fault.shape(
          Message.of(text, number, rank, input, letters) + (letters < rank ? more : ""));
    }
    return expanded(input, rank - letters);
  }

  private static @Nullable Fault unreadable(String text, String where) {
    String rest = text.replaceFirst("\\.\\.\\.", "");
    for (int i = 0; i < rest.length(); i++) {
      char c = rest.charAt(i);
      if (c == '.') {
        return Fault.value("there is a '.' outside of an ellipsis in the subscripts of " + where);
      }
      if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) {
        String message =
            "the subscripts of %s must be letters from a to z or A to Z, but there is '%s'";
        return Fault.value(Message.of(message, where, c));
      }
    }
    return null;
  }

  private static List<String> expanded(String text, int hidden) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '.') {
        for (int k = hidden; k > 0; k--) {
          words.add(ELLIPSIS + k);
        }
        i += 2;
      } else {
        words.add(text.substring(i, i + 1));
      }
    }
    return words;
  }

  private static Object words(String output, int hidden) {
    Fault fault = unreadable(output, "the output");
    List<String> words = fault == null ? expanded(output, hidden) : List.of();
    for (int i = 0; i < words.size(); i++) {
      if (words.indexOf(words.get(i)) != i) {
        return Fault.value("subscript " + words.get(i) + " stands more than once for the output");
      }
    }
    return fault == null ? words : fault;
  }

  /** Without an arrow, the output has the ellipsis and all letters that occur once, sorted. */
  private static List<String> implied(List<List<String>> words, int hidden) {
    Map<String, Integer> times = new TreeMap<>();
    words.forEach(list -> list.forEach(word -> times.merge(word, 1, Integer::sum)));
    List<String> output = expanded(ELLIPSIS, hidden);
    times.forEach((word, count) -> {
      if (count == 1 && !word.startsWith(ELLIPSIS)) {
        output.add(word);
      }
    });
    return output;
  }

  private static Object numbered(
      List<String> output, List<List<String>> words, List<TensorForm> tensors) {
    List<String> names = new ArrayList<>(output);
    words.forEach(list ->
        list.forEach(word -> {
          if (!names.contains(word)) {
            names.add(word);
          }
        }));
    int[][] operands = new int[words.size()][];
    int[] lasts = new int[names.size()];
    Arrays.fill(lasts, -1);
    Map<Integer, Long> sizes = new HashMap<>();
    for (int i = 0; i < operands.length; i++) {
      operands[i] = words.get(i).stream().mapToInt(names::indexOf).toArray();
      for (int d = 0; d < operands[i].length; d++) {
        int label = operands[i][d];
        lasts[label] = i;
        long size = tensors.get(i).shape().size(d);
        long known = sizes.getOrDefault(label, 1L);
        if (known != 1 && size != 1 && known != size) {
          String text = "subscript %s has size %d in operand %d, but size %d in one before";
          return Fault.shape(Message.of(text, names.get(label), size, i, known));
        }
        sizes.put(label, known == 1 ? size : known);
      }
    }
    for (int label = 0; label < output.size(); label++) {
      if (lasts[label] < 0) {
        return Fault.value(
            Message.of("subscript %s of the output stands for no operand", output.get(label)));
      }
    }
    return new EinsumLabels(names, operands, lasts, output.size());
  }
}
