/**
 * Operations of strings, and values as text.
 *
 * <p>Door: {@link dev.staunch.kernel.text.TextOperations}, which lists the tests, searches, splits
 * and forms of strings. {@link dev.staunch.kernel.text.ValuePrinter} writes any value as a
 * program's {@code print} shows it, with {@link dev.staunch.kernel.text.TensorPrinter} for tensors.
 *
 * <p>Strings are counted, cut and compared as UTF-8 bytes, and only ASCII letters have a case, as
 * in libtorch; see {@link dev.staunch.kernel.scalar.ByteText}.
 *
 * <p>Below are {@code scalar} and {@code operand}. Not here: parsing of programs and schemas; the
 * messages of faults.
 */
package dev.staunch.kernel.text;
