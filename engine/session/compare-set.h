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

#include "engine/session/difference.h"
#include "engine/session/state.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define GOBAN_COMPARE_MAX 4

#define GOBAN_TYPE_COMPARE_SET (goban_compare_set_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareSet, goban_compare_set, GOBAN, COMPARE_SET, GObject)

typedef enum
{
  GOBAN_COMPARE_SIDE,       /* a pane each */
  GOBAN_COMPARE_OVERLAY,    /* the pair in one pane, each node in two halves */
  GOBAN_COMPARE_BLINK,      /* the second of the pair in one pane, the first while a key is held */
  GOBAN_COMPARE_DIFFERENCE, /* what differs within the pair alone */
  GOBAN_N_COMPARE_MODES
} GobanCompareMode;

/* What becomes of nodes that the pair has alike. */
typedef enum
{
  GOBAN_UNCHANGED_SHOW, /* but in the mode of differences, if it is the same as the next */
  GOBAN_UNCHANGED_DIM,
  GOBAN_UNCHANGED_HIDE,
  GOBAN_N_UNCHANGED
} GobanUnchanged;

/* What panes share. */
typedef enum
{
  GOBAN_SYNC_VIEW = 1 << 0,
  GOBAN_SYNC_TIME = 1 << 1,
  GOBAN_SYNC_SELECTION = 1 << 2,
  GOBAN_SYNC_ALL = 7
} GobanSync;

/* How it is looked at, as values. */
typedef struct
{
  GobanCompareMode mode;
  GobanUnchanged unchanged;
  GobanSync sync;
  double min_change_us;
  gboolean has_own_scales; /* of numbers that fill nodes: a ramp for each plan, else one for all */
  gboolean has_all_lanes;  /* of the timeline: links and memory too */
} GobanCompareLooks;

GobanCompareLooks goban_compare_looks_usual (void);

/* Words as scripts have them: "side", "overlay", "blink", "difference"; "show", "dim", "hide". find: %FALSE if there is
 * none such. */
const char *goban_compare_mode_name (GobanCompareMode mode);
gboolean goban_compare_mode_find (const char *name, GobanCompareMode *mode);
const char *goban_unchanged_name (GobanUnchanged unchanged);
gboolean goban_unchanged_find (const char *name, GobanUnchanged *unchanged);

gboolean goban_compare_set_is_open (GobanCompareSet *self);
/* Opening a set of fewer than two runs first takes two that are worth it: the current one, and what it was made from by
 * the last edit, else the best other one that takes another time. Without a plan it stays closed. */
void goban_compare_set_open (GobanCompareSet *self);
void goban_compare_set_close (GobanCompareSet *self);

/* Those that are in the list, in order; none, one if the others have gone, or more. */
guint goban_compare_set_get_n_runs (GobanCompareSet *self);
GobanRun *goban_compare_set_get_run (GobanCompareSet *self, guint i);
/* The place of @run in the set; -1 if it is not there. */
int goban_compare_set_find (GobanCompareSet *self, GobanRun *run);

/* Takes these, at most GOBAN_COMPARE_MAX, each once and all of the session's list, and opens the set; closes it if they are none. The pair stays if both of it
 * do, else it is the first two. */
void goban_compare_set_show (GobanCompareSet *self, GobanRun *const *runs, guint n);
/* Puts another run in the place of one. One that is there already changes places with it. */
void goban_compare_set_replace (GobanCompareSet *self, guint i, GobanRun *run);

/* The places of the two that differences are of; %FALSE if there are not two. */
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

/* From when on a node's time has changed; 100 us unless told. */
double goban_compare_set_get_min_change_us (GobanCompareSet *self);
void goban_compare_set_set_min_change_us (GobanCompareSet *self, double min_change_us);

gboolean goban_compare_set_get_own_scales (GobanCompareSet *self);
void goban_compare_set_set_own_scales (GobanCompareSet *self, gboolean has_own_scales);
gboolean goban_compare_set_get_all_lanes (GobanCompareSet *self);
void goban_compare_set_set_all_lanes (GobanCompareSet *self, gboolean has_all_lanes);

/* The pair's difference. Asking for it has a worker make it if it is not there, and "difference" says when it is. After a change
 * of the threshold it is the one before until then. Borrowed, (nullable). */
GobanDifference *goban_compare_set_get_difference (GobanCompareSet *self);
/* Whether a worker makes it. */
gboolean goban_compare_set_is_comparing (GobanCompareSet *self);
/* The same, at once: 20 ms at 80,000 nodes. %NULL with %GOBAN_ERROR_INVALID set if there is none. */
GobanDifference *goban_compare_set_make_difference (GobanCompareSet *self, GError **error);

/* All of how it is looked at. */
GobanCompareLooks goban_compare_set_get_looks (GobanCompareSet *self);

/* What a file says; nothing is logged, for the file has been. @runs: of the list; @pair: places in them. */
void goban_compare_set_restore_looks (GobanCompareSet *self, const GobanCompareLooks *looks);
void goban_compare_set_restore (GobanCompareSet *self, GobanRun *const *runs, guint n,
                                const guint pair[2], gboolean is_open);

/* --- for the session that owns it ------------------------------------------------------------- */

/* @runs: the session's list, which outlives it. (transfer full) */
GobanCompareSet *goban_compare_set_new (GListModel *runs) G_GNUC_WARN_UNUSED_RESULT;
/* The session has left @last for @next, and its list is @next's already. */
void goban_compare_set_follow (GobanCompareSet *self, const GobanState *last, GobanState *next);
/* Forgets what is of one graph alone, and closes. */
void goban_compare_set_reset (GobanCompareSet *self);

G_END_DECLS
