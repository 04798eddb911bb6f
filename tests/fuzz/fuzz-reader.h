/* fuzz-reader.h: what every reader owes to any bytes at all: a graph or an error, never both,
 * never neither. Shared by the fuzzers and by the test that feeds them a corpus.
 */
#pragma once

#include "engine/io/io.h"

G_BEGIN_DECLS

/* Reads the bytes and checks the outcome; a graph is also written and read again where its
 * format can be. Aborts where the promise is broken. */
void fuzz_reader (const GobanFormat *format, const char *data, gsize size);

/* The body of a libFuzzer target. */
int fuzz_one_input (const char *format, const guint8 *data, gsize size);

G_END_DECLS
