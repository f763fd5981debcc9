/* Streams into private pools. What goes out through a stream is written by libc itself, some time: it is recorded when the program
 * flushes, moves or closes the stream. */
#ifndef PERDURE_STREAM_WRITES_H
#define PERDURE_STREAM_WRITES_H
#include <stdio.h>

/* A stream for output; nothing where its file is no private pool. */
void stream_opened(FILE *stream);
/* The stream's position has moved by reading. */
void stream_read(FILE *stream);

#endif
