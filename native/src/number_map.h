/* Numbers of threads by words: a pthread_t, or what a program calls them. */
#ifndef PERDURE_NUMBER_MAP_H
#define PERDURE_NUMBER_MAP_H
#include <stdint.h>

#define NUMBER_MAP_BUCKETS 1024
struct number_map {
  struct number_node *buckets[NUMBER_MAP_BUCKETS];
  struct number_node *fresh;
  uint32_t fresh_left;
  uint32_t lock;
};

/* 0: none. */
uint32_t number_map_get(struct number_map *map, uint64_t word);
void number_map_put(struct number_map *map, uint64_t word, uint32_t number);
void number_map_forget_if(struct number_map *map, uint64_t word, uint32_t number);
/* Around a fork: nobody changes the map. */
void number_map_hold(struct number_map *map);
void number_map_drop(struct number_map *map);
void number_map_clear(struct number_map *map);

#endif
