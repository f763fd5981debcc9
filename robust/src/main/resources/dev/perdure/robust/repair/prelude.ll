; What repairs insert. ${flush} is the flush instruction of the target.

@perdure_fix_counters = weak global [16384 x i16] zeroinitializer, align 64

declare i64 @strlen(ptr)

; Whether a flush has not been fenced yet. It is set behind the flush and cleared behind the fence: a signal handler in
; between, which leaves nothing open, does no harm.
@perdure_fix_open = internal thread_local global i8 0

define void @perdure_fix_opened() alwaysinline nounwind {
  store i8 1, ptr @perdure_fix_open
  ret void
}

define void @perdure_fix_closed() alwaysinline nounwind {
  store i8 0, ptr @perdure_fix_open
  ret void
}

define void @perdure_fix_fence() alwaysinline nounwind {
  call void asm sideeffect "sfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  call void @perdure_fix_closed()
  ret void
}

; A fence, if it has something to wait for.
define void @perdure_fix_await() alwaysinline nounwind {
entry:
  %open = load i8, ptr @perdure_fix_open
  %nothing = icmp eq i8 %open, 0
  br i1 %nothing, label %end, label %wait

wait:
  call void @perdure_fix_fence()
  br label %end

end:
  call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

define void @perdure_fix_line(ptr %address) alwaysinline nounwind {
  call void asm sideeffect "${flush} $0", "*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %address)
  call void @perdure_fix_opened()
  ret void
}

; No more bytes than a line has: one flush, or two.
define void @perdure_fix_few(ptr %start, i64 %distance) alwaysinline nounwind {
entry:
  call void @perdure_fix_line(ptr %start)
  %first = ptrtoint ptr %start to i64
  %last = add i64 %first, %distance
  %differing = xor i64 %first, %last
  %one = icmp ult i64 %differing, 64
  br i1 %one, label %end, label %second

second:
  %address = inttoptr i64 %last to ptr
  call void @perdure_fix_line(ptr %address)
  br label %end

end:
  ret void
}

define void @perdure_fix_range(ptr %start, i64 %bytes) nounwind {
entry:
  %none = icmp eq i64 %bytes, 0
  br i1 %none, label %end, label %begin

begin:
  %first = ptrtoint ptr %start to i64
  %line = and i64 %first, -64
  %limit = add i64 %first, %bytes
  br label %loop

loop:
  %at = phi i64 [ %line, %begin ], [ %next, %loop ]
  %address = inttoptr i64 %at to ptr
  call void @perdure_fix_line(ptr %address)
  %next = add i64 %at, 64
  %more = icmp ult i64 %next, %limit
  br i1 %more, label %loop, label %end

end:
  ret void
}

define void @perdure_fix_string(ptr %start) nounwind {
  %length = call i64 @strlen(ptr %start)
  %bytes = add i64 %length, 1
  call void @perdure_fix_range(ptr %start, i64 %bytes)
  ret void
}

; The line of the last store, as long as nothing needs it to be persistent: it is flushed before a store to another line.
@perdure_fix_held = internal thread_local global i64 0, align 8

define void @perdure_fix_hold(ptr %address) alwaysinline nounwind {
  %number = ptrtoint ptr %address to i64
  %line = and i64 %number, -64
  store i64 %line, ptr @perdure_fix_held
  ret void
}

define void @perdure_fix_turn(ptr %address) alwaysinline nounwind {
entry:
  %number = ptrtoint ptr %address to i64
  %held = load i64, ptr @perdure_fix_held
  %differing = xor i64 %number, %held
  %same = icmp ult i64 %differing, 64
  %none = icmp eq i64 %held, 0
  %stay = or i1 %same, %none
  br i1 %stay, label %end, label %other

other:
  %last = inttoptr i64 %held to ptr
  call void @perdure_fix_line(ptr %last)
  call void @perdure_fix_fence()
  store i64 0, ptr @perdure_fix_held
  br label %end

end:
  ret void
}

; As before, a fence follows.
define void @perdure_fix_turn_flushes(ptr %address) alwaysinline nounwind {
entry:
  %number = ptrtoint ptr %address to i64
  %held = load i64, ptr @perdure_fix_held
  %differing = xor i64 %number, %held
  %same = icmp ult i64 %differing, 64
  %none = icmp eq i64 %held, 0
  %stay = or i1 %same, %none
  br i1 %stay, label %end, label %other

other:
  %last = inttoptr i64 %held to ptr
  call void @perdure_fix_line(ptr %last)
  store i64 0, ptr @perdure_fix_held
  br label %end

end:
  ret void
}

; Lines that atomic loads have read: flushed when something depends on them, or when there is no more room for them. A
; line is known to be among them if its number with the stamp stands in the filter; the stamp changes with each flush of
; all of them. A signal handler may do so between any two instructions, and leaves none behind.
@perdure_fix_noted = internal thread_local global [1024 x i64] zeroinitializer, align 64
@perdure_fix_count = internal thread_local global i64 0, align 8
@perdure_fix_filter = internal thread_local global [2048 x i64] zeroinitializer, align 64
@perdure_fix_stamp = internal thread_local global i64 1125899906842624, align 8

define void @perdure_fix_note(ptr %address) alwaysinline nounwind {
entry:
  %number = ptrtoint ptr %address to i64
  %line = lshr i64 %number, 6
  %stamp = load volatile i64, ptr @perdure_fix_stamp
  %key = add i64 %line, %stamp
  %higher = lshr i64 %number, 17
  %mixed = xor i64 %line, %higher
  %slot = and i64 %mixed, 2047
  %place = getelementptr [2048 x i64], ptr @perdure_fix_filter, i64 0, i64 %slot
  %old = load volatile i64, ptr %place
  %known = icmp eq i64 %old, %key
  br i1 %known, label %end, label %new

new:
  call void @perdure_fix_append(i64 %number, i64 %slot)
  br label %end

end:
  ret void
}

define void @perdure_fix_append(i64 %number, i64 %slot) noinline nounwind {
entry:
  %full = load volatile i64, ptr @perdure_fix_count
  %room = icmp ult i64 %full, 1024
  br i1 %room, label %try, label %overflow

overflow:
  call void @perdure_fix_drain_notes()
  br label %try

try:
  %stamp = load volatile i64, ptr @perdure_fix_stamp
  %count = load volatile i64, ptr @perdure_fix_count
  %place = getelementptr [1024 x i64], ptr @perdure_fix_noted, i64 0, i64 %count
  store volatile i64 %number, ptr %place
  %more = add i64 %count, 1
  store volatile i64 %more, ptr @perdure_fix_count
  %after = load volatile i64, ptr @perdure_fix_stamp
  %undisturbed = icmp eq i64 %stamp, %after
  br i1 %undisturbed, label %remember, label %again

again:
  store volatile i64 0, ptr @perdure_fix_count
  br label %try

remember:
  %line = lshr i64 %number, 6
  %key = add i64 %line, %stamp
  %known = getelementptr [2048 x i64], ptr @perdure_fix_filter, i64 0, i64 %slot
  store volatile i64 %key, ptr %known
  ret void
}

define void @perdure_fix_drain() alwaysinline nounwind {
entry:
  call void @perdure_fix_drain_flushes()
  call void @perdure_fix_await()
  ret void
}

; The flushes of a drain; a fence follows.
define void @perdure_fix_drain_flushes() alwaysinline nounwind {
entry:
  %held = load i64, ptr @perdure_fix_held
  %nothing = icmp eq i64 %held, 0
  br i1 %nothing, label %notes, label %holds

holds:
  %last = inttoptr i64 %held to ptr
  call void @perdure_fix_line(ptr %last)
  store i64 0, ptr @perdure_fix_held
  br label %notes

notes:
  %count = load volatile i64, ptr @perdure_fix_count
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %some

some:
  call void @perdure_fix_drain_notes()
  br label %end

end:
  ret void
}

define void @perdure_fix_drain_notes() noinline nounwind {
entry:
  %count = load volatile i64, ptr @perdure_fix_count
  br label %loop

loop:
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [1024 x i64], ptr @perdure_fix_noted, i64 0, i64 %at
  %number = load volatile i64, ptr %place
  %address = inttoptr i64 %number to ptr
  call void @perdure_fix_line(ptr %address)
  %next = add i64 %at, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %drained

drained:
  store volatile i64 0, ptr @perdure_fix_count
  %stamp = load volatile i64, ptr @perdure_fix_stamp
  %last = icmp uge i64 %stamp, -1125899906842624
  br i1 %last, label %forget, label %restamp

forget:
  call void @llvm.memset.p0.i64(ptr @perdure_fix_filter, i8 0, i64 16384, i1 true)
  br label %restamp

restamp:
  ; One instruction, so that no stamp comes twice.
  call void asm sideeffect "addq $1, $0", "=*m,r,*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i64) @perdure_fix_stamp, i64 1125899906842624, ptr elementtype(i64) @perdure_fix_stamp)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; FliT (Wei et al., PPoPP 2022): a counter of the stores under way for each line, hashed.
define ptr @perdure_fix_counter(ptr %address) alwaysinline nounwind {
  %number = ptrtoint ptr %address to i64
  %line = lshr i64 %number, 6
  %slot = and i64 %line, 16383
  %counter = getelementptr [16384 x i16], ptr @perdure_fix_counters, i64 0, i64 %slot
  ret ptr %counter
}

define void @perdure_fix_begin(ptr %address) alwaysinline nounwind {
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %old = atomicrmw add ptr %counter, i16 1 seq_cst
  ret void
}

define void @perdure_fix_end(ptr %address) alwaysinline nounwind {
  call void @perdure_fix_line(ptr %address)
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %old = atomicrmw sub ptr %counter, i16 1 seq_cst
  call void @perdure_fix_closed()
  ret void
}

define void @perdure_fix_help(ptr %address) alwaysinline nounwind {
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %stores = load atomic i16, ptr %counter seq_cst, align 2
  %quiet = icmp eq i16 %stores, 0
  br i1 %quiet, label %end, label %flush

flush:
  call void @perdure_fix_line(ptr %address)
  br label %end

end:
  ret void
}
