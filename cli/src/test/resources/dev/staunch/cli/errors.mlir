// Errors are values: one result is good, the other a fault that reaches its dependents only.
func.func @test_partial_fail() -> !tfrt.chain {
  %x, %y = "tfrt_test.partial_fail"() : () -> (i32, i32)
  %ch0 = tfrt.new.chain
  tfrt.print.i32 %x, %ch0
  %ch1 = tfrt.print.i32 %y, %ch0
  tfrt.return %ch1 : !tfrt.chain
}

// A fault that nothing depends on changes nothing.
func.func @test_ignore_error() -> i32 {
  %unused = "tfrt_test.fail"() : () -> i32
  %x = tfrt.constant.i32 1
  tfrt.return %x : i32
}

func.func @arrives_later() -> (i32, i32) {
  %a = tfrt.constant.i32 20
  %b = tfrt.constant.i32 22
  %sum = "tfrt_test.async_add.i32"(%a, %b) : (i32, i32) -> i32
  %more = tfrt.add.i32 %sum, %a
  %bad = "tfrt_test.report_error_async"() : () -> i32
  %worse = tfrt.add.i32 %bad, %more
  tfrt.return %more, %worse : i32, i32
}

func.func @cancelled() -> (i32, i32, i32) {
  %ch0 = tfrt.new.chain
  %before = tfrt.constant.i32 7
  %bad = "tfrt_test.fail"() : () -> i32
  %zero, %ch1 = "tfrt_test.cancel"(%ch0) : (!tfrt.chain) -> (i32, !tfrt.chain)
  %skipped = tfrt.add.i32 %before, %before
  %outranked = tfrt.add.i32 %bad, %before
  tfrt.return %before, %skipped, %outranked : i32, i32, i32
}

func.func @branches() -> i32 {
  %one = tfrt.constant.i32 1
  %two = tfrt.constant.i32 2
  %less = tfrt.lessequal.i32 %one, %two
  %bad = "tfrt_test.fail"() : () -> i32
  %r = tfrt.if %less, %one, %bad : (i32, i32) -> (i32) {
    %t = tfrt.add.i32 %one, %one
    tfrt.return %t : i32
  } else {
    tfrt.return %bad : i32
  }
  tfrt.return %r : i32
}
