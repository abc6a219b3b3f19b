package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import java.util.ArrayList;
import java.util.List;

/** Operations on ints and bools only: bits, ranges, factorial. */
final class IntegerOperations {
  private IntegerOperations() {}

  static void addTo(Catalog.Builder catalog) {
    bits(catalog);
    ranges(catalog);
    catalog.one("aten::neg.int(int a) -> int", call -> -call.integer(0));
    catalog.one("prim::abs.int(int a) -> int", call -> Math.abs(call.integer(0)));
    catalog.one(
        "aten::gcd.int(int a, int b) -> int",
        Overloads.ints(IntegerOperations::greatestCommonDivisor));
    catalog.one(
        "aten::factorial.int(int a) -> int", call -> IntegerOperations.factorial(call.integer(0)));
    catalog.one("aten::floor.int(int a) -> int", call -> call.integer(0));
    catalog.one("aten::ceil.int(int a) -> int", call -> call.integer(0));
  }

  private static void bits(Catalog.Builder catalog) {
    catalog.one("aten::__and__.int(int a, int b) -> int", Overloads.ints((a, b) -> a & b));
    catalog.one("aten::__or__.int(int a, int b) -> int", Overloads.ints((a, b) -> a | b));
    catalog.one("aten::__xor__.int(int a, int b) -> int", Overloads.ints((a, b) -> a ^ b));
    catalog.one("aten::__lshift__.int(int a, int b) -> int", Overloads.ints((a, b) -> a << b));
    catalog.one("aten::__rshift__.int(int a, int b) -> int", Overloads.ints((a, b) -> a >> b));
    catalog.one("aten::__and__.bool(bool a, bool b) -> bool", call -> call.bool(0) && call.bool(1));
    catalog.one("aten::__or__.bool(bool a, bool b) -> bool", call -> call.bool(0) || call.bool(1));
    catalog.one("aten::__xor__.bool(bool a, bool b) -> bool", call -> call.bool(0) ^ call.bool(1));
    catalog.one("aten::__not__(bool self) -> bool", call -> !call.bool(0));
  }

  private static void ranges(Catalog.Builder catalog) {
    catalog.one(
        "aten::__range_length(int lo, int hi, int step) -> int",
        call -> rangeLength(call.integer(0), call.integer(1), call.integer(2)));
    catalog.one(
        "aten::__derive_index(int index, int start, int step) -> int",
        call -> call.integer(1) + call.integer(0) * call.integer(2));
    catalog.one("prim::rangelist(int n) -> int[]", IntegerOperations::rangeList);
  }

  private static Object rangeLength(long lo, long hi, long step) {
    if (step == 0) {
      return Fault.value("the step of a range must not be 0");
    }
    if (step > 0 && lo < hi) {
      return 1 + (hi - 1 - lo) / step;
    }
    return step < 0 && lo > hi ? 1 + (lo - 1 - hi) / (0 - step) : (Object) 0L;
  }

  private static Object rangeList(Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    List<Object> values = new ArrayList<>();
    for (long i = 0; i < call.integer(0) && poll.mayContinue(1); i++) {
      values.add(i);
    }
    return poll.orFault(values);
  }

  private static Object greatestCommonDivisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return Math.abs(a);
  }

  private static Object factorial(long n) {
    if (n < 0) {
      return Fault.value("a factorial is taken of numbers from 0 on, but got " + n);
    }
    long product = 1;
    for (long i = 2; i <= Math.min(n, 66); i++) { // 66! is the first that is 0 modulo 2^64
      product *= i;
    }
    return product;
  }
}
