package dev.staunch.kernel.operand;

import dev.staunch.kernel.Body;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation made of others, defined by its expansion alone. When it runs, the steps compute;
 * when it is inferred, they find the forms of their results and the cost. The form of the result
 * never depends on an element.
 */
public final class Composite implements Kernel.One, Inference, Cost.Work, Body.Composed {
  /** The steps of an operation. */
  @FunctionalInterface
  public interface Expansion {
    /** The result of the last step, or a fault; {@code operands} are those of a call, or forms. */
    Object of(Steps steps, Operands operands);
  }

  private final Function<String, @Nullable CatalogEntry> catalog;
  private final Expansion expansion;

  private Composite(Function<String, @Nullable CatalogEntry> catalog, Expansion expansion) {
    this.catalog = catalog;
    this.expansion = expansion;
  }

  /**
   * A composite with this expansion; an operation's own kernel may delegate to it in some cases.
   */
  public static Composite of(Catalog.Builder catalog, Expansion expansion) {
    return new Composite(catalog::find, expansion);
  }

  /** Adds an operation with this expansion. */
  public static void add(Catalog.Builder catalog, String schema, Expansion expansion) {
    Composite composite = of(catalog, expansion);
    known(catalog, composite).one(schema, composite);
  }

  /** As {@link #add}, for an operation of libtorch that returns one tensor. */
  public static void one(Catalog.Builder catalog, String head, Expansion expansion) {
    add(catalog, "aten::" + head + " -> Tensor", expansion);
  }

  /** As {@link #add}, for an operation whose last step returns several results, or a fault. */
  public static void addMany(Catalog.Builder catalog, String schema, Expansion expansion) {
    Several several = new Several(of(catalog, expansion));
    known(catalog, several.one()).many(schema, several);
  }

  /** As a {@link Composite}, with several results. */
  private record Several(Composite one) implements Kernel.Many, Body.Composed {
    @Override
    public Object run(Call call) {
      return one.run(call);
    }
  }

  /** Adds another form of an operation, with a schema derived from that of {@code of}. */
  public static void addForm(
      Catalog.Builder catalog,
      CatalogEntry of,
      String name,
      Supplier<Schema> schema,
      Expansion expansion) {
    Composite composite = of(catalog, expansion);
    boolean fails = of.definition().has(Trait.FAILS_ON_VALUES);
    Catalog.Builder known = fails ? catalog.with(Trait.FAILS_ON_VALUES) : catalog;
    known(known, composite).define(name, schema, composite);
  }

  private static Catalog.Builder known(Catalog.Builder catalog, Composite composite) {
    return catalog.withInference(composite).withCost(composite);
  }

  /** Adds an operation that is another one under another name, or with other arguments. */
  public static void add(
      Catalog.Builder catalog,
      String schema,
      String other,
      Function<Operands, Object[]> arguments) {
    add(catalog, schema, (steps, operands) -> steps.run(other, arguments.apply(operands)));
  }

  @Override
  public Object infer(Operands operands) {
    return InferredSteps.forms(Steps.whole(expansion.of(new InferredSteps(catalog), operands)));
  }

  @Override
  public long multiplyAdds(Operands operands, Object results) {
    InferredSteps steps = new InferredSteps(catalog);
    expansion.of(steps, operands);
    return steps.multiplyAdds();
  }

  @Override
  public Object run(Call call) {
    return Steps.within(call, expansion::of);
  }
}
