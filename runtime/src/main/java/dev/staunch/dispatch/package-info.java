/**
 * The way to a kernel, the same for eager calls, TorchScript and programs in text form.
 *
 * <p>Entry point: {@link dev.staunch.dispatch.Door}, one per operation: arguments in, results or
 * faults out. {@link dev.staunch.kernel.Interceptor} sees each call before it happens; recorders
 * and fault injection use it. {@link dev.staunch.dispatch.ResultRule} says which values belong to a
 * type. This package also releases what a user's kernel allocated and did not return (M4).
 *
 * <p>A faulted input never gets here: the callers ({@code eager}, {@code execute}) return it as the
 * result without making the call (F2). Below are {@code engine}, which catches what a kernel
 * throws, and {@code kernel}. Choosing overloads and checking a program against schemas are left to
 * the front ends.
 */
package dev.staunch.dispatch;
