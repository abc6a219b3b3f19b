package dev.staunch.torchscript.schema;

import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the overload of an operator for a call and says how each parameter is filled, by the
 * rules of libtorch's schema matching: overloads are tried in order, first without implicit
 * conversions, then with them. Archives do not name overloads, so the meaning of an archive depends
 * on this.
 *
 * <p>Source: torch/csrc/jit/frontend/schema_matching.cpp. If an operator had a different meaning
 * when the archive was written, or libtorch defines an overload in TorchScript itself, the match
 * names the function of {@link LibraryFunctions} that replaces it.
 */
public final class OverloadResolver {
  private final OperatorTable table;
  private final TypeRelations relations;
  private final LibraryFunctions library;

  /** Candidates for the names requested so far. */
  private final Map<String, List<Candidate>> candidates = new HashMap<>();

  /**
   * @param library the functions that replace overloads, for the archive's version
   */
  public OverloadResolver(OperatorTable table, TypeRelations relations, LibraryFunctions library) {
    this.table = table;
    this.relations = relations;
    this.library = library;
  }

  /** The types of a call's arguments. */
  public record Arguments(List<Type> positional, Map<String, Type> keywords) {
    public Arguments {
      positional = List.copyOf(positional);
      keywords = Collections.unmodifiableMap(new LinkedHashMap<>(keywords));
    }
  }

  /** How a parameter gets its value. */
  public sealed interface Filling {
    /** Positional argument {@code index}, or keyword argument {@code keyword}. */
    record Argument(int index, @Nullable String keyword, Conversion conversion)
        implements Filling {}

    /** The positional arguments from {@code from} on, each converted, as a list. */
    record Trailing(int from, List<Conversion> conversions) implements Filling {
      public Trailing {
        conversions = List.copyOf(conversions);
      }
    }

    record Default(Object value) implements Filling {}
  }

  /** How an argument is converted. */
  public enum Conversion {
    NONE,
    /** A single value is repeated to a list of the parameter's broadcast size. */
    REPEAT,
    /** A tuple of equal types becomes a list. */
    TUPLE_TO_LIST,
    TENSOR_TO_INT,
    TENSOR_TO_FLOAT,
    TENSOR_TO_COMPLEX,
    TENSOR_TO_NUMBER,
    NUMBER_TO_INT,
    NUMBER_TO_FLOAT,
    NUMBER_TO_COMPLEX,
    /** True becomes 1 where an int or any number is wanted; libtorch 1.13 rejected that. */
    BOOL_TO_INT,
    BOOL_TO_FLOAT
  }

  /**
   * @param fillings one for each parameter of the schema
   * @param extra positional arguments beyond the parameters, for variadic operators
   * @param function the library function to call instead, or null
   */
  public record Match(
      Schema schema,
      List<Filling> fillings,
      List<Integer> extra,
      List<Type> results,
      @Nullable String function) {
    public Match {
      fillings = List.copyOf(fillings);
      extra = List.copyOf(extra);
      results = List.copyOf(results);
    }
  }

  /**
   * The outcome: a match, or why each overload does not fit (no reasons if the name is unknown).
   */
  public record Resolution(@Nullable Match match, List<String> refusals) {}

  private record Candidate(Schema schema, @Nullable String function) {}

  public Resolution resolve(String name, Arguments arguments) {
    List<Candidate> known = candidates.computeIfAbsent(name, this::candidates);
    List<String> refusals = new ArrayList<>();
    for (boolean conversions : new boolean[] {false, true}) {
      for (Candidate candidate : known) {
        CallMatcher matcher =
            new CallMatcher(candidate.schema(), arguments, relations, conversions);
        List<Filling> fillings = matcher.fillings();
        if (fillings != null) {
          Match match =
              new Match(
                  candidate.schema(),
                  fillings,
                  matcher.extra(),
                  matcher.results(),
                  candidate.function());
          return new Resolution(match, List.of());
        }
        if (conversions) {
          refusals.add(candidate.schema() + ": " + matcher.refusal());
        }
      }
    }
    return new Resolution(null, refusals);
  }

  private List<Candidate> candidates(String name) {
    List<Candidate> candidates = new ArrayList<>();
    for (Schema schema : table.overloads(name)) {
      LibraryFunctions.Entry old = library.replacement(schema.qualifiedName());
      candidates.add(
          old == null ? new Candidate(schema, null) : new Candidate(old.schema(), old.function()));
    }
    for (LibraryFunctions.Entry defined : library.additions(name)) {
      candidates.add(new Candidate(defined.schema(), defined.function()));
    }
    return candidates;
  }
}
