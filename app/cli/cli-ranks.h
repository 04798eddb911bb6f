/* cli-ranks.h: verbs whose work several processes share, as mpirun has started them.
 *
 * Only rank 0 prints and writes files. The messages of another rank are printed by rank 0, with the
 * rank's number, when that rank fails.
 */
#pragma once

#include "app/cli/cli.h"
#include "engine/core/ranks/ranks.h"

/* Runs the verb, in a job with the other processes if there are any. Returns the exit code. */
int goban_cli_run_in_ranks (const GobanVerb *verb, int argc, char **argv);

/* The job of the verb that runs. (nullable): %NULL for one process alone. Borrowed. */
GobanRanks *goban_cli_get_ranks (void);
gboolean goban_cli_is_first_rank (void);
