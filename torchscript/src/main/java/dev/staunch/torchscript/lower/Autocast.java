package dev.staunch.torchscript.lower;

import dev.staunch.operation.None;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import dev.staunch.torchscript.source.Statement;
import dev.staunch.type.DType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code with torch.autocast(...)} requires of the operations in its body, including those in
 * functions it calls: to take some of their tensors in another dtype. As in libtorch, this is
 * decided when the code is read, so the object's attributes must be known then.
 *
 * @param dtype the dtype that replaces float32 where an operation's policy is to reduce
 */
record Autocast(DType dtype) {
  private static final Set<String> CLASSES =
      Set.of(
          "__torch__.torch.amp.autocast_mode.autocast",
          "__torch__.torch.autocast_mode.autocast",
          "__torch__.torch.cpu.amp.autocast_mode.autocast",
          "__torch__.torch.cuda.amp.autocast_mode.autocast");

  /** Represents a value that is not known before the code runs. */
  private static final Object UNKNOWN = new Object();

  /**
   * The setting of a scope.
   *
   * @param device {@code cpu}; a scope for any other device does not affect CPU tensors
   * @param enabled whether it switches autocast on or off
   */
  record Setting(String device, boolean enabled, @Nullable DType dtype) {
    /** What applies inside the scope if {@code outer} applies outside. */
    @Nullable Autocast within(@Nullable Autocast outer) {
      if (!device.equals("cpu")) {
        return outer;
      }
      return enabled && dtype != null ? new Autocast(dtype) : null;
    }
  }

  static boolean isScope(String className) {
    return CLASSES.contains(className);
  }

  /** The suffix of the names of functions called under this autocast. */
  String suffix() {
    return ".autocast_" + dtype;
  }

  /**
   * The setting of the object that {@code constructor} makes from these arguments; null if it
   * depends on values not known yet.
   */
  static @Nullable Setting setting(Definition.FunctionDef constructor, Expression.Call call) {
    Map<String, Object> known = arguments(constructor, call);
    collect(constructor.body(), known);
    Object device = known.get("self.device");
    Object enabled = known.get("self._enabled");
    if (!(device instanceof String name) || !(enabled instanceof Boolean on)) {
      return null;
    }
    Object code = known.getOrDefault("self.fast_dtype", None.NONE);
    Long number = code == None.NONE ? (Long) (long) DType.BFLOAT16.code() : null;
    number = code instanceof Long given ? given : number;
    DType dtype = number == null ? null : DType.ofCode(number);
    return on && dtype == null ? null : new Setting(name, on, dtype);
  }

  private static Map<String, Object> arguments(
      Definition.FunctionDef constructor, Expression.Call call) {
    Map<String, Object> known = new HashMap<>();
    List<Definition.ParameterDef> parameters = constructor.parameters();
    for (Definition.ParameterDef parameter : parameters) {
      put(known, parameter.name(), parameter.defaultValue());
    }
    for (int i = 0; i < call.arguments().size() && i + 1 < parameters.size(); i++) {
      put(known, parameters.get(i + 1).name(), call.arguments().get(i));
    }
    call.keywords().forEach(keyword -> put(known, keyword.name(), keyword.value()));
    return known;
  }

  private static void put(Map<String, Object> known, String name, @Nullable Expression expression) {
    Object value = expression == null ? null : value(known, expression);
    known.put(name, value == null ? UNKNOWN : value);
  }

  /** Follows the assignments; of a branch, only the side that its condition selects. */
  private static void collect(List<Statement> statements, Map<String, Object> known) {
    for (Statement statement : statements) {
      switch (statement) {
        case Statement.Assign assign when assign.targets().size() == 1 -> {
          String name = assign.targets().get(0).chain();
          if (name != null) {
            put(known, name, assign.value());
          }
        }
        case Statement.AnnotatedAssign assign -> put(known, assign.name(), assign.value());
        case Statement.If branch -> {
          Object condition = value(known, branch.condition());
          if (condition instanceof Boolean holds) {
            collect(holds ? branch.thenBody() : branch.elseBody(), known);
          } else {
            AssignedNames.in(List.of(branch)).forEach(name -> known.put(name, UNKNOWN));
          }
        }
        default -> {}
      }
    }
  }

  private static @Nullable Object value(Map<String, Object> known, Expression expression) {
    Object literal = Constants.literal(expression);
    String name = expression.chain();
    if (literal != null || name != null) {
      Object held = literal == null ? known.get(name) : literal;
      return UNKNOWN.equals(held) ? null : held;
    }
    String callee = expression instanceof Expression.Call call ? call.callee().chain() : null;
    if (callee == null) {
      return null;
    }
    List<Expression> arguments = ((Expression.Call) expression).arguments();
    Object last = arguments.isEmpty() ? null : value(known, arguments.getLast());
    return switch (callee) {
      case "annotate", "unchecked_cast" -> last;
      case "torch.__is__", "torch.__isnot__" -> {
        Object first = value(known, arguments.get(0));
        boolean wanted = callee.equals("torch.__is__");
        yield first == null || last == null ? null : (Object) (first.equals(last) == wanted);
      }
      case "torch.get_autocast_dtype" ->
          last instanceof String device
              ? (Object) (long) (device.equals("cpu") ? DType.BFLOAT16 : DType.FLOAT16).code()
              : null;
      case "torch.__not__" -> last instanceof Boolean flag ? (Object) !flag : null;
      default -> null;
    };
  }
}
