package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.StateUse;
import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The state that a method may write is known before it runs, and the method writes nothing else
 * (S6).
 */
class StateUseTest {
  private static final String ATTRIBUTES =
      "n : int\nt : Tensor\nitems : List[Tensor]\nnumbers : List[int]\n";

  private static final String START =
      """
      self.n = 0
      self.t = torch.ones([4], dtype=6)
      self.items = [torch.ones([4], dtype=6), torch.ones([4], dtype=6)]
      self.numbers = [1, 2]
      """;

  private static final String HELPERS =
      """
      def first(self: __torch__.M, a: Tensor, b: Tensor) -> Tensor:
        return a
      def either(self: __torch__.M, a: Tensor, b: Tensor) -> Tensor:
        if torch.gt(self.n, 0):
          c = a
        else:
          c = b
        return c
      def bump(self: __torch__.M, a: Tensor) -> Tensor:
        return torch.add_(a, 1.)
      def put(self: __torch__.M, l: List[Tensor], a: Tensor) -> int:
        _0 = torch.append(l, a)
        return torch.len(l)
      def swap(self: __torch__.M, p: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tensor]:
        a, b, = p
        return (b, a)
      """;

  private static final String FRESH =
      """
      def fresh(self: __torch__.M) -> Tensor:
        return torch.zeros([4], dtype=6)
      """;

  private static SmallModel model(String methods) {
    return SmallModel.of(ATTRIBUTES, START, HELPERS + FRESH + methods);
  }

