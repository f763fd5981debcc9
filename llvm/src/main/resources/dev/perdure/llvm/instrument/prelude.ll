; What instrumented code calls in its own module. The functions named perdure.* (but not perdure.slow_*) are inlined wherever they are called: they test
; whether an address may be PM and, in a cold block, add the module's base to the site and call the hook of perdure_hooks.h. The hooks named
; quick_*, and the perdure.slow_* functions around others, preserve the caller's general registers, so that the hot path keeps its registers.
; The test is passed in: accesses of one object share it.

@__perdure_pm_map = external global [32768 x i8]
@__perdure_tls = external thread_local(initialexec) global { ptr }
@__perdure_base = global i32 0

declare void @__perdure_module_begin(ptr) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_load(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_load_followed(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_store(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_store_preceded(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_region_start(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_store_nt(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_load_block(ptr, i64, i32) nounwind nonlazybind
declare void @__perdure_store_block(ptr, ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_copy(ptr, ptr, i64, i32) nounwind nonlazybind
declare void @__perdure_move(ptr, ptr, i64, i32) nounwind nonlazybind
declare void @__perdure_fill(ptr, i32, i64, i32) nounwind nonlazybind
declare void @__perdure_atomic_load(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_atomic_store(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_volatile_load(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_volatile_store(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_rmw_begin(ptr, i32, i32) nounwind nonlazybind
declare void @__perdure_rmw_end(ptr, ptr, ptr, i32, i32, i32, i32) nounwind nonlazybind
declare void @__perdure_rmw_end8(ptr, i64, i64, i32, i32, i32, i32) nounwind nonlazybind
declare void @__perdure_rmw_end_unknown(ptr, i32, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_flush(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_flush_preceded(ptr, i64, i32, i32) nounwind nonlazybind
declare preserve_mostcc void @__perdure_quick_fence(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_transaction_ahead() nounwind nonlazybind
declare void @__perdure_transaction_begun(i32) nounwind nonlazybind
declare void @__perdure_transaction_end(i32) nounwind nonlazybind
declare void @__perdure_named_acquire(ptr, i32, i32) nounwind nonlazybind
declare void @__perdure_named_release(ptr, i32, i32) nounwind nonlazybind
declare void @__perdure_named_alloc(ptr, i64, i32, i32) nounwind nonlazybind
declare void @__perdure_named_free(ptr, i32) nounwind nonlazybind
declare void @__perdure_named_flush(ptr, i64, i32) nounwind nonlazybind
declare void @__perdure_named_fence(i32) nounwind nonlazybind
declare void @__perdure_named_persist(ptr, i64, i32) nounwind nonlazybind
declare void @__perdure_named_create_begin() nounwind nonlazybind
declare void @__perdure_named_create_end(i64) nounwind nonlazybind
declare void @__perdure_named_join_begin(i64) nounwind nonlazybind
declare void @__perdure_named_join_end(i32) nounwind nonlazybind

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define i32 @perdure.site(i32 %local) #0 {
  %base = load i32, ptr @__perdure_base
  %site = add i32 %base, %local
  ret i32 %site
}

define i1 @perdure.is_pm(ptr %object) #0 {
  %number = ptrtoint ptr %object to i64
  %block = lshr i64 %number, 32
  %entry = getelementptr inbounds i8, ptr @__perdure_pm_map, i64 %block
  %kind = load i8, ptr %entry
  %pm = icmp ne i8 %kind, 0
  ret i1 %pm
}

; ---- accesses of PM --------------------------------------------------------------------------------------------------

define void @perdure.load(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_load(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.load_followed(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_load_followed(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.store(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_store(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.store_preceded(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_store_preceded(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
done:
  ret void
}

define preserve_mostcc void @perdure.slow_store_nt(ptr %address, i64 %value, i32 %info, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_store_nt(ptr %address, i64 %value, i32 %info, i32 %site)
  ret void
}

define void @perdure.store_nt(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  call preserve_mostcc void @perdure.slow_store_nt(ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

define preserve_mostcc void @perdure.slow_load_block(ptr %address, i64 %length, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_load_block(ptr %address, i64 %length, i32 %site)
  ret void
}

define void @perdure.load_block(i1 %pm, ptr %address, i64 %length, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  call preserve_mostcc void @perdure.slow_load_block(ptr %address, i64 %length, i32 %local)
  br label %done
done:
  ret void
}

define preserve_mostcc void @perdure.slow_store_block(ptr %address, ptr %bytes, i64 %length, i32 %nontemporal, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_store_block(ptr %address, ptr %bytes, i64 %length, i32 %nontemporal, i32 %site)
  ret void
}

define void @perdure.store_block(i1 %pm, ptr %address, ptr %bytes, i64 %length, i32 %nontemporal, i32 %local) #0 {
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  call preserve_mostcc void @perdure.slow_store_block(ptr %address, ptr %bytes, i64 %length, i32 %nontemporal, i32 %local)
  br label %done
done:
  ret void
}

; ---- starts of regions ------------------------------------------------------------------------------------------------

define void @perdure.region_start(ptr %address, i64 %length, i32 %region, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_region_start(ptr %address, i64 %length, i32 %region, i32 %site)
  br label %done
done:
  ret void
}

; ---- one lane of a masked access --------------------------------------------------------------------------------------

define void @perdure.load_if(i1 %active, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %active, label %go, label %done
go:
  %pm = call i1 @perdure.is_pm(ptr %address)
  call void @perdure.load(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

define void @perdure.store_if(i1 %active, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %active, label %go, label %done
go:
  %pm = call i1 @perdure.is_pm(ptr %address)
  call void @perdure.store(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

define void @perdure.store_nt_if(i1 %active, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %active, label %go, label %done
go:
  %pm = call i1 @perdure.is_pm(ptr %address)
  call void @perdure.store_nt(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

; ---- volatile accesses: of PM, or of ordinary memory that may hold a lock word -----------------------------------------

define preserve_mostcc void @perdure.slow_volatile_load(ptr %address, i64 %value, i32 %info, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_volatile_load(ptr %address, i64 %value, i32 %info, i32 %site)
  ret void
}

define void @perdure.volatile_load(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %ordinary
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_load(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
ordinary:
  call preserve_mostcc void @perdure.slow_volatile_load(ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

define preserve_mostcc void @perdure.slow_volatile_store(ptr %address, i64 %value, i32 %info, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_volatile_store(ptr %address, i64 %value, i32 %info, i32 %site)
  ret void
}

define void @perdure.volatile_store(i1 %pm, ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  br i1 %pm, label %slow, label %ordinary
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_store(ptr %address, i64 %value, i32 %info, i32 %site)
  br label %done
ordinary:
  call preserve_mostcc void @perdure.slow_volatile_store(ptr %address, i64 %value, i32 %info, i32 %local)
  br label %done
done:
  ret void
}

; ---- atomic accesses of any memory -------------------------------------------------------------------------------------

define void @perdure.atomic_load(ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_atomic_load(ptr %address, i64 %value, i32 %info, i32 %site)
  ret void
}

define void @perdure.atomic_store(ptr %address, i64 %value, i32 %info, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_atomic_store(ptr %address, i64 %value, i32 %info, i32 %site)
  ret void
}

define void @perdure.rmw_begin(ptr %address, i32 %info, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_rmw_begin(ptr %address, i32 %info, i32 %site)
  ret void
}

define void @perdure.rmw_end8(ptr %address, i64 %old, i64 %new, i32 %operation, i1 %stored, i32 %info, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  %flag = zext i1 %stored to i32
  call void @__perdure_rmw_end8(ptr %address, i64 %old, i64 %new, i32 %operation, i32 %flag, i32 %info, i32 %site)
  ret void
}

define void @perdure.rmw_end16(ptr %address, i128 %old, i128 %new, i32 %operation, i1 %stored, i32 %info, i32 %local) #0 {
  %old.bytes = alloca i128, align 16
  %new.bytes = alloca i128, align 16
  store i128 %old, ptr %old.bytes
  store i128 %new, ptr %new.bytes
  %site = call i32 @perdure.site(i32 %local)
  %flag = zext i1 %stored to i32
  call void @__perdure_rmw_end(ptr %address, ptr %old.bytes, ptr %new.bytes, i32 %operation, i32 %flag, i32 %info, i32 %site)
  ret void
}

define void @perdure.rmw_end_unknown(ptr %address, i32 %operation, i32 %info, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_rmw_end_unknown(ptr %address, i32 %operation, i32 %info, i32 %site)
  ret void
}

; ---- flushes and fences --------------------------------------------------------------------------------------------------

define void @perdure.flush(ptr %address, i32 %flush, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %slow, label %done
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_flush(ptr %address, i64 1, i32 %flush, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.flush_preceded(ptr %address, i32 %flush, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %slow, label %done
slow:
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_flush_preceded(ptr %address, i64 1, i32 %flush, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.fence(i32 %fence, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call preserve_mostcc void @__perdure_quick_fence(ptr null, i64 0, i32 %fence, i32 %site)
  ret void
}

; ---- copies: the hook copies, too ----------------------------------------------------------------------------------------

define void @perdure.copy(i1 %pm, ptr %to, ptr %from, i64 %length, i32 %local) #0 {
  br i1 %pm, label %slow, label %ordinary, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_copy(ptr %to, ptr %from, i64 %length, i32 %site)
  br label %done
ordinary:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %length, i1 false)
  br label %done
done:
  ret void
}

define void @perdure.move(i1 %pm, ptr %to, ptr %from, i64 %length, i32 %local) #0 {
  br i1 %pm, label %slow, label %ordinary, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_move(ptr %to, ptr %from, i64 %length, i32 %site)
  br label %done
ordinary:
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %length, i1 false)
  br label %done
done:
  ret void
}

define void @perdure.fill(i1 %pm, ptr %to, i8 %byte, i64 %length, i32 %local) #0 {
  br i1 %pm, label %slow, label %ordinary, !prof !0
slow:
  %site = call i32 @perdure.site(i32 %local)
  %int = zext i8 %byte to i32
  call void @__perdure_fill(ptr %to, i32 %int, i64 %length, i32 %site)
  br label %done
ordinary:
  call void @llvm.memset.p0.i64(ptr %to, i8 %byte, i64 %length, i1 false)
  br label %done
done:
  ret void
}

; ---- the shadow call stack -------------------------------------------------------------------------------------------------

define ptr @perdure.stack_top() #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_tls)
  %top = load ptr, ptr %tls
  ret ptr %top
}

define void @perdure.push(ptr %top, i32 %local) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_tls)
  %next = getelementptr inbounds i8, ptr %top, i64 8
  store ptr %next, ptr %tls
  %site = call i32 @perdure.site(i32 %local)
  %entry = zext i32 %site to i64
  store i64 %entry, ptr %top
  ret void
}

; With PERDURE_CALL_FOLLOWED of perdure_hooks.h.
define void @perdure.push_followed(ptr %top, i32 %local) #0 {
  %flagged = or i32 %local, -2147483648
  call void @perdure.push(ptr %top, i32 %flagged)
  ret void
}

define void @perdure.pop(ptr %top) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_tls)
  store ptr %top, ptr %tls
  ret void
}

; ---- hardware transactions -------------------------------------------------------------------------------------------------

define void @perdure.transaction_ahead() #0 {
  call void @__perdure_transaction_ahead()
  ret void
}

define void @perdure.transaction_begun(i1 %begun, i32 %local) #0 {
  br i1 %begun, label %go, label %done
go:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_transaction_begun(i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.transaction_end(i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_transaction_end(i32 %site)
  ret void
}

; ---- functions that the configuration names --------------------------------------------------------------------------------

define void @perdure.named_acquire(i1 %success, ptr %lock, i32 %flags, i32 %local) #0 {
  br i1 %success, label %go, label %done
go:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_acquire(ptr %lock, i32 %flags, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.named_release(ptr %lock, i32 %flags, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_release(ptr %lock, i32 %flags, i32 %site)
  ret void
}

define void @perdure.named_alloc(ptr %address, i64 %size, i32 %zeroed, i32 %local) #0 {
  %failed = icmp eq ptr %address, null
  br i1 %failed, label %done, label %go
go:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_alloc(ptr %address, i64 %size, i32 %zeroed, i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.named_free(ptr %address, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_free(ptr %address, i32 %site)
  ret void
}

define void @perdure.named_flush(ptr %address, i64 %length, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_flush(ptr %address, i64 %length, i32 %site)
  ret void
}

define void @perdure.named_fence(i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_fence(i32 %site)
  ret void
}

define void @perdure.named_persist(ptr %address, i64 %length, i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_persist(ptr %address, i64 %length, i32 %site)
  ret void
}

define void @perdure.named_create_begin() #0 {
  call void @__perdure_named_create_begin()
  ret void
}

define void @perdure.named_create_end(i64 %name) #0 {
  call void @__perdure_named_create_end(i64 %name)
  ret void
}

define void @perdure.named_join_begin(i64 %name) #0 {
  call void @__perdure_named_join_begin(i64 %name)
  ret void
}

define void @perdure.named_join_end(i32 %local) #0 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_named_join_end(i32 %site)
  ret void
}

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)

attributes #0 = { alwaysinline nounwind "perdure" }
attributes #1 = { noinline cold nounwind "perdure" }

!0 = !{!"branch_weights", i32 1, i32 4000}
