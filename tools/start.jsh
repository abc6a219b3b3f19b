import dev.staunch.eager.*;
import dev.staunch.fault.*;
import dev.staunch.inference.*;
import dev.staunch.memory.*;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.*;
OffHeap memory = OffHeap.withDefaultBudget();
Context context = Context.open(memory);
System.out.println("context.ones(2, 3).mul(2) is a tensor; Model.load(Path.of(\"ranker.pt\"), memory) a model");
