; The module tells the runtime how many sites it has.

@__perdure_base = external global i32
@perdure.module = internal constant { i32, i32, [16 x i8], ptr } { i32 1, i32 ${sites}, [16 x i8] c"${id}", ptr @__perdure_base }
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @perdure.register, ptr null }]

declare void @__perdure_module_begin(ptr) nounwind

define internal void @perdure.register() nounwind {
  call void @__perdure_module_begin(ptr @perdure.module)
  ret void
}
