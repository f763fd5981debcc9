/* Signals that the runtime handles itself. The program keeps its own idea of them: what it sets is kept and asked for, and signals
 * that are not the runtime's are passed on to it. It cannot block them, since that would end it. */
#ifndef PERDURE_SIGNALS_H
#define PERDURE_SIGNALS_H
#include <signal.h>
#include <stdbool.h>

/* From now on the signal, SIGSEGV or SIGTRAP, is never blocked; the caller means to take it over. */
void signals_keep_open(int number);
/* Takes the signal over, once. */
void signals_take(int number, void (*handler)(int, siginfo_t *, void *));
/* Gives a signal to the program; false if that has no handler: the signal has its usual effect from now on. */
bool signals_pass_on(int number, siginfo_t *info, void *context);

#endif
