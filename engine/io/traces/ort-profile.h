/* ort-profile.h: operations of an ONNX Runtime profile.
 *
 * Read once, for a graph of the recorded run (ort-profile.c) and for the measured times of a
 * model's nodes (measured-times.h).
 */
#pragma once

#include "engine/core/progress.h"

typedef struct
{
  const char *name; /* without "_kernel_time" */
  const char *op;
  const char *provider; /* "CPUExecutionProvider" */
  const char *thread;
  double start_us;
  double span_us;
  gint64 index; /* of the node in the model, or -1 */
  guint run;    /* from 1; 0: outside of any */
} GobanOrtOp;

typedef struct
{
  GArray *ops; /* GobanOrtOp, in the order of the file */
  guint n_runs;
  guint n_events;
  gboolean is_cut; /* the file ends within an event behind them, which is left out */
  GStringChunk *strings;
} GobanOrtProfile;

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE set at the first mistake */
GobanOrtProfile *goban_ort_profile_read (const char *data, gsize size, const char *path,
                                         const GobanProgress *progress,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_ort_profile_free (GobanOrtProfile *self);

/* The kind of device that a provider computes on: "cpu", "gpu", or its own word in lower case,
 * (transfer full). */
char *goban_ort_provider_kind (const char *provider) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrtProfile, goban_ort_profile_free)
