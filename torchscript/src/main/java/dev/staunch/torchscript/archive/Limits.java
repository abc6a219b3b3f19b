package dev.staunch.torchscript.archive;

/**
 * How large an archive and its parts may be (S7). Exceeding a limit is a typed fault.
 *
 * @param maxMembers members of the archive
 * @param maxMemberBytes bytes of one member, decompressed
 * @param maxInflatedBytes bytes of one compressed member, before and after decompression
 * @param maxTextBytes bytes of one member that is parsed: code, pickle or debug information
 */
public record Limits(int maxMembers, long maxMemberBytes, int maxInflatedBytes, long maxTextBytes) {

  /** 100,000 members, 1 TiB per member, 2 GiB per compressed one, 64 MiB per parsed one. */
  public static Limits standard() {
    return new Limits(100_000, 1L << 40, Integer.MAX_VALUE - 8, 64L << 20);
  }
}
