/* compare-marks.h: difference marks of the items of an outline.
 *
 * Moved and re-fused nodes are always marked. Priorities and times are marked only if they are
 * exceptions: a change of more than half of the graph is stated once, as text. Immutable; made in
 * any thread.
 */
#pragma once

#include "engine/session/compare-looks.h"
#include "engine/session/compare-set.h"
#include "engine/study/analysis/difference/difference.h"
#include "ui/draw/graph/graph-scene.h"

/* Bits of an item, besides 1 << GobanChange: the direction of a change of priority. */
enum
{
  GOBAN_MARK_SOONER = 1 << GOBAN_N_CHANGES,
  GOBAN_MARK_LATER = 1 << (GOBAN_N_CHANGES + 1),
};

typedef struct
{
  guint n_items;
  guint8 *kinds;                  /* (n_items) bits of the marks */
  guint32 *n_changed;             /* (n_items) its marked nodes, not counting changes of time */
  guint32 *n_moved;               /* (n_items) */
  guint n_graph;                  /* nodes of the graph ... */
  guint n_nodes[GOBAN_N_CHANGES]; /* ... and the number of them with that change, marked or not */
  guint n_sooner;
  guint n_later;
  gboolean is_marked[GOBAN_N_CHANGES];
  gboolean has_same_order;
} GobanCompareMarks;

/* @outline: of the difference's graph. O(N). (transfer full) */
GobanCompareMarks *goban_compare_marks_new (const GobanDifference *difference,
                                            const GobanOutline *outline) G_GNUC_WARN_UNUSED_RESULT;
void goban_compare_marks_free (GobanCompareMarks *self);

/* The legend: "▢ 412 moved ▲ 3 more urgent ▼ 9 less urgent ▣ 2 re-fused", with unmarked changes in
 * brackets; "no node differs". @is_brief: the marks alone, several without words; "" for none.
 * (transfer full) */
char *goban_compare_marks_legend (const GobanCompareMarks *self,
                                  gboolean is_brief) G_GNUC_WARN_UNUSED_RESULT;

/* Options for showing them in a graph's picture. */
typedef struct
{
  const GobanCompareMarks *marks; /* of the scene's outline */
  /* (nullable) scene of the same outline, whose devices are drawn at the left of items */
  const GobanGraphScene *other;
  GobanUnchanged unchanged;
} GobanCompareLook;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCompareMarks, goban_compare_marks_free)
