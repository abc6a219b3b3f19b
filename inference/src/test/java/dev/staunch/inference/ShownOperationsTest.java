package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * Families of operations that archives use. Each operation has a kernel, and an answer of PyTorch
 * to compare with, in a golden case or a recorded archive. {@code DeclaredEffectsTest} checks that
 * they write and share only what their schemas say. Aliases appear under the names that PyTorch
 * saves.
 */
class ShownOperationsTest {
  private static final String FAMILIES =
      """
      conv3d conv_transpose3d max_pool3d avg_pool3d adaptive_avg_pool3d adaptive_max_pool3d
      max_pool3d_with_indices upsample_nearest3d upsample_trilinear3d max_unpool2d max_unpool3d
      complex real imag angle conj polar view_as_complex view_as_real is_complex
      fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft fft_fft2 fft_ifft2 fft_rfft2 fft_irfft2
      fft_fftn fft_ifftn fft_rfftn fft_irfftn fft_fftfreq fft_rfftfreq fft_fftshift fft_ifftshift
      stft istft
      linalg_inv inverse linalg_solve linalg_cholesky cholesky linalg_qr qr linalg_svd svd linalg_eigh
      linalg_det det linalg_slogdet slogdet linalg_lstsq linalg_matrix_power linalg_norm
      linalg_vector_norm linalg_matrix_norm linalg_solve_triangular triangular_solve linalg_lu
      linalg_lu_factor lu_solve
      as_strided transpose_ squeeze_ unsqueeze_ fill_diagonal_ mode renorm block_diag select_scatter
      slice_scatter diagonal_scatter as_strided_scatter pad_sequence rrelu _weight_norm ctc_loss
      im2col col2im _upsample_bilinear2d_aa _upsample_bicubic2d_aa upsample_bicubic2d
      grid_sampler grid_sampler_2d grid_sampler_3d multi_margin_loss lgamma digamma erfinv
      special_entr special_erfcx special_expit special_gammaln special_i0e special_i1 special_i1e
      special_log_ndtr special_ndtr special_ndtri special_psi special_round special_sinc
      special_xlog1py special_zeta igamma igammac i0 logit logsumexp mvlgamma polygamma xlogy
      sparse_coo_tensor to_sparse to_dense coalesce _sparse_mm _sparse_sum
      nms roi_align roi_pool ps_roi_align ps_roi_pool deform_conv2d
      """;

  private static final Pattern CALL = Pattern.compile("(?:torch|ops\\.\\w+)\\.(\\w+)\\(");
  private static final Pattern CASE = Pattern.compile("(?m)^case ([\\w]+)");

  @Test
  void everyOperationOfTheFamiliesHasAKernelAndAnAnswerOfPyTorchs() throws IOException {
    Set<String> shown = new HashSet<>();
    Path goldens = Path.of("runtime/src/test/resources/dev/staunch/kernel");
    for (Path file : files(Conformance.root().resolve(goldens), "-golden.txt")) {
      add(CASE.matcher(Files.readString(file)), shown);
    }
    for (String folder : List.of("archives", "families")) {
      for (Path archive : files(Conformance.torchscript().resolve(folder), ".pt")) {
        addCode(archive, shown);
      }
    }
    Set<String> kernels = new HashSet<>();
    for (CatalogEntry operation : StandardOperations.catalog().operations()) {
      if (operation.kernel() != null) {
        kernels.add(operation.schema().name().replaceFirst(".*::", ""));
      }
    }
    List<String> wanted = List.of(FAMILIES.strip().split("\\s+", -1));
    assertEquals(List.of(), wanted.stream().filter(name -> !kernels.contains(name)).toList());
    assertEquals(List.of(), wanted.stream().filter(name -> !shown.contains(name)).toList());
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static void add(Matcher found, Set<String> names) {
    while (found.find()) {
      names.add(found.group(1));
    }
  }

  /** The operations that an archive's code calls. */
  private static void addCode(Path archive, Set<String> names) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().endsWith(".py")) {
          byte[] code = zip.getInputStream(entry).readAllBytes();
          add(CALL.matcher(new String(code, StandardCharsets.UTF_8)), names);
        }
      }
    }
  }
}
