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
    ArchiveCode.Found found = code.findClass(enumName);
    if (found == null || found.type().kind() != Definition.Kind.ENUM) {
      return null;
    }
    for (Map.Entry<String, Expression> member : found.type().constants().entrySet()) {
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
    ArchiveCode.Found found = code.findClass(enumName);
    if (found == null || found.type().kind() != Definition.Kind.ENUM) {
      return null;
    }
    Expression literal = found.type().constants().get(chain.substring(dot + 1));
    Object value = literal == null ? null : Constants.literal(literal);
    return value == null ? null : new EnumMember(enumName, chain.substring(dot + 1), value);
  }
}
