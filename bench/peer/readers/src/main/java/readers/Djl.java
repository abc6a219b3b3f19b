package readers;

import ai.djl.basicdataset.cv.classification.Mnist;
import ai.djl.basicdataset.tabular.CsvDataset;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.repository.Repository;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.RandomAccessDataset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/** How DJL's readers respond to the broken files. DJL has no readers for LibSVM and RecordIO. */
final class Djl {
  private static final List<String> CSV =
      List.of(
          "short.csv",
          "text.csv",
          "empty-field.csv",
          "large.csv",
          "quote.csv",
          "empty.csv",
          "cut.csv.gz");

  private Djl() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (NDManager manager = NDManager.newBaseManager()) {
      for (String name : CSV) {
        Answers.print(name, () -> csv(folder.resolve(name), manager));
      }
      Answers.print("cut-idx3", () -> mnist(folder, "cut-idx3", "labels4-idx1", manager));
      Answers.print("labels-idx1", () -> mnist(folder, "images-idx3", "labels-idx1", manager));
    }
  }

  private static Answers.Reader csv(Path file, NDManager manager) throws Exception {
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader("a", "b").get();
    CsvDataset dataset =
        CsvDataset.builder()
            .optCsvFile(file)
            .setCsvFormat(format)
            .addNumericFeature("a")
            .addNumericLabel("b")
            .setSampling(1, false)
            .build();
    dataset.prepare();
    return batches(dataset, manager);
  }

  /**
   * Mnist reads the files that a repository names; this repository names two files of the folder.
   */
  private static Answers.Reader mnist(Path folder, String images, String labels, NDManager manager)
      throws Exception {
    Path repository = Files.createTempDirectory("mnist");
    Path home = repository.resolve("dataset/cv/ai/djl/basicdataset/mnist");
    Path content = Files.createDirectories(home.resolve("1.0/mnist"));
    Files.copy(folder.resolve(images), content.resolve("images"));
    Files.copy(folder.resolve(labels), content.resolve("labels"));
    Files.writeString(
        home.resolve("metadata.json"),
        """
        {"metadataVersion": "0.2", "resourceType": "dataset", "application": "cv",
         "groupId": "ai.djl.basicdataset", "artifactId": "mnist", "name": "MNIST",
         "artifacts": [{"version": "1.0", "name": "mnist", "files": {
           "train_data": {"uri": "images", "name": "images", "type": "file", "size": 1},
           "train_labels": {"uri": "labels", "name": "labels", "type": "file", "size": 1}}}]}
        """);
    Mnist dataset =
        Mnist.builder()
            .optManager(manager)
            .optRepository(Repository.newInstance("broken", repository))
            .setSampling(1, false)
            .build();
    dataset.prepare();
    return batches(dataset, manager);
  }

  private static Answers.Reader batches(RandomAccessDataset dataset, NDManager manager)
      throws Exception {
    Iterator<Batch> batches = dataset.getData(manager).iterator();
    return () -> {
      if (!batches.hasNext()) {
        return null;
      }
      try (Batch batch = batches.next()) {
        return text(batch.getData()) + " | " + text(batch.getLabels());
      }
    };
  }

  private static String text(NDList arrays) {
    NDArray array = arrays.singletonOrThrow();
    return array.size() == 1 ? array.toArray()[0].toString() : array.getShape().toString();
  }
}
