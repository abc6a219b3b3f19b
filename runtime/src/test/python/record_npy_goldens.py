"""Records .npy files written by NumPy: writes npy-golden.txt to standard output.

Each line is `DTYPE SHAPE ELEMENTS FILE`: the elements row-major and little-endian, and the whole file, both in
hex; or `unsupported - - FILE`.
"""

import io
import numpy as np
from numpy.lib import format as npy


def file(array, version=None):
    out = io.BytesIO()
    npy.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue().hex()


def record(array, version=None):
    plain = np.ascontiguousarray(array).reshape(array.shape)
    plain = plain.astype(plain.dtype.newbyteorder("<"))
    shape = ",".join(map(str, array.shape)) or "-"
    print(array.dtype.newbyteorder("=").name, shape, plain.tobytes().hex() or "-", file(array, version))


def main():
    for name in ("bool", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"):
        for order in "<>":
            dtype = np.dtype(name).newbyteorder(order)
            array = np.array([[0, 1, 2], [3, 100, 120]]).astype(dtype)
            record(array)
            record(np.asfortranarray(array))
    for version in ((1, 0), (2, 0), (3, 0)):
        record(np.array([1.5, -2.5], np.float32), version)
    record(np.array(7, np.int64))
    record(np.array(2.5, ">f8"))
    record(np.zeros((0, 3), np.float32))
    record(np.zeros((2, 0, 3), np.float32, order="F"))
    record(np.arange(24, dtype=np.int16).reshape(2, 3, 4).transpose(2, 1, 0))
    record(np.arange(2, dtype=np.float64).reshape((1,) * 10 + (2,)))
    record(np.array([np.nan, np.inf, -0.0], np.float16))
    for array in (
        np.array(["ab"]), np.array([b"ab"]), np.array([None]), np.zeros(2, [("a", "f4"), ("b", "i4")]), np.array(["2020"], "M8[Y]"),
        np.zeros(1, np.uint16), np.zeros(1, np.uint64), np.zeros(1, np.longdouble),
    ):
        print("unsupported - -", file(array))


main()
