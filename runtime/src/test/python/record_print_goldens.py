"""Records how NumPy prints arrays: writes print-golden.txt to standard output.

Each case is `case DTYPE SHAPE`, its elements as `bytes HEX` or `range START STEP` (row-major), and
NumPy's output, with `|` before each line.
"""

import numpy as np


def show(name, array, source=None):
    shape = ",".join(map(str, array.shape)) or "-"
    print("case", name, shape)
    print(source or "bytes " + np.ascontiguousarray(array).tobytes().hex())
    for line in str(array).split("\n"):
        print("|" + line)


def main():
    random = np.random.RandomState(7)
    nan, inf = np.nan, np.inf
    lists = [
        [0.0], [1.0, 2.0, 3.0], [1.5, -2.25, 1000.0], [0.1, 0.2, 0.30000000000000004], [1e8, 1.0], [99999999.0, 1e5],
        [1e-4, 0.05], [9.9e-5, 0.05], [1.0, 1001.0], [1.0, 1000.0], [nan, 1.0], [inf, 1.0], [-inf, 1.0, nan], [nan], [inf, -inf],
        [nan, nan, inf], [0.0, -0.0], [1e300, 1e-300], [1 / 3, 2 / 3, 1.0], [123456.789, 654.321], [1e-7, nan, -inf], [5e-324, 1.0],
        [16777216.0, 3.0], [2.5e-5, 1.25e10], [-1e-10, 1e10, 0.0], [1e10, 1e100], [-1.5, 22.75, inf], [0.5, 100.125, 3.0],
        [12345678.9, 0.1], [1.0000001, 1.00000001], [3.141592653589793, 2.718281828459045],
    ]
    lists += [[1.0000000001, 1e10], [1.00000000049, 2e-9], [0.1 + 0.2, 1e9], [1e22, 1e23], [9.999999999, 1e-5]]
    for values in lists:
        for dtype in (np.float64, np.float32):
            with np.errstate(over="ignore"):
                show(np.dtype(dtype).name, np.array(values, dtype=dtype))
    for values in ([0.1, 65504.0, 1.0], [0.333, 6e-8, 2.0], [nan, 1.0, 3.5], [2048.0, 0.5]):
        show("float16", np.array(values, dtype=np.float16))
    for dtype in ("float64", "float32", "float16"):
        for value in (3.0, 0.1, 1e-5, 1e16, 1e15, 123456789.0, -0.0, nan, -inf, 1 / 3):
            with np.errstate(over="ignore"):
                show(dtype, np.array(value, dtype=dtype))
    for dtype in ("int64", "int32", "int16", "int8", "uint8"):
        show(dtype, np.array([[1, -20, 3], [100, 5, -6]]).astype(dtype))
        show(dtype, np.array(-7).astype(dtype))
    show("int64", np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max]))
    show("bool", np.array([True, False, True]))
    show("bool", np.array(True))
    show("bool", np.array([[False, False], [False, True]]))
    for shape in ((0,), (2, 0), (0, 3)):
        show("float32", np.zeros(shape, np.float32))
    for shape in ((20,), (40,), (3, 30), (2, 2, 2), (2, 1, 3, 2), (1, 1), (1, 1, 1, 1)):
        show("float32", random.randn(*shape).astype(np.float32))
        show("int64", random.randint(-5000, 5000, shape))
    show("float64", random.randn(5, 9))
    show("float32", (random.randn(3, 25) * 10.0 ** random.randint(-6, 6, (3, 25))).astype(np.float32))
    for dtype, shape, start, step in (
        ("int64", (1000,), 0, 1), ("int64", (1001,), 0, 1), ("int32", (40, 40), -800, 1), ("float32", (2000,), 0, 0.5),
        ("float64", (2, 3, 400), 0, 1), ("float32", (8, 7, 6, 5), -100, 0.25), ("float64", (1001, 1), 0, 1e6), ("int64", (7, 200), 0, 1),
        ("float32", (500, 3), 0, 1), ("uint8", (3, 6, 100), 0, 0.01),
    ):
        size = int(np.prod(shape))
        array = (start + np.arange(size) * step).astype(dtype).reshape(shape)
        show(dtype, array, f"range {start} {step}")
    for values in ([99999992.0], [99999992.0, 300000.5], [-99999992.0, nan]):
        show("float32", np.array(values, np.float32))
    for values in ([23088.0], [-23088.0, 30.5, inf], [23088.0, 1.5]):
        show("float16", np.array(values, np.float16))
    for dtype in ("complex64", "complex128"):
        for value in (1j, 0j, 2 - 0.25j, complex(-0.0, 1), complex(0, -0.0), complex(0, nan), complex(0, -inf), complex(nan, 0)):
            show(dtype, np.array(value, dtype))
    show("complex64", np.array([1 + 2j, -3.5 - 0.25j], np.complex64))
    show("complex128", np.array([[1 + 2j, 1000000 - 0.25j], [complex(0, nan), 1j]]))


main()