  private static StateUse use(String body) {
    String method = "def f(self: __torch__.M, x: Tensor) -> Tensor:\n" + body.indent(2);
    try (SmallModel small = model(method)) {
      return small.model.stateUse("f");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self.n = torch.add(self.n, 1)\nreturn x\n",
        "_0 = torch.add_(self.t, 1.)\nreturn x\n",
        "y = torch.slice(torch.detach(self.t), 0, 1, 3)\n_0 = torch.add_(y, 1.)\nreturn x\n",
        "self.t = x\nreturn x\n",
        "_0 = torch.append(self.items, x)\nreturn x\n",
        "_0 = torch.append(self.numbers, 1)\nreturn x\n",
        "_0 = torch.add_((self.items)[0], 1.)\nreturn x\n",
        "l = [x]\n_0 = torch.append(l, self.t)\nreturn torch.add_((l)[0], 1.)\n",
        "l = [x]\nm = [l]\n_0 = torch.append(l, self.t)\nreturn torch.add_(((m)[0])[0], 1.)\n",
        "return torch.add_((self).either(x, self.t, ), 1.)\n",
        "return (self).bump(self.t, )\n",
        "l = [x]\n_0 = (self).put(l, self.t, )\nreturn torch.add_((l)[0], 1.)\n",
        "a, b, = (self).swap((x, self.t), )\nreturn torch.add_(a, 1.)\n",
        "y = x\nfor i in range(2):\n  _0 = torch.add_(y, 1.)\n  y = self.t\nreturn x\n",
        "return torch.batch_norm(torch.reshape(x, [1, 4]), None, None, self.t, self.t, True, 0.1,"
            + " 0.1, False)\n",
        """
        i = torch.zeros([1, 4], dtype=4)
        s = torch.sparse_coo_tensor(i, self.t, [4])
        return torch.add_(torch._values(s), 1.)
        """,
      })
  void whatWritesStateIsKnown(String body) {
    StateUse found = use(body);
    assertTrue(found.state());
    assertNotNull(found.line());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return torch.add(x, self.t)\n",
        "return torch.relu_(torch.add(x, self.t))\n",
        "y = torch.slice(torch.add(self.t, 1.), 0, 1, 3)\nreturn torch.add_(y, 1.)\n",
        "l = [torch.add(x, 1.)]\n_0 = torch.append(l, torch.cat([x, self.t]))\nreturn (l)[1]\n",
        "y = torch.add(x, 1.)\nz = torch.cat([y, self.t])\nreturn torch.add_(y, 1.)\n",
        "return torch.add_(torch.cat(self.items), 1.)\n",
        "return torch.add((self).either(x, self.t, ), 1.)\n",
        "return (self).bump(torch.add((self).either(x, self.t, ), 1.), )\n",
        "a, b, = (self).swap((torch.add(x, 1.), self.t), )\nreturn torch.add_(b, 1.)\n",
        "if False:\n  self.n = 1\nelse:\n  pass\nreturn x\n",
        "s = torch.size(self.t)\n_0 = torch.append(s, 1)\nreturn torch.reshape(x, s)\n",
        "y = torch.add(x, 1.)\nb = torch.equal(y, self.t)\nreturn torch.add_(y, 1.)\n",
        "l = [torch.add(x, 1.), self.t]\nn = torch.len(l)\nreturn torch.add_(torch.cat(l), 1.)\n",
        "return torch.batch_norm(torch.reshape(x, [1, 4]), None, None, self.t, self.t, False, 0.1,"
            + " 0.1, False)\n",
      })
  void whatDoesNotIsKnownToo(String body) {
    assertEquals(StateUse.NONE, use(body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return torch.add_(x, 1.)\n",
        "return (self).bump((self).first(x, self.t, ), )\n",
        "l = [x]\nreturn torch.add_((l)[0], 1.)\n",
      })
  void whatWritesAnArgumentIsNotSaidToWriteState(String body) {
    StateUse found = use(body);
    assertFalse(found.state());
    assertTrue(found.arguments());
  }

  @Test
  void aMethodThatCallsItselfWritesWhatItWrites() {
    String recursive =
        """
        def down(self: __torch__.M, x: Tensor, n: int) -> Tensor:
          if torch.gt(n, 0):
            y = (self).down(self.t, torch.sub(n, 1), )
          else:
            y = x
          return %s
        """;
    try (SmallModel writes = model(recursive.formatted("torch.add_(x, 1.)"));
        SmallModel reads = model(recursive.formatted("torch.add(y, 1.)"))) {
      assertTrue(writes.model.stateUse("down").state());
      assertEquals(StateUse.NONE, reads.model.stateUse("down"));
    }
  }

  @Test
  void anElementOfATupleThatIsWrittenIsOneOfAnArgument() {
    String methods =
        """
        def first(self: __torch__.M, p: Tuple[Tensor, Tensor]) -> Tensor:
          a, b, = p
          return torch.add_(a, 1.)
        def sum(self: __torch__.M, p: Tuple[Tensor, Tensor]) -> Tensor:
          a, b, = p
          return torch.add(a, b)
        def down(self: __torch__.M, p: Tuple[Tensor, Tensor], n: int) -> int:
          if torch.gt(n, 0):
            m = (self).down((self.t, self.t), torch.sub(n, 1), )
          else:
            a, b, = p
            _0 = torch.add_(a, 1.)
            m = 1
          return m
        def all(self: __torch__.M, x: Tensor) -> int:
          return (self).down((torch.add(x, 1.), torch.add(x, 1.)), 1, )
        """;
    try (SmallModel small = SmallModel.of(ATTRIBUTES, START, FRESH + methods)) {
      StateUse first = small.model.stateUse("first");
      assertFalse(first.state());
      assertTrue(first.arguments());
      assertNotNull(first.line());
      assertEquals(StateUse.NONE, small.model.stateUse("sum"));
      assertTrue(small.model.stateUse("all").state());
    }
  }

  /** A caller may hold a tensor of the model's state and pass it as an argument. */
  @Test
  void aMethodThatWritesWhatItIsGivenTakesATurnIfThatIsTheModels() {
    String methods =
        """
        def get(self: __torch__.M) -> Tensor:
          return self.t
        def fail(self: __torch__.M, x: Tensor) -> Tensor:
          _0 = torch.add_(x, 1.)
          ops.prim.RaiseException("after it wrote")
          return x
        def low(self: __torch__.M) -> int:
          return int(torch.item(torch.min(self.t)))
        """;
    try (SmallModel small = model(methods)) {
      assertFalse(small.model.stateUse("fail").state());
      small.inScope(scope -> {
        DenseTensor kept = (DenseTensor) small.model.call("get", List.of(), scope);
        assertInstanceOf(Fault.class, small.model.call("fail", List.of(kept), scope));
      });
      assertEquals(1L, small.call("low"), "what a failed request wrote is taken back");
    }
  }

  /** Tracing and freezing turn tensors of a module into constants. */
  @Test
  void aConstantOfTheCodeIsSharedAsTheStateIs() {
    String methods =
        """
        def get(self: __torch__.M) -> Tensor:
          return CONSTANTS.c0
        def write(self: __torch__.M, x: Tensor) -> int:
          _0 = torch.add_(x, 1.)
          ops.prim.RaiseException("after it wrote")
          return 1
        def change(self: __torch__.M) -> int:
          return (self).write(CONSTANTS.c0, )
        def keep(self: __torch__.M) -> int:
          self.t = CONSTANTS.c0
          return 1
        def drop(self: __torch__.M) -> int:
          self.t = torch.ones([4], dtype=6)
          return 1
        def high(self: __torch__.M) -> int:
          return int(torch.item(torch.max(CONSTANTS.c0)))
        """;
    try (SmallModel small = SmallModel.withConstant(ATTRIBUTES, START, methods)) {
      assertTrue(small.model.stateUse("change").state());
      assertInstanceOf(Fault.class, small.call("change"));
      small.inScope(scope -> {
        Object constant = small.model.call("get", List.of(), scope);
        assertInstanceOf(Fault.class, small.model.call("write", List.of(constant), scope));
      });
      assertEquals(0L, small.call("high"), "what failed requests wrote is taken back");
      assertEquals(1L, small.call("keep"));
      assertEquals(1L, small.call("drop"));
      assertEquals(0L, small.call("high"), "and it lives on when no object holds it any more");
    }
  }

  /** Random programs pass tensors of the state and others around; every write was predicted. */
  @Test
  void nothingIsWrittenThatWasNotForetold() {
    int writing = 0;
    int reading = 0;
    for (int seed = 0; seed < 60; seed++) {
      RandomMethods random = new RandomMethods(new Random(seed));
      StringBuilder methods = new StringBuilder();
      int count = 20;
      for (int i = 0; i < count; i++) {
        methods.append(random.method("f" + i));
      }
      try (SmallModel small = model(methods.toString())) {
        for (int i = 0; i < count; i++) {
          String method = "f" + i;
          if (small.model.stateUse(method).state()) {
            writing++;
          } else {
            reading++;
            assertWritesNothing(small, method, methods.toString());
          }
        }
      }
    }
    assertTrue(writing > 100 && reading > 100, writing + " write, " + reading + " do not");
  }

  private static void assertWritesNothing(SmallModel small, String method, String text) {
    WatchedState watched = new WatchedState(small.model);
    small.inScope(scope -> {
      Object x = small.model.call("fresh", List.of(), scope);
      Object outcome = small.model.call(method, List.of(x), scope.withStateGuard(watched));
      assertInstanceOf(DenseTensor.class, outcome, () -> method + " of\n" + text);
    });
    assertEquals(List.of(), watched.written(), () -> method + " of\n" + text);
  }

  /** Methods of a few statements, over tensors, lists and pairs of them. */
  private static final class RandomMethods {
    private final Random random;
    private final StringBuilder text = new StringBuilder();
    private final List<String> tensors = new ArrayList<>();
    private final List<String> lists = new ArrayList<>();
    private final List<String> pairs = new ArrayList<>();
    private int names;

    RandomMethods(Random random) {
      this.random = random;
    }

    String method(String name) {
      text.setLength(0);
      List.of(tensors, lists, pairs).forEach(List::clear);
      tensors.add("x");
      text.append("def ").append(name).append("(self: __torch__.M, x: Tensor) -> Tensor:\n");
      add(4 + random.nextInt(10), "  ");
      text.append("  return ").append(tensor()).append("\n");
      return text.toString();
    }

    private void add(int statements, String indent) {
      for (int i = 0; i < statements; i++) {
        statement(indent);
      }
    }

    private static String one(Random random, List<String> of) {
      return of.get(random.nextInt(of.size()));
    }

    private String tensor() {
      return one(random, tensors);
    }

    private String named(String prefix) {
      return prefix + names++;
    }

    private void assign(String indent, String name, String what) {
      text.append(indent).append(name).append(" = ").append(what).append("\n");
    }

    private void statement(String indent) {
      int kind = random.nextInt(18);
      if (kind < 8) {
        String value = kind == 0 ? "self.t" : computed(kind);
        String name = named("v");
        assign(indent, name, value);
        tensors.add(name);
      } else if (kind < 10) {
        String value = kind == 8 ? "[%s, %s]".formatted(tensor(), tensor()) : "self.items";
        String name = named("l");
        assign(indent, name, value);
        lists.add(name);
      } else if (kind == 10) {
        String value = "(%s, %s)".formatted(tensor(), tensor());
        String name = named("p");
        assign(indent, name, pairs.isEmpty() ? value : "(self).swap(" + one(random, pairs) + ", )");
        pairs.add(name);
      } else if (kind == 11 && !pairs.isEmpty()) {
        String name = named("v");
        String other = named("v");
        text.append("%s%s, %s, = %s\n".formatted(indent, name, other, one(random, pairs)));
        tensors.addAll(List.of(name, other));
      } else if (kind == 12 && !lists.isEmpty()) {
        String name = named("v");
        assign(indent, name, "(" + one(random, lists) + ")[0]");
        tensors.add(name);
      } else if (kind == 13 && !lists.isEmpty()) {
        String call = random.nextBoolean() ? "torch.append(%s, %s)" : "(self).put(%s, %s, )";
        assign(indent, named("_"), call.formatted(one(random, lists), tensor()));
      } else if (kind == 14) {
        String call = random.nextBoolean() ? "torch.add_(%s, 1.)" : "(self).bump(%s, )";
        String name = named("v");
        assign(indent, name, call.formatted(tensor()));
        tensors.add(name);
      } else if (kind == 15 && indent.length() < 6) {
        branch(indent);
      } else if (kind == 16 && indent.length() < 6) {
        loop(indent);
      } else if (kind == 17 && random.nextInt(6) == 0) {
        assign(indent, "self.t", tensor());
      }
    }

    private String computed(int kind) {
      return switch (kind) {
        case 1 -> "torch.add(%s, %s)".formatted(tensor(), tensor());
        case 2 -> "torch.detach(" + tensor() + ")";
        case 3 -> "torch.reshape(" + tensor() + ", [4])";
        case 4 -> "torch.slice(" + tensor() + ", 0, 0, 4)";
        case 5 -> "(self).first(%s, %s, )".formatted(tensor(), tensor());
        case 6 -> "(self).either(%s, %s, )".formatted(tensor(), tensor());
        default -> "torch.contiguous(" + tensor() + ")";
      };
    }

    private void branch(String indent) {
      String name = named("v");
      text.append(indent)
          .append("if torch.gt(self.n, ")
          .append(random.nextInt(3) - 1)
          .append("):\n");
      arm(indent + "  ", name);
      text.append(indent).append("else:\n");
      arm(indent + "  ", name);
      tensors.add(name);
    }

    private void arm(String indent, String name) {
      List<List<String>> known = new ArrayList<>();
      List.of(tensors, lists, pairs).forEach(each -> known.add(List.copyOf(each)));
      add(1 + random.nextInt(3), indent);
      assign(indent, name, tensor());
      restore(known);
    }

    private void loop(String indent) {
      String name = named("v");
      assign(indent, name, tensor());
      tensors.add(name);
      text.append(indent).append("for ").append(named("i")).append(" in range(2):\n");
      arm(indent + "  ", name);
    }

    private void restore(List<List<String>> known) {
      List<List<String>> all = List.of(tensors, lists, pairs);
      for (int i = 0; i < all.size(); i++) {
        all.get(i).clear();
        all.get(i).addAll(known.get(i));
      }
    }
  }
}
