package dev.staunch.kernel;

/** The operations that come with Staunch. */
public final class StandardOperations {
  private static final Catalog CATALOG = made();

  private StandardOperations() {}

  /** All of them: one catalog for the whole process, made when first asked for. */
  public static Catalog catalog() {
    return CATALOG;
  }

  private static Catalog made() {
    Catalog.Builder catalog = new Catalog.Builder();
    ScalarOperations.addTo(catalog);
    TextOperations.addTo(catalog);
    ContainerOperations.addTo(catalog);
    PointwiseOperations.addTo(catalog);
    CreationOperations.addTo(catalog);
    ReductionOperations.addTo(catalog);
    ViewOperations.addTo(catalog);
    IndexOperations.addTo(catalog);
    RandomOperations.addTo(catalog);
    LinearOperations.addTo(catalog);
    NeuralOperations.addTo(catalog);
    AttentionOperations.addTo(catalog); // replaces a few of those above, for nested tensors
    RecurrentOperations.addTo(catalog);
    TfrtOperations.addTo(catalog);
    RenamedOperations.addTo(catalog);
    InPlaceForms.addTo(catalog);
    OutForms.addTo(catalog);
    return catalog.build();
  }
}
