        .text
        .globl  asm_one
        .type   asm_one, @function
asm_one:
        mov     %rdi, %rax
        add     $1, %rax
        ret
        .size   asm_one, .-asm_one
asm_without_size:
        nop
        ret
        .section .note.GNU-stack, "", @progbits
