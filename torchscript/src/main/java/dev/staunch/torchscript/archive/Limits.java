package dev.staunch.torchscript.archive;

/**
 * How large an archive and its parts may be (S7); what exceeds a limit is a typed fault.
 *
 * @param maxMembers members of the archive
 * @param maxMemberBytes bytes of one member, unpacked
 * @param maxTextBytes bytes of one member that is parsed: code, pickle or debug information
 */
public record Limits(int maxMembers, long maxMemberBytes, long maxTextBytes) {

  /** 100,000 members, 2 GiB a member, 64 MiB a parsed member. */
  public static Limits standard() {
    return new Limits(100_000, Integer.MAX_VALUE, 64L << 20);
  }
}
