/* run-file.h: shared parts of the files of training runs: header, checksum, random numbers,
 * networks. */
#pragma once

#include "engine/core/bytes.h"
#include "engine/core/rng.h"
#include "engine/learn/policy/scorer-net.h"

typedef struct
{
  const char *magic; /* 8 characters */
  guint32 version;
  const char *problem; /* "this is not a training run of ...": the error for other files */
} GobanRunFormat;

void goban_run_file_begin (GByteArray *out, const GobanRunFormat *format);
void goban_run_file_put_rng (GByteArray *out, const GobanRng *rng);
/* Values and moments. */
void goban_run_file_put_net (GByteArray *out, const GobanScorerNet *net);

/* Checks the header and positions @reader after it. FALSE with %GOBAN_ERROR_PARSE set, which names
 * @origin. */
gboolean goban_run_file_open (GobanByteReader *reader, const guint8 *data, gsize size,
                              const GobanRunFormat *format, const char *origin, GError **error);
void goban_run_file_read_rng (GobanByteReader *reader, GobanRng *rng);
/* FALSE with an error set. */
gboolean goban_run_file_read_net (GobanByteReader *reader, GobanScorerNet *net, const char *origin,
                                  GError **error);
