package dev.staunch.data.image;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Image files and their labels. */
final class ImageList {
  private static final char TAB = '\t';

  /**
   * A file with its labels.
   *
   * @param name the file's name in messages
   */
  @SuppressWarnings("ArrayRecordComponent") // created once
  record Member(Path file, String name, float[] labels) {}

  private final List<Member> members;

  private ImageList(List<Member> members) {
    this.members = members;
  }

  List<Member> members() {
    return members;
  }

  static ImageList ofFolder(Path folder) throws IOException {
    List<Member> members = new ArrayList<>();
    int label = 0;
    for (Path each : sorted(folder)) {
      if (Files.isDirectory(each)) {
        for (Path file : sorted(each)) {
          String name = ByteInput.name(each) + "/" + ByteInput.name(file);
          members.add(new Member(file, name, new float[] {label}));
        }
        label++;
      }
    }
    if (members.isEmpty()) {
      throw Fault.data(ByteInput.name(folder), folder + " has no folders with images in them")
          .withExpected("a folder for each class", "none")
          .toException();
    }
    return new ImageList(members);
  }

  private static List<Path> sorted(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(each -> !ByteInput.name(each).startsWith(".")).sorted().toList();
    }
  }

  /** Reads lines of a number, labels and a path, separated by tabs. */
  static ImageList read(Path list, Path root, int labels) throws IOException {
    List<Member> members = new ArrayList<>();
    int row = 0;
    for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
      row++;
      if (!line.isBlank()) {
        members.add(member(ByteInput.name(list), row, line, root, labels));
      }
    }
    return new ImageList(members);
  }

  private static Member member(String list, int row, String line, Path root, int labels) {
    List<String> parts = List.of(line.strip().split(String.valueOf(TAB), -1));
    Place place = new Place(list, "row", row, 0, -1, line);
    String expected = "a number, " + labels + " labels and a path, with tabs between";
    if (parts.size() != labels + 2) {
      throw place
          .fault("the line has " + Message.count(parts.size(), "part"), expected, line)
          .toException();
    }
    float[] values = new float[labels];
    for (int i = 0; i < labels; i++) {
      String text = parts.get(i + 1);
      if (!text.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
        throw place
            .fault("`" + Place.shown(text) + "` is not a label", expected, text)
            .toException();
      }
      values[i] = Float.parseFloat(text);
    }
    Path file = root.resolve(parts.getLast()).normalize();
    if (!file.startsWith(root.normalize())) {
      throw place.fault("the path leads out of " + root, "a path below", line).toException();
    }
    return new Member(file, parts.getLast(), values);
  }
}
