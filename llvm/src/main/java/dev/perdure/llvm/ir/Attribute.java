package dev.perdure.llvm.ir;

import static org.bytedeco.llvm.global.LLVM.LLVMGetEnumAttributeKindForName;

import java.util.Locale;

/** The attributes that the instrumentation asks for or sets. */
public enum Attribute {
  ALWAYSINLINE,
  BYVAL,
  MEMORY,
  NAKED,
  NOBUILTIN,
  NOINLINE,
  OPTNONE,
  ELEMENTTYPE;

  private int kind;

  int kind() {
    if (kind == 0) {
      String name = name().toLowerCase(Locale.ROOT);
      kind = LLVMGetEnumAttributeKindForName(name, name.length());
    }
    return kind;
  }
}
