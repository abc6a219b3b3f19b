package dev.staunch.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Names the accounts that hold most, for the message of a refused allocation. */
final class Holders {
  private record Holder(Account account, long bytes) {
    String text() {
      return account.text(bytes);
    }
  }

  private Holders() {}

  /**
   * The {@code most} accounts at or below {@code top} that hold most themselves: {@code model
   * ranking: 300 MiB, request 17: 12 MiB and 3 more}.
   */
  static String largest(Account top, int most) {
    List<Holder> holders = new ArrayList<>();
    for (Account account : top.tree()) {
      long own = account.ownBytes();
      if (own > 0) {
        holders.add(new Holder(account, own));
      }
    }
    holders.sort(Comparator.comparingLong(Holder::bytes).reversed());
    List<String> texts = holders.stream().limit(most).map(Holder::text).toList();
    int more = holders.size() - texts.size();
    return String.join(", ", texts) + (more > 0 ? " and " + more + " more" : "");
  }
}
