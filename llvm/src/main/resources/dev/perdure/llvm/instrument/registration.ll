; The module tells the runtime how many sites it has, and keeps their table in a section that is not loaded.

@__perdure_base = external global i32
@perdure.module = internal constant { i32, i32, [16 x i8], ptr } { i32 1, i32 ${sites}, [16 x i8] c"${id}", ptr @__perdure_base }
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @perdure.register, ptr null }]

declare void @__perdure_module_begin(ptr) nounwind

define internal void @perdure.register() nounwind {
  call void @__perdure_module_begin(ptr @perdure.module)
  ret void
}

module asm ".section .perdure.sites,\22\22,@progbits"
module asm ".incbin \22${table}\22"
module asm ".text"
