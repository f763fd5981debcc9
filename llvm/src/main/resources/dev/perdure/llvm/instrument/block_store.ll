; A store of a type that is no number of 1, 2, 4 or 8 bytes: the value is put into memory only where it goes to PM.

declare preserve_mostcc void @perdure.slow_store_block(ptr, ptr, i64, i32, i32)

define void @${name}(i1 %pm, ptr %address, ${type} %value, i64 %length, i32 %nontemporal, i32 %local) alwaysinline nounwind {
  %bytes = alloca ${type}
  br i1 %pm, label %slow, label %done, !prof !0
slow:
  store ${type} %value, ptr %bytes
  call preserve_mostcc void @perdure.slow_store_block(ptr %address, ptr %bytes, i64 %length, i32 %nontemporal, i32 %local)
  br label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 4000}
