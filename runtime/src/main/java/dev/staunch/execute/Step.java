package dev.staunch.execute;

/**
 * An operation made ready: which registers it reads and writes, what it does, and which registers
 * nobody reads afterwards. When it runs, and what becomes of a fault, is the {@link Frame}'s rule.
 */
final class Step {
  final String name;
  final Site site;
  final Action action;
  final boolean light;
  final int[] operands;
  final int[] results;
  final int[] lastUses;

  Step(String name, Site site, Action action, int[] operands, int[] results, int[] lastUses) {
    this.name = name;
    this.site = site;
    this.action = action;
    this.light = action.light();
    this.operands = operands;
    this.results = results;
    this.lastUses = lastUses;
  }
}
