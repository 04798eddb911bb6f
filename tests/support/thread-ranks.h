/* thread-ranks.h: ranks of a job as threads of the test, so that no MPI is needed. */
#pragma once

#include "engine/core/ranks/ranks.h"

typedef void (*ThreadRankFunc) (GobanRanks *ranks, gpointer data);

/* Calls @func once for each of @size ranks, each in a thread, and waits for all. */
void thread_ranks_run (guint size, ThreadRankFunc func, gpointer data);

/* All waits end: as when mpirun has noticed a dead rank. */
void thread_ranks_stop_waits (gboolean are_stopped);
