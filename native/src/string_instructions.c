#include "string_instructions.h"
#include "gate_frame.h"
#include "perdure_hooks.h"

enum { MOVS = 0xa4, CMPS = 0xa6, STOS = 0xaa, LODS = 0xac, SCAS = 0xae };

static void stored_pattern(uint64_t addr, uint64_t pattern, uint32_t size, uint64_t length, uint32_t site) {
  unsigned char bytes[256];
  for (size_t i = 0; i < sizeof bytes; i++) {
    bytes[i] = (unsigned char)(pattern >> 8 * (i % size));
  }
  for (uint64_t done = 0; done < length; done += sizeof bytes) {
    uint64_t part = length - done < sizeof bytes ? length - done : sizeof bytes;
    __perdure_store_block((void *)(addr + done), bytes, part, 0, site);
  }
}

void string_stores(const uint64_t *registers, uint32_t opcode, uint32_t size, uint64_t count, uint32_t site) {
  uint64_t to = registers[RDI], length = count * size;
  if ((opcode & 0xfe) == MOVS) {
    __perdure_store_block((void *)to, (const void *)registers[RSI], length, 0, site);
  } else if ((opcode & 0xfe) == STOS) {
    stored_pattern(to, registers[RAX], size, length, site);
  }
}

void string_loaded(uint64_t from, uint64_t to, uint32_t opcode, uint64_t length, uint32_t site) {
  uint32_t kind = opcode & 0xfe;
  if (kind == MOVS || kind == LODS || kind == CMPS) {
    __perdure_load_block((const void *)from, length, site);
  }
  if (kind == SCAS || kind == CMPS) {
    __perdure_load_block((const void *)to, length, site);
  }
}
