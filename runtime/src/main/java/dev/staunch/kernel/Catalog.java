package dev.staunch.kernel;

import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.operation.Cost;
import dev.staunch.operation.Effects;
import dev.staunch.operation.Inference;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.operation.SchemaText;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a runtime can run, by qualified name ({@code aten::add.Tensor}), and the
 * primitives that they compute with. Immutable; the same catalog serves eager calls, TorchScript
 * and programs in text form.
 */
public final class Catalog {
  private final Map<String, LazyEntry> operations;
  private final @Nullable KernelSet kernels;

  private Catalog(Map<String, LazyEntry> operations, @Nullable KernelSet kernels) {
    this.operations = operations;
    this.kernels = kernels;
  }

  /** Related operations; a family is a list of such groups. */
  @FunctionalInterface
  public interface Group {
    /** Adds the group's operations to {@code catalog}. */
    void addTo(Builder catalog);

    /**
     * As many groups as {@code count}, numbered from 0; {@code all} adds a group by its number. A
     * process uses few of the groups, and a list of method references would link every one of them,
     * which costs a new process milliseconds.
     */
    static List<Group> numbered(int count, ObjIntConsumer<Builder> all) {
      List<Group> groups = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        groups.add(new Numbered(all, i));
      }
      return List.copyOf(groups);
    }
  }

  private record Numbered(ObjIntConsumer<Builder> all, int number) implements Group {
    @Override
    public void addTo(Builder catalog) {
      all.accept(catalog, number);
    }
  }

  public @Nullable CatalogEntry find(String qualifiedName) {
    return found(operations, qualifiedName);
  }

  private static @Nullable CatalogEntry found(Map<String, LazyEntry> operations, String name) {
    LazyEntry entry = operations.get(name);
    return entry == null ? null : entry.get();
  }

  /** All operations; makes the entries that nobody has asked for yet. */
  public Collection<CatalogEntry> operations() {
    return operations.values().stream().map(LazyEntry::get).toList();
  }

  /** The qualified names of all operations. */
  public Set<String> names() {
    return Collections.unmodifiableSet(operations.keySet());
  }

  /**
   * The primitives that the kernels compute with.
   *
   * @throws IllegalStateException if the catalog was built without any
   */
  public KernelSet kernels() {
    if (kernels == null) {
      throw new IllegalStateException("the catalog has no set of kernels");
    }
    return kernels;
  }

  /** A catalog of the same operations that computes with the primitives {@code other}. */
  public Catalog with(KernelSet other) {
    return new Catalog(operations, other);
  }

  /**
   * A builder that starts with all operations of this catalog; {@code define} may replace an
   * entry's kernel.
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.operations.putAll(operations);
    builder.kernels = kernels;
    return builder;
  }

  /** Collects operations; not thread-safe. */
  public static final class Builder {
    private final Map<String, LazyEntry> operations;
    private final @Nullable Builder rest;
    private final Set<Trait> traits;
    private final Effects.@Nullable Training training;
    private final @Nullable Inference inference;
    private final Cost.@Nullable Work work;
    private final Set<DType> dtypes;
    private final @Nullable String out;
    private boolean closesOnFailure;
    private boolean deferred;
    private @Nullable KernelSet kernels;

    /** A builder without any operations. */
    public Builder() {
      this(new LinkedHashMap<>(), null, Set.of(), null, null, null, Set.of(), null);
    }

    /**
     * A builder for one group, without operations of its own; it looks up all others in {@code
     * rest}.
     */
    public Builder(Builder rest) {
      this(new LinkedHashMap<>(), rest, Set.of(), null, null, null, Set.of(), null);
    }

    private Builder(
        Map<String, LazyEntry> operations,
        @Nullable Builder rest,
        Set<Trait> traits,
        Effects.@Nullable Training training,
        @Nullable Inference inference,
        Cost.@Nullable Work work,
        Set<DType> dtypes,
        @Nullable String out) {
      this.operations = operations;
      this.rest = rest;
      this.traits = traits;
      this.training = training;
      this.inference = inference;
      this.work = work;
      this.dtypes = dtypes;
      this.out = out;
    }

    private Builder knowing(
        Set<Trait> known,
        Effects.@Nullable Training statistics,
        @Nullable Inference inferring,
        Cost.@Nullable Work counting,
        Set<DType> taken,
        @Nullable String overload) {
      Builder builder =
          new Builder(operations, rest, known, statistics, inferring, counting, taken, overload);
      builder.closesOnFailure = closesOnFailure;
      builder.deferred = deferred;
      builder.kernels = kernels;
      return builder;
    }

    /**
     * A view of this builder: operations defined through it also have the traits {@code more}. For
     * example {@code catalog.with(Trait.DRAWS_RANDOM).one("aten::rand(...) -> Tensor", ...)}.
     */
    public Builder with(Trait... more) {
      Set<Trait> known = EnumSet.noneOf(Trait.class);
      known.addAll(traits);
      known.addAll(List.of(more));
      return knowing(Collections.unmodifiableSet(known), training, inference, work, dtypes, out);
    }

    /**
     * A view of this builder: operations defined through it update running statistics while a
     * module is trained.
     *
     * @param flag the bool parameter that says whether they are updated
     * @param moved the parameters that hold the statistics
     */
    public Builder withRunningState(String flag, String... moved) {
      return knowing(
          traits, new Effects.Training(flag, List.of(moved)), inference, work, dtypes, out);
    }

    /** A view of this builder: {@code how} infers the results of operations defined through it. */
    public Builder withInference(Inference how) {
      return knowing(traits, training, how, work, dtypes, out);
    }

    /**
     * A view of this builder: {@code counted} counts the multiplications and additions of
     * operations defined through it.
     */
    public Builder withCost(Cost.Work counted) {
      return knowing(traits, training, inference, counted, dtypes, out);
    }

    /**
     * A view of this builder: operations defined through it compute with leading tensors of these
     * dtypes, for operations whose inference does not check dtypes.
     */
    public Builder withDTypes(Set<DType> taken) {
      return knowing(traits, training, inference, work, taken, out);
    }

    /**
     * A view of this builder: each operation defined through it, unless it writes a parameter, also
     * gets a form with this overload name that writes its result into a given tensor.
     */
    public Builder out(String overload) {
      return knowing(traits, training, inference, work, dtypes, overload);
    }

    /**
     * Promises that kernels defined from here on {@linkplain CatalogEntry#closesOnFailure close
     * what they made} before they fail. For all other kernels the caller does this, at a cost of a
     * fraction of a microsecond per call.
     */
    public Builder closesOnFailure() {
      closesOnFailure = true;
      return this;
    }

    /**
     * Defers parsing and checking the schemas of operations defined from here on until they are
     * first asked for. Meant for catalogs of which a process uses a small part; a test of such a
     * catalog should ask for all its schemas.
     */
    public Builder deferred() {
      deferred = true;
      return this;
    }

    /** Sets the primitives that the kernels compute with. */
    public Builder kernels(KernelSet set) {
      kernels = set;
      return this;
    }

    /**
     * Adds an operation, or replaces the one with the same qualified name.
     *
     * @throws IllegalArgumentException if the text is not a schema, the kernel's variant does not
     *     fit the number of its results, or a parameter that {@link #withRunningState} names is
     *     missing
     */
    public Builder define(String schema, Kernel kernel) {
      return define(SchemaText.name(schema), () -> SchemaText.parse(schema), kernel);
    }

    /** The operation with this name; null if it is not defined, or not yet. */
    public @Nullable CatalogEntry find(String qualifiedName) {
      CatalogEntry entry = found(operations, qualifiedName);
      return entry != null || rest == null ? entry : rest.find(qualifiedName);
    }

    /**
     * Adds an operation that {@code source} makes when it is first asked for, on any thread;
     * replaces the operation with the same name.
     */
    public Builder onDemand(String name, Supplier<CatalogEntry> source) {
      operations.put(name, new LazyEntry(source));
      return this;
    }

    /** Adds the operations of {@code groups}. */
    public Builder addAll(List<Group> groups) {
      for (Group group : groups) {
        group.addTo(this);
      }
      return this;
    }

    /** As {@link #define(String, Kernel)}, with a schema that was not parsed from text. */
    public Builder define(Schema schema, Kernel kernel) {
      return define(schema.qualifiedName(), () -> schema, kernel);
    }

    /**
     * As {@link #define(String, Kernel)}, with a schema that {@code source} supplies. It may be
     * called on any thread, and must return the same schema, with this qualified name, every time.
     */
    public Builder define(String name, Supplier<Schema> source, Kernel kernel) {
      return define(
          new CatalogEntry(
              new OperationDefinition(name, source, traits, training, inference, work, dtypes, out),
              kernel,
              closesOnFailure));
    }

    /** Adds an entry of another catalog unchanged, or replaces the one with the same name. */
    public Builder define(CatalogEntry operation) {
      if (!deferred) {
        operation.schema();
        operation.effects();
      }
      operations.put(operation.name(), new LazyEntry(operation));
      return this;
    }

    public Builder one(String schema, Kernel.One kernel) {
      return define(schema, kernel);
    }

    public Builder none(String schema, Kernel.NoResult kernel) {
      return define(schema, kernel);
    }

    public Builder many(String schema, Kernel.Many kernel) {
      return define(schema, kernel);
    }

    public Catalog build() {
      return new Catalog(Collections.unmodifiableMap(new LinkedHashMap<>(operations)), kernels);
    }
  }
}
