package dev.staunch.kernel;

/** Lists the groups of operations that come with Staunch. */
final class StandardOperations {
  private StandardOperations() {}

  static void addTo(Catalog.Builder catalog) {
    ScalarOperations.addTo(catalog);
    ContainerOperations.addTo(catalog);
    TextOperations.addTo(catalog);
    PointwiseOperations.addTo(catalog);
    ShrinkingOperations.addTo(catalog);
    ShiftOperations.addTo(catalog);
    LossOperations.addTo(catalog);
    DistanceOperations.addTo(catalog);
    ReductionOperations.addTo(catalog);
    ViewOperations.addTo(catalog);
    CreationOperations.addTo(catalog);
    RandomOperations.addTo(catalog);
    LinearOperations.addTo(catalog);
    NeuralOperations.addTo(catalog);
    RecurrentOperations.addTo(catalog);
    EmbeddingOperations.addTo(catalog);
    ContextOperations.addTo(catalog);
    AttentionOperations.addTo(catalog);
    EnumOperations.addTo(catalog);
    TfrtOperations.addTo(catalog);
  }
}
