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
    RankOperations.addTo(catalog);
    RunningOperations.addTo(catalog);
    CountingOperations.addTo(catalog);
    SearchOperations.addTo(catalog);
    UniqueOperations.addTo(catalog);
    PlacingOperations.addTo(catalog);
    ShapingOperations.addTo(catalog);
    ComplexViews.addTo(catalog);
    ArrangingOperations.addTo(catalog);
    ContractionOperations.addTo(catalog);
    ClosenessOperations.addTo(catalog);
    PairFunctions.addTo(catalog);
    SeriesOperations.addTo(catalog);
    ScatterReductions.addTo(catalog);
    ReductionOperations.addTo(catalog);
    ViewOperations.addTo(catalog);
    CreationOperations.addTo(catalog);
    RandomOperations.addTo(catalog);
    LinearOperations.addTo(catalog);
    NeuralOperations.addTo(catalog);
    TransposedConvolution.addTo(catalog);
    RootMeanSquareNormalization.addTo(catalog);
    GroupNormalization.addTo(catalog);
    MirroredPadding.addTo(catalog);
    IndexedPooling.addTo(catalog);
    ResizingOperations.addTo(catalog);
    GridSampling.addTo(catalog);
    RecurrentOperations.addTo(catalog);
    EmbeddingOperations.addTo(catalog);
    ContextOperations.addTo(catalog);
    AttentionOperations.addTo(catalog);
    EnumOperations.addTo(catalog);
    TfrtOperations.addTo(catalog);
    RenamedOperations.addTo(catalog);
    InPlaceForms.addTo(catalog);
    OutForms.addTo(catalog);
  }
}
