package dev.staunch.torchscript.lower;

import dev.staunch.kernel.EnumMember;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of an archive's enums. */
public final class EnumMembers {
  private EnumMembers() {}

  /** The member of {@code enumName} with that value, or null if there is none. */
  public static @Nullable EnumMember byValue(ArchiveCode code, String enumName, Object value) {
    for (Map.Entry<String, Expression> member : members(code, enumName).entrySet()) {
      if (value.equals(Constants.literal(member.getValue()))) {
        return new EnumMember(enumName, member.getKey(), value);
      }
    }
    return null;
  }

  /** The member that {@code chain} names, such as {@code __torch__.Color.RED}, or null. */
  static @Nullable EnumMember named(ArchiveCode code, String chain) {
    int dot = chain.lastIndexOf('.');
    String enumName = chain.substring(0, dot);
    Expression literal = members(code, enumName).get(chain.substring(dot + 1));
    Object value = literal == null ? null : Constants.literal(literal);
    return value == null ? null : new EnumMember(enumName, chain.substring(dot + 1), value);
  }

  /** The members of an enum with their values, in order; empty if {@code enumName} is none. */
  private static Map<String, Expression> members(ArchiveCode code, String enumName) {
    ArchiveCode.Found found = code.findClass(enumName);
    return found != null && found.type().kind() == Definition.Kind.ENUM
        ? found.type().constants()
        : Map.of();
  }
}
