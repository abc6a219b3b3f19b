package dev.staunch.vector;

/** Some rows and columns of a result. */
record Part(int firstRow, int endRow, int firstColumn, int endColumn) {

  int rows() {
    return endRow - firstRow;
  }

  int columns() {
    return endColumn - firstColumn;
  }
}
