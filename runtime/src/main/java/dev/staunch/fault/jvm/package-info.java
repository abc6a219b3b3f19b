/**
 * What the JVM makes necessary so that faults stay values: {@link dev.staunch.fault.jvm.StackRoom}
 * asks whether the caller's stack has room for what a door is about to do (F11); {@link
 * dev.staunch.fault.jvm.CatchClauses} has the classes of faults loaded before anybody waits for
 * one.
 *
 * <p>For the rooms of the runtime and the project's own modules.
 */
package dev.staunch.fault.jvm;
