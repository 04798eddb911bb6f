/* run-source.h: sources of runs: all that a run is simulated from, without its trace.
 *
 * The trace is most of a run's memory. Whoever may need a run again much later, such as the
 * history of a session, keeps the source. At most one run of a source exists at a time, so that
 * whoever still has it and whoever asks for it again have the same one. Immutable and
 * reference-counted; any thread.
 */
#pragma once

#include "engine/study/run/run.h"

G_BEGIN_DECLS

typedef struct _GobanRunSource GobanRunSource;

GobanRunSource *goban_run_source_ref (GobanRunSource *self); /* (nullable) */
void goban_run_source_unref (GobanRunSource *self);

/* Borrowed from the run. */
GobanRunSource *goban_run_get_source (GobanRun *run);

/* Renames a run, whose other properties are immutable: a list names the second run of one name. A
 * name read before stays valid; any thread. */
void goban_run_rename (GobanRun *self, const char *name);

/* The run of the source that exists; %NULL if there is none. (transfer full) (nullable) */
GobanRun *goban_run_source_peek_run (GobanRunSource *self) G_GNUC_WARN_UNUSED_RESULT;
/* The same, simulated again if there is none. (transfer full) */
GobanRun *goban_run_source_get_run (GobanRunSource *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunSource, goban_run_source_unref)

G_END_DECLS
