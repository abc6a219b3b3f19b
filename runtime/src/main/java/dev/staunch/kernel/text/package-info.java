/**
 * Operations on strings, and the conversion of values to text.
 *
 * <p>Start with {@link dev.staunch.kernel.text.TextOperations}, which lists the string operations
 * that test, search, split and format. {@link dev.staunch.kernel.text.ValuePrinter} writes any
 * value the way a program's {@code print} shows it, with {@link
 * dev.staunch.kernel.text.TensorPrinter} for tensors.
 *
 * <p>As in libtorch, strings are counted, cut and compared as UTF-8 bytes, and only ASCII letters
 * have a case; see {@link dev.staunch.kernel.scalar.ByteText}.
 *
 * <p>This package depends on {@code scalar} and {@code operand}. It neither parses programs and
 * schemas nor words the messages of faults.
 */
package dev.staunch.kernel.text;
