/* io-support.h: helpers that read graphs from text, and that expect parse errors. */
#pragma once

#include "engine/io/io.h"

/* Reads @text as "test.txt"; fails the test on an error. (transfer full) */
GobanGraph *read_text (const char *format, const char *text) G_GNUC_WARN_UNUSED_RESULT;
GobanGraph *read_text_with (const char *format, const char *text,
                            const GobanReadOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* A text that must be refused, and a part of what must be said of it. */
typedef struct
{
  const char *text;
  const char *message;
} BadText;

void check_bad_texts (const char *format, const BadText *cases, gsize n);

/* Expects that @text is refused with the largest of batches. */
void check_large_batch (const char *format, const char *text);

/* The path of a file of the fuzz corpus of that format. (transfer full) */
char *corpus_path (const char *format, const char *name) G_GNUC_WARN_UNUSED_RESULT;
/* Loads it, recognised by its content. @options: (nullable). (transfer full) */
GobanGraph *load_corpus (const char *format, const char *name,
                         const GobanReadOptions *options) G_GNUC_WARN_UNUSED_RESULT;

/* Loads a file of the shared data, recognised by its content as @format; NULL: skip. */
GobanGraph *load_shared (const char *name, const char *format) G_GNUC_WARN_UNUSED_RESULT;

/* The sum of the times on a kind, in milliseconds, of the nodes of one phase. */
double sum_ms (const GobanGraph *graph, const char *kind, GobanPhase phase);

/* The time of the node of that name. */
double time_of (const GobanGraph *graph, const char *node, const char *kind);

/* The node of that name, which must be there; the bytes of all its outputs. */
const GobanNode *node_of (const GobanGraph *graph, const char *name);
double bytes_of (const GobanGraph *graph, const char *name);

/* Whether a warning of the graph's reader contains @part. */
gboolean warns (const GobanGraph *graph, const char *part);

/* The longest path over the sum of times of a kind. */
double path_ratio (const GobanGraph *graph, const char *kind);

/* The transfer time of the first tensor of that node. */
double transfer_of (const GobanGraph *graph, const char *node, const char *from, const char *to);

#define assert_near(a, b, tolerance) g_assert_cmpfloat_with_epsilon (a, b, tolerance)
