/**
 * What the JVM requires so that faults stay values. {@link dev.staunch.fault.jvm.StackRoom} checks
 * that the caller's stack has room for the call that it is about to make (F11). {@link
 * dev.staunch.fault.jvm.CatchClauses} loads the fault classes before any thread waits for a fault.
 *
 * <p>For use by the packages of the runtime and by the project's own modules.
 */
package dev.staunch.fault.jvm;
