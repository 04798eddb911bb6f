/* schedule-private.h: data layout of a schedule, and the passes that another one waits for. */
#pragma once

#include "engine/machine/parallel/schedule.h"

struct _GobanSchedule
{
  GobanScheduleShape shape;
  gboolean splits_backward;
  gboolean is_asynchronous;
  gboolean has_messages; /* sends and receives are among the passes */
  GArray **ranks;        /* (n_ranks) of GobanStagePass */
  guint *n_copies;       /* (n_stages) (nullable), that of the shape */
  guint *rank_of;        /* (n_stages) of the first copy */
  const char *origin;    /* borrowed; begins messages while the passes are checked, else NULL */
  gboolean is_older;     /* how messages name passes */
};

/* "2B7", as newer files of torch.distributed.pipelining have it or as older ones; (transfer
 * full). */
char *goban_stage_pass_dup_name (const GobanStagePass *pass,
                                 gboolean is_older) G_GNUC_WARN_UNUSED_RESULT;
