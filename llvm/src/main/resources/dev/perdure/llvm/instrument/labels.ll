; What code that is instrumented for the flow of data calls, in addition to prelude.ll. A label is an i32; see perdure_hooks.h.

@__perdure_shadow = external global ptr
@__perdure_labels = external thread_local(initialexec) global { i32, i32, ptr, [64 x i32] }
@__perdure_coverage = external global ptr
@perdure.previous_block = internal thread_local(initialexec) global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @perdure.labels_register, ptr null }]

declare void @__perdure_labels_begin() nounwind
declare i32 @__perdure_label_load(ptr, i64, i32, i32) nounwind
declare i32 @__perdure_label_read(ptr, i64) nounwind
declare void @__perdure_label_write(ptr, i64, i32) nounwind
declare i32 @__perdure_label_union(i32, i32) nounwind
declare void @__perdure_label_store(ptr, i64, i32, i32, i32) nounwind
declare void @__perdure_label_stored(i32) nounwind
declare void @__perdure_label_copy(ptr, ptr, i64, i32, i32, i32) nounwind
declare void @__perdure_label_fill(ptr, i64, i32, i32, i32) nounwind
declare void @__perdure_label_output(i32, ptr, i64, i32, i32) nounwind
declare i32 @__perdure_label_string(ptr, i32, i32) nounwind
declare void @__perdure_label_listed(i32, i32) nounwind
declare void @__perdure_label_list(ptr) nounwind
declare i32 @__perdure_label_formatted(ptr, i32, ptr, i32, i32) nounwind
declare i32 @__perdure_label_format_list(ptr, ptr, i32) nounwind
declare void @__perdure_label_scanned(ptr, i32, ptr, i32, i32, i32) nounwind
declare void @__perdure_label_new_text(ptr, i32, i32, i32) nounwind
declare void @__perdure_label_mix(ptr, i64) nounwind
declare void @__perdure_label_outputs(i32, ptr, i64, i32, i32) nounwind
declare void @__perdure_label_message(i32, ptr, i32, i32) nounwind
declare i64 @__perdure_string_length(ptr) nounwind
declare i32 @__perdure_stream_descriptor(ptr) nounwind
declare i32 @perdure.site(i32)
declare i1 @perdure.is_pm(ptr)

define void @perdure.labels_register() nounwind {
  call void @__perdure_labels_begin()
  ret void
}

define i32 @perdure.label_union(i32 %a, i32 %b) #0 {
  %both = or i32 %a, %b
  %same = icmp eq i32 %a, %b
  %no.a = icmp eq i32 %a, 0
  %no.b = icmp eq i32 %b, 0
  %one = or i1 %no.a, %no.b
  %easy = or i1 %one, %same
  br i1 %easy, label %done, label %slow, !prof !0
slow:
  %made = call preserve_mostcc i32 @perdure.slow_union(i32 %a, i32 %b)
  br label %done
done:
  %label = phi i32 [ %both, %0 ], [ %made, %slow ]
  ret i32 %label
}

define preserve_mostcc i32 @perdure.slow_union(i32 %a, i32 %b) #1 {
  %label = call i32 @__perdure_label_union(i32 %a, i32 %b)
  ret i32 %label
}

define ptr @perdure.label_page(ptr %address) #0 {
  %number = ptrtoint ptr %address to i64
  %index = lshr i64 %number, 20
  %pages = load ptr, ptr @__perdure_shadow
  %entry = getelementptr inbounds ptr, ptr %pages, i64 %index
  %page = load ptr, ptr %entry
  ret ptr %page
}

; ---- accesses ----------------------------------------------------------------------------------------------------------

define preserve_mostcc i32 @perdure.slow_label_load(ptr %address, i64 %length, i32 %pointer, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  %label = call i32 @__perdure_label_load(ptr %address, i64 %length, i32 %pointer, i32 %site)
  ret i32 %label
}

define preserve_mostcc i32 @perdure.slow_label_read(ptr %address, i64 %length, i32 %pointer) #1 {
  %bytes = call i32 @__perdure_label_read(ptr %address, i64 %length)
  %label = call i32 @__perdure_label_union(i32 %bytes, i32 %pointer)
  ret i32 %label
}

