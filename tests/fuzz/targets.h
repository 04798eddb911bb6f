/* targets.h: table of all parsers for the fuzzers and for the corpus test, with the rule they obey:
 * on any bytes a parser returns a value or sets an error, never both, never neither. */
#pragma once

#include "engine/io/io.h"
#include "engine/machine/cluster/cluster.h"

/* What the targets call the bytes; every message must begin with it, or with the file's path. */
#define FUZZ_ORIGIN "fuzz"

typedef struct
{
  const char *name; /* also of the folder of its corpus */
  /* Reads the bytes, checks the outcome, and aborts if the rule is broken. NULL: fuzz_graph() with
   * the target's name as format. */
  void (*feed) (const char *data, gsize size);
} FuzzTarget;

const FuzzTarget *fuzz_targets (gsize *n);

/* (nullable) */
const FuzzTarget *fuzz_find_target (const char *name);

/* Bytes for a target, in a block of exactly their size, so that a sanitizer sees the first byte
 * beyond. */
void fuzz_feed (const FuzzTarget *target, const char *data, gsize size);

/* --- for the targets ------------------------------------------------------------------------ */

/* abort(), since libFuzzer keeps the input of that and not of g_error(). */
#define FUZZ_CHECK(what)                                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(what))                                                                                   \
      fuzz_fail (#what, "");                                                                       \
  }                                                                                                \
  G_STMT_END

void fuzz_fail (const char *what, const char *text) G_GNUC_NORETURN;

/* The promise itself: exactly one of a value and an error, and that one is for people: of our
 * domain, in UTF-8, and beginning with @origin (nullable). */
void fuzz_check_outcome (gboolean has_value, const GError *error, const char *origin);

/* The bytes as a temporary file. (transfer full): its path, for fuzz_remove(). */
char *fuzz_write (const char *data, gsize size) G_GNUC_WARN_UNUSED_RESULT;
void fuzz_remove (char *path);

/* What cluster.h promises of every cluster. */
void fuzz_check_routes (const GobanCluster *cluster);

/* What graph.h promises of every graph. */
void fuzz_check_graph (const GobanGraph *graph);

void fuzz_graph (const char *format, const char *data, gsize size);
void fuzz_arrays (const char *data, gsize size);
void fuzz_bench_journal (const char *data, gsize size);
void fuzz_cluster (const char *data, gsize size);
void fuzz_cluster_spec (const char *data, gsize size);
void fuzz_packed (const char *data, gsize size);
void fuzz_ort_profile (const char *data, gsize size);
void fuzz_params (const char *data, gsize size);
void fuzz_plan (const char *data, gsize size);
void fuzz_program (const char *data, gsize size);
void fuzz_quantity (const char *data, gsize size);
void fuzz_query (const char *data, gsize size);
void fuzz_recovery (const char *data, gsize size);
void fuzz_run (const char *data, gsize size);
void fuzz_schedule (const char *data, gsize size);
void fuzz_serve (const char *data, gsize size);
void fuzz_session (const char *data, gsize size);
void fuzz_settings (const char *data, gsize size);
void fuzz_suite (const char *data, gsize size);
void fuzz_workload (const char *data, gsize size);
void fuzz_zip (const char *data, gsize size);
