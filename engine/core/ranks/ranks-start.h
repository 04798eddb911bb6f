/* ranks-start.h: the job that this process was started as a rank of, if mpirun or srun has started
 * it.
 *
 * Their variables of the environment say so. Without them nothing is loaded.
 */
#pragma once

#include "engine/core/ranks/ranks.h"

/* Number of processes that the environment speaks of; 1 without any. */
guint goban_ranks_count_started (void);

/**
 * goban_ranks_start:
 * @progress: (nullable): as for goban_ranks_new()
 * @ranks: (out) (nullable): %NULL for a process alone
 *
 * Loads the module with MPI (the variable GOBAN_MPI_MODULE names another file), begins, and divides
 * the processors of a machine among its ranks. Once, in the main thread.
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED set if the process is one of several and there is
 *   no module
 */
gboolean goban_ranks_start (const GobanProgress *progress, GobanRanks **ranks, GError **error);
