/* record-json.h: record of a policy's decisions as JSON, with names of nodes and devices.
 *
 * One choice, plan or row a line; times in microseconds, null for unknown values.
 */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

/* %NULL if the run has no record. (transfer full) (nullable) */
char *goban_record_to_json (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
