/* ranks-private.h: state of a job's processes, shared by ranks.c and work-queue.c. */
#pragma once

#include "engine/core/ranks/ranks.h"

struct _GobanRanks
{
  GobanRanksLink link;
  const GobanProgress *progress;
  GobanRanksTraffic traffic;
  gboolean
      is_over;     /* no call may wait for the others any more: one has failed, or all have ended */
  gboolean is_cut; /* a call was cut short: the others may wait in it for good */
};

/* A call was cut short. %FALSE with %GOBAN_ERROR_CANCELLED set. */
gboolean goban_ranks_cut (GobanRanks *self, GError **error);