; Whether the word of eight bytes that contains the bytes has no labels; false where the bytes are no part of one word.
define i1 @perdure.label_clean(ptr %page, ptr %address, i64 %length) #0 {
  %number = ptrtoint ptr %address to i64
  %rest = and i64 %number, 7
  %end = add i64 %rest, %length
  %one = icmp ule i64 %end, 8
  %within = and i64 %number, 1048568
  %first = getelementptr inbounds i32, ptr %page, i64 %within
  %labels = load <4 x i64>, ptr %first, align 4
  %all = call i64 @llvm.vector.reduce.or.v4i64(<4 x i64> %labels)
  %zero = icmp eq i64 %all, 0
  %clean = and i1 %one, %zero
  ret i1 %clean
}

define i32 @perdure.label_load(ptr %address, i64 %length, i32 %pointer, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %load, label %ordinary, !prof !1
load:
  %loaded = call preserve_mostcc i32 @perdure.slow_label_load(ptr %address, i64 %length, i32 %pointer, i32 %local)
  br label %done
ordinary:
  %page = call ptr @perdure.label_page(ptr %address)
  %none = icmp eq ptr %page, null
  br i1 %none, label %done, label %look
look:
  %clean = call i1 @perdure.label_clean(ptr %page, ptr %address, i64 %length)
  br i1 %clean, label %done, label %read
read:
  %bytes = call preserve_mostcc i32 @perdure.slow_label_read(ptr %address, i64 %length, i32 %pointer)
  br label %done
done:
  %label = phi i32 [ %loaded, %load ], [ %pointer, %ordinary ], [ %pointer, %look ], [ %bytes, %read ]
  ret i32 %label
}

declare i64 @llvm.vector.reduce.or.v4i64(<4 x i64>)

define preserve_mostcc void @perdure.slow_label_store(ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %local) #1 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_store(ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %site)
  ret void
}

define preserve_mostcc void @perdure.slow_label_write(ptr %address, i64 %length, i32 %label) #1 {
  call void @__perdure_label_write(ptr %address, i64 %length, i32 %label)
  ret void
}

define void @perdure.label_store(ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %store, label %ordinary, !prof !1
store:
  call preserve_mostcc void @perdure.slow_label_store(ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %local)
  br label %done
ordinary:
  %page = call ptr @perdure.label_page(ptr %address)
  %none = icmp eq ptr %page, null
  %plain = icmp eq i32 %content, 0
  br i1 %plain, label %erase, label %write
erase:
  br i1 %none, label %done, label %look
look:
  %clean = call i1 @perdure.label_clean(ptr %page, ptr %address, i64 %length)
  br i1 %clean, label %done, label %write
write:
  call preserve_mostcc void @perdure.slow_label_write(ptr %address, i64 %length, i32 %content)
  br label %done
done:
  ret void
}

define void @perdure.label_stored(ptr %address, i32 %local) #0 {
  %pm = call i1 @perdure.is_pm(ptr %address)
  br i1 %pm, label %slow, label %done, !prof !1
slow:
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_stored(i32 %site)
  br label %done
done:
  ret void
}

define void @perdure.label_store_if(i1 %stored, ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %local) #0 {
  br i1 %stored, label %go, label %done
go:
  call void @perdure.label_store(ptr %address, i64 %length, i32 %content, i32 %pointer, i32 %local)
  call void @perdure.label_stored(ptr %address, i32 %local)
  br label %done
done:
  ret void
}

; ---- ranges ---------------------------------------------------------------------------------------------------------------

define void @perdure.label_copy(ptr %to, ptr %from, i64 %length, i32 %to.label, i32 %from.label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_copy(ptr %to, ptr %from, i64 %length, i32 %to.label, i32 %from.label, i32 %site)
  ret void
}

define void @perdure.label_fill(ptr %to, i64 %length, i32 %content, i32 %to.label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_fill(ptr %to, i64 %length, i32 %content, i32 %to.label, i32 %site)
  ret void
}

define void @perdure.label_output(i32 %descriptor, ptr %from, i64 %length, i32 %content, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_output(i32 %descriptor, ptr %from, i64 %length, i32 %content, i32 %site)
  ret void
}

define i32 @perdure.label_string(ptr %text, i32 %pointer, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  %label = call i32 @__perdure_label_string(ptr %text, i32 %pointer, i32 %site)
  ret i32 %label
}

define i64 @perdure.string_length(ptr %text) #2 {
  %length = call i64 @__perdure_string_length(ptr %text)
  ret i64 %length
}

define i32 @perdure.stream_descriptor(ptr %stream) #2 {
  %descriptor = call i32 @__perdure_stream_descriptor(ptr %stream)
  ret i32 %descriptor
}

define i32 @perdure.label_formatted(ptr %format, i32 %index, ptr %value, i32 %label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  %all = call i32 @__perdure_label_formatted(ptr %format, i32 %index, ptr %value, i32 %label, i32 %site)
  ret i32 %all
}

