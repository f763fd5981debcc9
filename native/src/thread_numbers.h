/* Which number a joinable thread has. */
#ifndef PERDURE_THREAD_NUMBERS_H
#define PERDURE_THREAD_NUMBERS_H
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

/* A thread with a number is about to be created: it will come to thread_number_arrive, or thread_number_call_off follows. */
void thread_number_announce(void);
void thread_number_call_off(void);
/* Called by the new thread itself, before its routine runs. */
void thread_number_arrive(pthread_t thread, uint32_t number);
/* The same for a thread that nobody announced. */
void thread_number_remember(pthread_t thread, uint32_t number);
/* The number of a thread that may be joined; waits while some thread that was announced has not begun. 0: not known. */
uint32_t thread_number_expect(pthread_t thread);
void thread_number_forget(pthread_t thread);
void thread_number_forget_if(pthread_t thread, uint32_t number);
/* Threads by what the program calls them: a word that it gave its own function when that created the thread, or that was stored there. */
void thread_number_name(uint64_t word, uint32_t number);
uint32_t thread_number_named(uint64_t word); /* 0: not known */
/* The first threads of the children that this process has forked. */
void thread_number_of_child_is(pid_t child, uint32_t number);
uint32_t thread_number_of_child(pid_t child); /* 0: not known */
void thread_numbers_hold(void);
void thread_numbers_drop(void);
/* Only the forking thread lives on in the child. */
void thread_numbers_forget_all(void);

#endif
