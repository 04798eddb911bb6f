/* measure-line.h: Lua line that measures plans of a model on this machine. */
#pragma once

#include <glib.h>

/* A measurement in words; lists may be NULL. */
typedef struct
{
  const char *model;
  const char *const *policies;
  const char *const *plans; /* paths */
  const GArray *places;     /* (element-type guint): of plans in the session's list, from 1 */
  guint n_cores;            /* 0: the default */
  guint n_runs;             /* 0: the default */
  gboolean is_forced;
} GobanMeasureWords;

/* The line of Lua that measures and shows the result: assert(measure.run{ ... }):show().
 * (transfer full) */
char *goban_log_measure (const GobanMeasureWords *self) G_GNUC_WARN_UNUSED_RESULT;
