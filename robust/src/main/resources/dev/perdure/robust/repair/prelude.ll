; What repairs insert. ${flush} is the flush instruction of the target.

@perdure_fix_counters = weak global [65536 x i32] zeroinitializer, align 64

declare i64 @strlen(ptr)

define void @perdure_fix_fence() alwaysinline nounwind {
  call void asm sideeffect "sfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  ret void
}

define void @perdure_fix_line(ptr %address) alwaysinline nounwind {
  call void asm sideeffect "${flush} $0", "*m,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr elementtype(i8) %address)
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

; Lines that atomic loads have read: flushed when something depends on them, or when another line takes their place.
@perdure_fix_noted = internal thread_local global [64 x i64] zeroinitializer, align 64
@perdure_fix_used = internal thread_local global i64 0, align 8

define void @perdure_fix_note(ptr %address) alwaysinline nounwind {
entry:
  %number = ptrtoint ptr %address to i64
  %line = lshr i64 %number, 6
  %higher = lshr i64 %number, 12
  %mixed = xor i64 %line, %higher
  %slot = and i64 %mixed, 63
  %place = getelementptr [64 x i64], ptr @perdure_fix_noted, i64 0, i64 %slot
  %old = load i64, ptr %place
  %known = icmp eq i64 %old, %line
  br i1 %known, label %end, label %new

new:
  call void @perdure_fix_renote(i64 %line, i64 %slot)
  br label %end

end:
  ret void
}

define void @perdure_fix_renote(i64 %line, i64 %slot) noinline nounwind {
entry:
  %place = getelementptr [64 x i64], ptr @perdure_fix_noted, i64 0, i64 %slot
  %old = load i64, ptr %place
  %free = icmp eq i64 %old, 0
  br i1 %free, label %take, label %flush

flush:
  %start = shl i64 %old, 6
  %address = inttoptr i64 %start to ptr
  call void @perdure_fix_line(ptr %address)
  br label %take

take:
  store i64 %line, ptr %place
  %bit = shl i64 1, %slot
  %used = load i64, ptr @perdure_fix_used
  %more = or i64 %used, %bit
  store i64 %more, ptr @perdure_fix_used
  ret void
}

define void @perdure_fix_drain() alwaysinline nounwind {
entry:
  %used = load i64, ptr @perdure_fix_used
  %held = load i64, ptr @perdure_fix_held
  %any = or i64 %used, %held
  %none = icmp eq i64 %any, 0
  br i1 %none, label %end, label %some

some:
  call void @perdure_fix_drain_flushes()
  call void @perdure_fix_fence()
  br label %end

end:
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
  %used = load i64, ptr @perdure_fix_used
  %none = icmp eq i64 %used, 0
  br i1 %none, label %end, label %some

some:
  call void @perdure_fix_drain_notes()
  br label %end

end:
  ret void
}

define void @perdure_fix_drain_notes() noinline nounwind {
entry:
  %used = load i64, ptr @perdure_fix_used
  br label %loop

loop:
  %left = phi i64 [ %used, %entry ], [ %rest, %loop ]
  %slot = call i64 @llvm.cttz.i64(i64 %left, i1 false)
  %place = getelementptr [64 x i64], ptr @perdure_fix_noted, i64 0, i64 %slot
  %line = load i64, ptr %place
  %start = shl i64 %line, 6
  %address = inttoptr i64 %start to ptr
  call void @perdure_fix_line(ptr %address)
  store i64 0, ptr %place
  %lower = sub i64 %left, 1
  %rest = and i64 %left, %lower
  %done = icmp eq i64 %rest, 0
  br i1 %done, label %drained, label %loop

drained:
  store i64 0, ptr @perdure_fix_used
  ret void
}

declare i64 @llvm.cttz.i64(i64, i1)

; FliT (Wei et al., PPoPP 2022): a counter of the stores under way for each line, hashed.
define ptr @perdure_fix_counter(ptr %address) alwaysinline nounwind {
  %number = ptrtoint ptr %address to i64
  %line = lshr i64 %number, 6
  %slot = and i64 %line, 65535
  %counter = getelementptr [65536 x i32], ptr @perdure_fix_counters, i64 0, i64 %slot
  ret ptr %counter
}

define void @perdure_fix_begin(ptr %address) alwaysinline nounwind {
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %old = atomicrmw add ptr %counter, i32 1 seq_cst
  ret void
}

define void @perdure_fix_end(ptr %address) alwaysinline nounwind {
  call void @perdure_fix_line(ptr %address)
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %old = atomicrmw sub ptr %counter, i32 1 seq_cst
  ret void
}

define void @perdure_fix_help(ptr %address) alwaysinline nounwind {
  %counter = call ptr @perdure_fix_counter(ptr %address)
  %stores = load atomic i32, ptr %counter seq_cst, align 4
  %quiet = icmp eq i32 %stores, 0
  br i1 %quiet, label %end, label %flush

flush:
  call void @perdure_fix_line(ptr %address)
  br label %end

end:
  ret void
}
