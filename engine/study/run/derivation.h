/* derivation.h: the change and the Lua expression that made a run of a derived graph.
 *
 * A derived graph is made from another one, such as that of a pipeline. Kept with its run
 * (goban_run_keep_derived()); a run that is simulated again has none. Any thread.
 */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct
{
  char *name; /* display name of the change: "make a pipeline" */
  char *code; /* of the open graph g: "g:pipeline{ micro_batches = 8 }" */
} GobanDerivation;

/* Copies both. A run keeps the first. */
void goban_run_set_derivation (GobanRun *run, const char *name, const char *code);
/* (nullable), borrowed from the run. */
const GobanDerivation *goban_run_get_derivation (GobanRun *run);

G_END_DECLS
