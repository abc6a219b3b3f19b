package example;

import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Serves one model: {@code POST /v2/models/ranker/infer}. */
@SpringBootApplication
public class RankerService {
  public static void main(String[] arguments) {
    SpringApplication.run(RankerService.class, arguments);
  }

  /** Holds weights, and the memory that requests need while they run. */
  @Bean(destroyMethod = "close")
  OffHeap memory(@Value("${ranker.memory:1073741824}") long bytes) {
    return OffHeap.withBudget(bytes);
  }

  /**
   * One model for all threads. Spring closes it after the last request and before the memory. The
   * files come as strings, because Spring would look for a relative Path among the resources of the
   * web application first.
   */
  @Bean(destroyMethod = "close")
  Model ranker(
      OffHeap memory,
      @Value("${ranker.archive}") String archive,
      @Value("${ranker.warm-up}") String recorded)
      throws IOException {
    ProtocolReader reader = new ProtocolReader();
    List<InferenceRequest> requests =
        Files.readAllLines(Path.of(recorded)).stream()
            .map(line -> reader.read(line).orThrow())
            .toList();
    LoadOptions options = LoadOptions.standard().withTrainingRefused();
    Model model = Model.load(Path.of(archive), memory, options);
    // the port opens once the model is warm
    model.warmUp(requests, model.defaultMethod(), Duration.ofSeconds(10));
    return model;
  }
}
