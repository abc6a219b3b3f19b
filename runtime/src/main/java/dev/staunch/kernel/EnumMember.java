package dev.staunch.kernel;

/**
 * A member of a script's enum.
 *
 * @param type the enum's full name
 * @param value an int, float or string, as the enum declares
 */
public record EnumMember(String type, String name, Object value) {
  @Override
  public String toString() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + name;
  }
}
