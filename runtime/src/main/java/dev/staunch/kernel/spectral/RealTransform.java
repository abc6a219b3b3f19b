package dev.staunch.kernel.spectral;

/**
 * The discrete Fourier transform between real lines of one even length and the first half of their
 * spectra. It transforms half as many complex numbers, each made of two adjacent elements. Holds
 * tables and scratch memory: for one thread.
 */
final class RealTransform {
  private final int half;
  private final FourierTransform transform;
  private final double[] cosines;
  private final double[] sines;
  private final double[] workRe;
  private final double[] workIm;

  RealTransform(int length) {
    this.half = length / 2;
    this.transform = new FourierTransform(half);
    this.cosines = new double[half / 2 + 1];
    this.sines = new double[half / 2 + 1];
    this.workRe = new double[half];
    this.workIm = new double[half];
    for (int k = 0; k < cosines.length; k++) {
      double angle = Math.PI * k / half;
      cosines[k] = Math.cos(angle);
      sines[k] = Math.sin(angle);
    }
  }

  /** Whether this class supports lines of {@code length}. */
  static boolean takes(int length) {
    return length > 2 && length % 2 == 0;
  }

  /** The approximate number of elements that one transform touches. */
  long cost() {
    return transform.cost() + 4L * half;
  }

  /**
   * As {@link #spectrum(double[], double[])}, for many lines at once, to the bit: a row holds one
   * element of every line. The rows of {@code re} hold elements 0, 2, 4 ..., those of {@code im} 1,
   * 3, 5 ..., and one row more of each is written.
   *
   * @param rows transforms half as many elements as a line has
   */
  void spectrum(FourierRows rows, double[][] re, double[][] im, int lines) {
    rows.transform(re, im, lines);
    for (int l = 0; l < lines; l++) {
      re[half][l] = re[0][l] - im[0][l];
      re[0][l] += im[0][l];
      im[0][l] = 0;
      im[half][l] = 0;
    }
    for (int k = 1; k <= half / 2; k++) {
      int j = half - k;
      combine(re[k], im[k], re[j], im[j], cosines[k], sines[k], lines);
    }
  }

  private static void combine(
      double[] reK,
      double[] imK,
      double[] reJ,
      double[] imJ,
      double cosine,
      double sine,
      int lines) {
    for (int l = 0; l < lines; l++) {
      double evenRe = (reK[l] + reJ[l]) / 2;
      double evenIm = (imK[l] - imJ[l]) / 2;
      double oddRe = (imK[l] + imJ[l]) / 2;
      double oddIm = (reJ[l] - reK[l]) / 2;
      double turnedRe = cosine * oddRe + sine * oddIm;
      double turnedIm = cosine * oddIm - sine * oddRe;
      reK[l] = evenRe + turnedRe;
      imK[l] = evenIm + turnedIm;
      reJ[l] = evenRe - turnedRe;
      imJ[l] = turnedIm - evenIm;
    }
  }

  /**
   * The forward transform of the line in {@code re}; the first half of its spectrum replaces it.
   */
  void spectrum(double[] re, double[] im) {
    for (int i = 0; i < half; i++) {
      workRe[i] = re[2 * i];
      workIm[i] = re[2 * i + 1];
    }
    transform.transform(workRe, workIm);
    re[0] = workRe[0] + workIm[0];
    im[0] = 0;
    re[half] = workRe[0] - workIm[0];
    im[half] = 0;
    for (int k = 1; k <= half / 2; k++) {
      int j = half - k;
      double evenRe = (workRe[k] + workRe[j]) / 2;
      double evenIm = (workIm[k] - workIm[j]) / 2;
      double oddRe = (workIm[k] + workIm[j]) / 2;
      double oddIm = (workRe[j] - workRe[k]) / 2;
      double turnedRe = cosines[k] * oddRe + sines[k] * oddIm;
      double turnedIm = cosines[k] * oddIm - sines[k] * oddRe;
      re[k] = evenRe + turnedRe;
      im[k] = evenIm + turnedIm;
      re[j] = evenRe - turnedRe;
      im[j] = turnedIm - evenIm;
    }
  }

  /**
   * The inverse, not scaled, of the first half of a spectrum. Its first and last number are taken
   * as real. The line replaces the real parts.
   */
  void line(double[] re, double[] im) {
    workRe[0] = re[0] + re[half];
    workIm[0] = re[0] - re[half];
    for (int k = 1; k <= half / 2; k++) {
      int j = half - k;
      double sumRe = re[k] + re[j];
      double sumIm = im[k] - im[j];
      double apartRe = re[k] - re[j];
      double apartIm = im[k] + im[j];
      double turnedRe = cosines[k] * apartRe - sines[k] * apartIm;
      double turnedIm = cosines[k] * apartIm + sines[k] * apartRe;
      workRe[k] = sumRe - turnedIm;
      workIm[k] = sumIm + turnedRe;
      workRe[j] = sumRe + turnedIm;
      workIm[j] = turnedRe - sumIm;
    }
    transform.transform(workIm, workRe); // inverse
    for (int i = 0; i < half; i++) {
      re[2 * i] = workRe[i];
      re[2 * i + 1] = workIm[i];
    }
  }

  /**
   * As {@link #line(double[], double[])}, for many spectra at once, to the bit. Afterwards the rows
   * of {@code re} hold elements 0, 2, 4 ..., those of {@code im} 1, 3, 5 ....
   *
   * @param rows transforms half as many elements as a line has
   */
  void lines(FourierRows rows, double[][] re, double[][] im, int lines) {
    for (int l = 0; l < lines; l++) {
      double last = re[half][l];
      im[0][l] = re[0][l] - last;
      re[0][l] += last;
    }
    for (int k = 1; k <= half / 2; k++) {
      int j = half - k;
      part(re[k], im[k], re[j], im[j], cosines[k], sines[k], lines);
    }
    rows.transform(im, re, lines); // inverse
  }

  private static void part(
      double[] reK,
      double[] imK,
      double[] reJ,
      double[] imJ,
      double cosine,
      double sine,
      int lines) {
    for (int l = 0; l < lines; l++) {
      double sumRe = reK[l] + reJ[l];
      double sumIm = imK[l] - imJ[l];
      double apartRe = reK[l] - reJ[l];
      double apartIm = imK[l] + imJ[l];
      double turnedRe = cosine * apartRe - sine * apartIm;
      double turnedIm = cosine * apartIm + sine * apartRe;
      reK[l] = sumRe - turnedIm;
      imK[l] = sumIm + turnedRe;
      reJ[l] = sumRe + turnedIm;
      imJ[l] = turnedRe - sumIm;
    }
  }
}
