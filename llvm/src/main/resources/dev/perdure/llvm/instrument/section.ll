; A section that is not loaded.

module asm ".section ${section},\22\22,@progbits"
module asm ".incbin \22${file}\22"
module asm ".text"
