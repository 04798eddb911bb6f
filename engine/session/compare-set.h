/* compare-set.h: the runs of a session that are compared side by side, and the options of the
 * comparison.
 *
 * A GObject of the main thread; a session owns one. Up to four runs of the session's list; the
 * first is the reference for the others. Two of them are the pair, for which there is a difference.
 * Mouse, keys and Lua change the set by the same calls; each change emits "log" with a line of Lua,
 * which the session forwards.
 *
 * A run that is removed from the list is removed from the set, and returns to its place if an undo
 * restores it. A run that an edit or another cluster replaces is replaced here, too. Neither is
 * logged, because the command that caused it was.
 *
 * An empty set is closed.
 *
 * Properties: "open" (boolean: the window shows the comparison), "runs" (pointer, GPtrArray of
 *   GobanRun), "pair" (pointer), "mode" (int), "unchanged" (int), "min-change" (double), "sync"
 *   (uint), "scales" (boolean: own ones), "lanes" (boolean: all), "difference" (pointer, nullable).
 * Signal: "log" (const char *lua).
 */
#pragma once

#include "engine/analysis/difference.h"
#include "engine/session/state.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GOBAN_COMPARE_MAX 4

#define GOBAN_TYPE_COMPARE_SET (goban_compare_set_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareSet, goban_compare_set, GOBAN, COMPARE_SET, GObject)

typedef enum
{
  GOBAN_COMPARE_SIDE,       /* a pane each */
  GOBAN_COMPARE_OVERLAY,    /* the pair in one pane, each node split into two halves */
  GOBAN_COMPARE_BLINK,      /* the second of the pair in one pane; the first while a key is held */
  GOBAN_COMPARE_DIFFERENCE, /* only the differences within the pair */
  GOBAN_N_COMPARE_MODES
} GobanCompareMode;

/* Display of nodes that are the same in both runs of the pair. */
typedef enum
{
  GOBAN_UNCHANGED_SHOW, /* except in the mode DIFFERENCE, which dims them */
  GOBAN_UNCHANGED_DIM,
  GOBAN_UNCHANGED_HIDE,
  GOBAN_N_UNCHANGED
} GobanUnchanged;

/* State shared by the panes. */
typedef enum
{
  GOBAN_SYNC_VIEW = 1 << 0,
  GOBAN_SYNC_TIME = 1 << 1,
  GOBAN_SYNC_SELECTION = 1 << 2,
  GOBAN_SYNC_ALL = 7
} GobanSync;

/* Options of the comparison. */
typedef struct
{
  GobanCompareMode mode;
  GobanUnchanged unchanged;
  GobanSync sync;
  double min_change_us;
  gboolean has_own_scales; /* a colour ramp for each plan, else one for all */
  gboolean has_all_lanes;  /* the timeline shows links and memory, too */
} GobanCompareLooks;

GobanCompareLooks goban_compare_looks_usual (void);

/* Names in scripts: "side", "overlay", "blink", "difference"; "show", "dim", "hide". find: %FALSE
 * if there is no such name. */
const char *goban_compare_mode_name (GobanCompareMode mode);
gboolean goban_compare_mode_find (const char *name, GobanCompareMode *mode);
const char *goban_unchanged_name (GobanUnchanged unchanged);
gboolean goban_unchanged_find (const char *name, GobanUnchanged *unchanged);

gboolean goban_compare_set_is_open (GobanCompareSet *self);
/* Opens the set. If it has fewer than two runs, it first takes the current run and the run it was
 * edited from, else the best other one with another makespan. Without a plan it stays closed. */
void goban_compare_set_open (GobanCompareSet *self);
void goban_compare_set_close (GobanCompareSet *self);

/* The chosen runs that are in the list, in order; possibly 0 or 1. */
guint goban_compare_set_get_n_runs (GobanCompareSet *self);
GobanRun *goban_compare_set_get_run (GobanCompareSet *self, guint i);
/* The index of @run in the set; -1 if it is not a member. */
int goban_compare_set_find (GobanCompareSet *self, GobanRun *run);

/* Replaces the members by @runs, at most GOBAN_COMPARE_MAX different runs of the session's list,
 * and opens the set; closes it if @n is 0. The pair is kept if both are still members, else it is
 * the first two. */
void goban_compare_set_show (GobanCompareSet *self, GobanRun *const *runs, guint n);
/* Replaces member @i by @run; if @run is a member already, the two change places. */
void goban_compare_set_replace (GobanCompareSet *self, guint i, GobanRun *run);

/* The indices of the pair; %FALSE if there are fewer than two members. */
gboolean goban_compare_set_get_pair (GobanCompareSet *self, guint *before, guint *after);
void goban_compare_set_set_pair (GobanCompareSet *self, guint before, guint after);
/* The two of the pair change places. */
void goban_compare_set_swap (GobanCompareSet *self);

GobanCompareMode goban_compare_set_get_mode (GobanCompareSet *self);
void goban_compare_set_set_mode (GobanCompareSet *self, GobanCompareMode mode);
GobanUnchanged goban_compare_set_get_unchanged (GobanCompareSet *self);
void goban_compare_set_set_unchanged (GobanCompareSet *self, GobanUnchanged unchanged);
GobanSync goban_compare_set_get_sync (GobanCompareSet *self);
void goban_compare_set_set_sync (GobanCompareSet *self, GobanSync sync);

/* Time differences below this are ignored; 100 us by default. */
double goban_compare_set_get_min_change_us (GobanCompareSet *self);
void goban_compare_set_set_min_change_us (GobanCompareSet *self, double min_change_us);

gboolean goban_compare_set_get_own_scales (GobanCompareSet *self);
void goban_compare_set_set_own_scales (GobanCompareSet *self, gboolean has_own_scales);
gboolean goban_compare_set_get_all_lanes (GobanCompareSet *self);
void goban_compare_set_set_all_lanes (GobanCompareSet *self, gboolean has_all_lanes);

/* The pair's difference. If it is missing, a worker starts to compute it, and "difference" is
 * notified when it is done. After a change of the threshold, the old one is returned until then.
 * Borrowed, (nullable). */
GobanDifference *goban_compare_set_get_difference (GobanCompareSet *self);
/* Whether a worker is computing the difference. */
gboolean goban_compare_set_is_comparing (GobanCompareSet *self);
/* Computes the difference synchronously: 20 ms at 80,000 nodes. %NULL with %GOBAN_ERROR_INVALID set
 * if there is none. */
GobanDifference *goban_compare_set_make_difference (GobanCompareSet *self, GError **error);

/* All options at once. */
GobanCompareLooks goban_compare_set_get_looks (GobanCompareSet *self);

/* Restores the state from a session file, without logging. @runs: of the list; @pair: indices into
 * them. */
void goban_compare_set_restore_looks (GobanCompareSet *self, const GobanCompareLooks *looks);
void goban_compare_set_restore (GobanCompareSet *self, GobanRun *const *runs, guint n,
                                const guint pair[2], gboolean is_open);

/* --- for the session that owns it ------------------------------------------------------------- */

/* @runs: the session's list, which outlives it. (transfer full) */
GobanCompareSet *goban_compare_set_new (GListModel *runs) G_GNUC_WARN_UNUSED_RESULT;
/* To be called after the session has changed from @last to @next and has updated its list. */
void goban_compare_set_follow (GobanCompareSet *self, const GobanState *last, GobanState *next);
/* Drops everything that belongs to one graph, and closes. */
void goban_compare_set_reset (GobanCompareSet *self);

G_END_DECLS
