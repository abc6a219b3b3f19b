/**
 * The way to a kernel, the same for eager calls, TorchScript and programs in text form.
 *
 * <p>Door: {@link dev.staunch.dispatch.Door}, one per operation: arguments in, results or faults
 * out. {@link dev.staunch.kernel.Interceptor} sees each call before it happens, for recorders and
 * fault injection. {@link dev.staunch.dispatch.ResultRule} says which values are of a type. What a
 * user's kernel made and did not return is given back here (M4).
 *
 * <p>A faulted input never gets here: the callers ({@code eager}, {@code execute}) hand it on as
 * the result without a call (F2). Below are {@code engine}, which catches what a kernel throws, and
 * {@code kernel}. Choosing overloads and checking a program against schemas is the front ends'
 * work.
 */
package dev.staunch.dispatch;
