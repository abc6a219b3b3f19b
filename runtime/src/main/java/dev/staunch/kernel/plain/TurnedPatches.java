package dev.staunch.kernel.plain;

/** {@link Patches} transposed: a row holds the elements that one pixel depends on. */
record TurnedPatches(Patches patches) implements Factor {
  @Override
  public int rows() {
    return patches.columns();
  }

  @Override
  public int columns() {
    return patches.rows();
  }

  @Override
  public Factor part(int row, int rowCount, int column, int columnCount) {
    return new TurnedPatches(
        patches.part(
            /* row= */ column,
            /* rowCount= */ columnCount,
            /* column= */ row,
            /* columnCount= */ rowCount));
  }

  @Override
  public Factor transposed() {
    return patches;
  }

  @Override
  public boolean hasColumnsTogether() {
    return false;
  }
}
