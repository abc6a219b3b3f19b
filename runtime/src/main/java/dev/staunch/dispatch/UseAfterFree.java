package dev.staunch.dispatch;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;

/** Detects a kernel that accessed memory after it was released: always a bug of Staunch itself. */
final class UseAfterFree {
  private UseAfterFree() {}

  /** {@code fault}; or, if it is such an access, a fault that says so and names the scopes. */
  static Fault described(Fault fault, Call call) {
    if (fault.type() != FaultType.INTERNAL
        || !(fault.cause() instanceof IllegalStateException closed)
        || !"Already closed".equals(closed.getMessage())) {
      return fault;
    }
    List<String> scopes = new ArrayList<>(List.of(call.scope().name()));
    for (Object argument : call.arguments()) {
      ResourceScope scope = argument instanceof DenseTensor tensor ? tensor.home() : null;
      if (scope != null && !scopes.contains(scope.name())) {
        scopes.add(scope.name());
      }
    }
    return Fault.internal(
            Message.of(
                "memory of the scope %s was touched after it had been given back",
                String.join(" or ", scopes)))
        .withCause(closed);
  }
}
