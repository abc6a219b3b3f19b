package dev.staunch.inference;

import dev.staunch.torchscript.TorchScriptModule;
import java.util.List;

/** Reads what a method takes from the archive. */
final class Signatures {
  private Signatures() {}

  static List<Signature.Parameter> of(TorchScriptModule module, String method) {
    return module.method(method).parameters().stream()
        .map(parameter ->
            new Signature.Parameter(parameter.name(), parameter.type(), parameter.defaultValue()))
        .toList();
  }
}
