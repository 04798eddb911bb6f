/* moment-export.h: records of decisions as JSON and CSV, a moment a line.
 *
 * Times are in microseconds, entropies in nats. Devices and nodes have their names; unknown values
 * are null, or empty in CSV. Documented in goban-cli(1).
 */
#pragma once

#include "engine/study/run/run.h"

/* %NULL if the run has no record. (transfer full) (nullable) */
char *goban_moments_to_json (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
char *goban_moments_to_csv (GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;

/* CSV if @path ends in ".csv", else JSON. %FALSE with %GOBAN_ERROR_INVALID set if the run has no
 * record, or %GOBAN_ERROR_IO. */
gboolean goban_decisions_save (GobanRun *run, const char *path, GError **error);
