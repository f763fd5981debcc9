#include "number_map.h"
#include "runtime.h"
#include "system.h"
#include <sys/mman.h>

/* Nodes stay with their word for good: the same ones are used again and again. */
struct number_node {
  struct number_node *next;
  uint64_t word;
  uint32_t number; /* 0: none now */
};
#define NODES_AT_ONCE 1024

static struct number_node **bucket_of(struct number_map *map, uint64_t word) {
  return &map->buckets[(word * UINT64_C(0x9e3779b97f4a7c15) >> 32) % NUMBER_MAP_BUCKETS];
}

static struct number_node *find(struct number_map *map, uint64_t word) {
  for (struct number_node *n = *bucket_of(map, word); n != NULL; n = n->next) {
    if (n->word == word) {
      return n;
    }
  }
  return NULL;
}

static struct number_node *add(struct number_map *map, uint64_t word) {
  if (map->fresh_left == 0) {
    long room = SYSTEM6(SYS_mmap, 0, NODES_AT_ONCE * sizeof(struct number_node), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (system_failed(room)) {
      return NULL;
    }
    map->fresh = (struct number_node *)room;
    map->fresh_left = NODES_AT_ONCE;
  }
  struct number_node *node = &map->fresh[--map->fresh_left];
  struct number_node **bucket = bucket_of(map, word);
  *node = (struct number_node){*bucket, word, 0};
  *bucket = node;
  return node;
}

uint32_t number_map_get(struct number_map *map, uint64_t word) {
  perdure_spin_lock(&map->lock);
  struct number_node *node = find(map, word);
  uint32_t number = node != NULL ? node->number : 0;
  perdure_spin_unlock(&map->lock);
  return number;
}

void number_map_put(struct number_map *map, uint64_t word, uint32_t number) {
  perdure_spin_lock(&map->lock);
  struct number_node *node = find(map, word);
  if (node == NULL) {
    node = add(map, word);
  }
  if (node != NULL) {
    node->number = number;
  }
  perdure_spin_unlock(&map->lock);
}

void number_map_forget_if(struct number_map *map, uint64_t word, uint32_t number) {
  perdure_spin_lock(&map->lock);
  struct number_node *node = find(map, word);
  if (node != NULL && node->number == number) {
    node->number = 0;
  }
  perdure_spin_unlock(&map->lock);
}

void number_map_hold(struct number_map *map) { perdure_spin_lock(&map->lock); }
void number_map_drop(struct number_map *map) { perdure_spin_unlock(&map->lock); }

void number_map_clear(struct number_map *map) {
  for (int i = 0; i < NUMBER_MAP_BUCKETS; i++) {
    for (struct number_node *n = map->buckets[i]; n != NULL; n = n->next) {
      n->number = 0;
    }
  }
}