define i32 @perdure.label_format_list(ptr %format, ptr %given, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  %label = call i32 @__perdure_label_format_list(ptr %format, ptr %given, i32 %site)
  ret i32 %label
}

define void @perdure.label_scanned(ptr %format, i32 %index, ptr %to, i32 %content, i32 %to.label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_scanned(ptr %format, i32 %index, ptr %to, i32 %content, i32 %to.label, i32 %site)
  ret void
}

define void @perdure.label_new_text(ptr %text, i32 %length, i32 %content, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_new_text(ptr %text, i32 %length, i32 %content, i32 %site)
  ret void
}

define void @perdure.label_mix(ptr %range, i64 %length) #2 {
  call void @__perdure_label_mix(ptr %range, i64 %length)
  ret void
}

define void @perdure.label_outputs(i32 %descriptor, ptr %parts, i64 %count, i32 %label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_outputs(i32 %descriptor, ptr %parts, i64 %count, i32 %label, i32 %site)
  ret void
}

define void @perdure.label_message(i32 %descriptor, ptr %message, i32 %label, i32 %local) #2 {
  %site = call i32 @perdure.site(i32 %local)
  call void @__perdure_label_message(i32 %descriptor, ptr %message, i32 %label, i32 %site)
  ret void
}

; ---- calls -------------------------------------------------------------------------------------------------------------------

define void @perdure.label_argument(i32 %index, i32 %label) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %slot = getelementptr inbounds { i32, i32, ptr, [64 x i32] }, ptr %tls, i64 0, i32 3, i32 %index
  store i32 %label, ptr %slot
  ret void
}

define void @perdure.label_classes(i32 %classes) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %slot = getelementptr inbounds { i32, i32, ptr, [64 x i32] }, ptr %tls, i64 0, i32 1
  store i32 %classes, ptr %slot
  ret void
}

define void @perdure.label_copied(ptr %address, i64 %length, i32 %label) #2 {
  call void @__perdure_label_write(ptr %address, i64 %length, i32 %label)
  ret void
}

define void @perdure.label_listed(i1 %entered, i32 %fixed) #2 {
  %is = zext i1 %entered to i32
  call void @__perdure_label_listed(i32 %is, i32 %fixed)
  ret void
}

define void @perdure.label_list(ptr %started) #2 {
  call void @__perdure_label_list(ptr %started)
  ret void
}

define void @perdure.label_calling(ptr %callee) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %slot = getelementptr inbounds { i32, i32, ptr, [64 x i32] }, ptr %tls, i64 0, i32 2
  store ptr %callee, ptr %slot
  ret void
}

define i1 @perdure.label_entered(ptr %self) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %slot = getelementptr inbounds { i32, i32, ptr, [64 x i32] }, ptr %tls, i64 0, i32 2
  %callee = load ptr, ptr %slot
  store ptr null, ptr %slot
  %called = icmp eq ptr %callee, %self
  ret i1 %called
}

define i32 @perdure.label_parameter(i1 %entered, i32 %index) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %slot = getelementptr inbounds { i32, i32, ptr, [64 x i32] }, ptr %tls, i64 0, i32 3, i32 %index
  %written = load i32, ptr %slot
  %label = select i1 %entered, i32 %written, i32 0
  ret i32 %label
}

define void @perdure.label_return(i32 %label) #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  store i32 %label, ptr %tls
  ret void
}

define i32 @perdure.label_result() #0 {
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @__perdure_labels)
  %label = load i32, ptr %tls
  ret i32 %label
}

; ---- branch coverage: a byte for each pair of blocks that followed each other ----------------------------------------------------

define void @perdure.block(i32 %number) #0 {
  %previous.slot = call ptr @llvm.threadlocal.address.p0(ptr @perdure.previous_block)
  %previous = load i32, ptr %previous.slot
  %edge = xor i32 %previous, %number
  %place = and i32 %edge, 65535
  %map = load ptr, ptr @__perdure_coverage
  %entry = getelementptr inbounds i8, ptr %map, i32 %place
  store i8 1, ptr %entry
  %half = lshr i32 %number, 1
  store i32 %half, ptr %previous.slot
  ret void
}

declare ptr @llvm.threadlocal.address.p0(ptr)

attributes #0 = { alwaysinline nounwind }
attributes #1 = { noinline nounwind cold }
attributes #2 = { nounwind }

!0 = !{!"branch_weights", i32 4000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 4000}
