package dev.staunch.eager;

import dev.staunch.fault.Fault;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that a call by name, of an operation that is said to write a tensor, does write it. */
final class WritingCall {
  private WritingCall() {}

  /** The fault of a call that does not write {@code self}, its first argument; or null. */
  static @Nullable Fault misuse(
      Signatures signatures, String operation, Object[] arguments, Tensor self) {
    Objects.requireNonNull(arguments, "arguments");
    Signature signature = signatures.find(Objects.requireNonNull(operation, "operation"));
    if (signature == null) {
      Object found = signatures.resolve(operation, arguments, (it, all) -> it.misuse(1, all));
      if (found instanceof Fault fault) {
        return fault;
      }
      signature = ((Spelling) found).signature();
    }
    if (!signature.mutates(0)) {
      return misuse(signature, " does not write its first argument; call apply");
    }
    return arguments.length > 0 && arguments[0] == self
        ? null
        : misuse(signature, " is to write this tensor; give it as the first argument, too");
  }

  private static Fault misuse(Signature signature, String text) {
    return Fault.value(signature.name() + text).withOperation(signature.name(), List.of());
  }
}
