package dev.staunch.kernel.create;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.operand.Places;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;

/** Converts tensors to lists of numbers: {@code Tensor.tolist}, whose type the script declares. */
final class NestedLists {
  private NestedLists() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("staunch::tolist(Tensor self, int depth, str element) -> Any", NestedLists::toList);
  }

  private static Object toList(Call call) {
    DenseTensor self = call.tensor(0);
    String element = call.string(2);
    if (!List.of("bool", "int", "float", "complex").contains(element)) {
      return Fault.value("tolist gives bool, int, float or complex, not '" + element + "'")
          .withExpected("bool, int, float or complex", element);
    }
    if (!element.equals(elementType(self.dtype()))) {
      String text = "tolist gives elements of %s, but the script declares a list of %s";
      return Fault.dtype(Message.of(text, self.dtype(), element))
          .withExpected(
              ExpectedDType.worded(
                  "a tensor of " + element, element.equals("bool") ? DType.BOOL : null),
              self.dtype());
    }
    if (call.integer(1) != self.rank()) {
      String text = "tolist gives a list of %d dimensions, but the script declares %d";
      return Fault.shape(Message.of(text, self.rank(), call.integer(1)))
          .withExpected(call.integer(1) + " dimensions", self.shape().toString());
    }
    CancellationPoll poll = new CancellationPoll(call);
    Object list = new Reader(self, poll).dimension(0);
    return poll.orFault(list);
  }

  private static String elementType(DType dtype) {
    return switch (dtype.kind()) {
      case BOOL -> "bool";
      // PyTorch accepts only int64 for a list of int, and any floating dtype for one of float
      case INTEGRAL -> dtype == DType.INT64 ? "int" : dtype.toString();
      case FLOATING -> "float";
      case COMPLEX -> "complex";
    };
  }

  /** Reads a tensor's elements in row-major order. */
  private static final class Reader {
    private final DenseTensor tensor;
    private final CancellationPoll poll;
    private final Places places;
    private long next;

    Reader(DenseTensor tensor, CancellationPoll poll) {
      this.tensor = tensor;
      this.poll = poll;
      this.places = Places.of(tensor.layout());
    }

    Object dimension(int dim) {
      if (dim == tensor.rank()) {
        return element(places.at(next++));
      }
      List<Object> list = new ArrayList<>();
      for (long i = 0; i < tensor.shape().size(dim) && poll.mayContinue(1); i++) {
        list.add(dimension(dim + 1));
      }
      return list;
    }

    private ComplexNumber complex(long at) {
      DType part = tensor.dtype() == DType.COMPLEX64 ? DType.FLOAT32 : DType.FLOAT64;
      return new ComplexNumber(
          Elements.asDouble(tensor.segment(), part, 2 * at),
          Elements.asDouble(tensor.segment(), part, 2 * at + 1));
    }

    private Object element(long at) {
      return switch (tensor.dtype().kind()) {
        case BOOL -> Elements.asLong(tensor.segment(), tensor.dtype(), at) != 0;
        case INTEGRAL -> Elements.asLong(tensor.segment(), tensor.dtype(), at);
        case FLOATING -> Elements.asDouble(tensor.segment(), tensor.dtype(), at);
        case COMPLEX -> complex(at);
      };
    }
  }
}
