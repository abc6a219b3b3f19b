package example;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.inference.Answer;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.inference.ProtocolWriter;
import java.time.Duration;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RankerController {
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private final Model ranker;
  private final ProtocolReader reader = new ProtocolReader();
  private final ProtocolWriter writer = new ProtocolWriter("ranker").withoutSources();

  RankerController(Model ranker) {
    this.ranker = ranker;
  }

  @PostMapping(path = "/v2/models/ranker/infer", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<String> infer(@RequestBody byte[] body) {
    ProtocolReader.Parsed parsed = reader.read(body);
    InferenceRequest request = parsed.request();
    Answer answer =
        request == null
            ? new Answer(parsed.id(), List.of(), parsed.fault())
            : ranker.predict(request, CancelScope.withDeadline(DEADLINE));
    return ResponseEntity.status(status(answer.fault())).body(writer.write(answer));
  }

  /** The HTTP status for a fault, for the sender of the request. */
  static int status(Fault fault) {
    if (fault == null) {
      return 200;
    }
    return switch (fault.type()) {
      case DEADLINE_EXCEEDED -> 504;
      case CLOSED -> 503; // the service is shutting down
      default ->
          switch (fault.category()) {
            case CALLER -> 400;
            case EXHAUSTED, CANCELLED -> 503;
            case BAD_DATA, INTERNAL -> 500;
          };
    };
  }
}
