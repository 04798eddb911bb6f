/* bench-journal.h: journal of a bench: finished cells as lines of JSON, so that a bench can be
 * resumed.
 *
 * One line per cell, written at once when the cell is finished: after a crash every line in the
 * file is complete but for a torn last one, which is dropped. A cell is found again by all that
 * decides it: graph, its hash, cluster, policy, seed, budget, tasks, fusion, the program's version.
 * Any thread may use a journal; one process at a time holds the file.
 *
 * Decision A6 (app/NOTES.md).
 */
#pragma once

#include "engine/machine/plan/improvement.h"
#include "engine/machine/plan/task.h"

typedef enum
{
  GOBAN_CELL_VALID,
  GOBAN_CELL_OUT_OF_MEMORY,
  GOBAN_CELL_INVALID, /* the plan breaks another rule */
  GOBAN_CELL_FAILED,  /* the policy gave no plan */
  GOBAN_N_CELL_STATES,
} GobanCellState;

/* Result of one policy on one graph with one seed. Either zeroed, or filled by a function that says
 * so; then to be cleared. */
typedef struct
{
  GobanCellState state;
  const char *why;        /* "" if it is valid; interned */
  double makespan_us;     /* NAN if there is none */
  double bound_us;        /* lower bound of all plans; NAN if there is none */
  double proven_bound_us; /* lower bound that the policy has proven; 0: none */
  gboolean is_fused;      /* the plan fuses ops; the bound is then that of fused plans */
  guint64 evaluations;
  GArray *improvements; /* (nullable) a reference: of GobanImprovement, the learning curve */
  double seconds;
} GobanBenchCell;

void goban_bench_cell_clear (GobanBenchCell *cell);
/* Evaluations until the best plan was found; 0 if none is valid, or if the journal is too old to
 * have it. */
guint64 goban_bench_cell_get_best_evaluation (const GobanBenchCell *cell);

/* "improvements": [[1,1810],[7,1070]]: of (evaluation, makespan_us). */
void goban_bench_append_improvements (GString *json, const GArray *improvements);

/* All that a cell is, as text, and back. (transfer full) */
char *goban_bench_cell_to_text (const GobanBenchCell *cell) G_GNUC_WARN_UNUSED_RESULT;
/* %FALSE if @text is not a cell's; else the caller clears it. */
gboolean goban_bench_cell_from_text (const char *text, gsize size, GobanBenchCell *cell);

/* "valid", "oom", "invalid", "failed" */
extern const char *const goban_cell_state_names[GOBAN_N_CELL_STATES + 1];

typedef struct
{
  const char *graph; /* a spec or a path */
  guint64 graph_hash;
  const char *cluster;
  guint64 cluster_hash;
  const char *policy;
  guint64 seed;
  guint64 max_evaluations;
  double max_seconds;
  const char *network_hash; /* (nullable) */
  const char *settings;     /* (nullable) */
  GobanTasks decisions;     /* 0: the default */
  const char *fusion;       /* the requested fusion word */
} GobanBenchKey;

typedef struct _GobanBenchJournal GobanBenchJournal;

/**
 * goban_bench_journal_open:
 * @go_on: resume from the contents of the file; else it must be empty, so that no work is lost
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO set, %GOBAN_ERROR_PARSE
 *   (path:line), or %GOBAN_ERROR_INVALID for a file that holds results, or is in use
 */
GobanBenchJournal *goban_bench_journal_open (const char *path, gboolean go_on,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanBenchJournal *goban_bench_journal_ref (GobanBenchJournal *self);
void goban_bench_journal_unref (GobanBenchJournal *self);

const char *goban_bench_journal_get_path (const GobanBenchJournal *self);
guint goban_bench_journal_get_n_cells (GobanBenchJournal *self);

gboolean goban_bench_journal_has (GobanBenchJournal *self, const GobanBenchKey *key);
/* %FALSE if the journal has no such cell; else the caller clears @cell. */
gboolean goban_bench_journal_find (GobanBenchJournal *self, const GobanBenchKey *key,
                                   GobanBenchCell *cell);
/* %FALSE with %GOBAN_ERROR_IO set. */
gboolean goban_bench_journal_add (GobanBenchJournal *self, const GobanBenchKey *key,
                                  const GobanBenchCell *cell, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBenchJournal, goban_bench_journal_unref)

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanBenchCell, goban_bench_cell_clear)
