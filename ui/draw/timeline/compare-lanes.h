/* compare-lanes.h: two runs as lanes over time, the second of each device below the first.
 *
 * Of two graphs, devices are paired by number, and the nodes of the first run's graph are numbered
 * after those of the second.
 *
 * The first is the ghost of the second, too. Below each device's pair are those of its memory and
 * of what it sends, in the same order, where they are shown. Owns all it has; any thread.
 */
#pragma once

#include "ui/draw/timeline/timeline-painter.h"

/* An idle gap of a device in the first run, during which it was busy all the time in the second. */
typedef struct
{
  guint lane; /* of the first run */
  double from_us;
  double to_us;
} GobanVanishedGap;

typedef struct
{
  /* lane 2 i is a device, its memory or a link of the first run, lane 2 i + 1 the same of the
   * second */
  GobanTimelineScene *scene;
  GobanTimelineScene *ghost; /* the first run in the lanes of the second */
  GArray *gaps;              /* GobanVanishedGap, of devices, by lane and time */
  guint16 *levels;           /* (nullable): colours of the ops of the first run */
  guint first_node;          /* of the first run's graph in the lanes; 0: both are of one graph */
  guint n_first_nodes;       /* of that graph */
  GobanSliceWords *first_words; /* (nullable) of that graph, if it is another one ... */
  const char **names;           /* ... and the labels of both */
} GobanCompareLanes;

/**
 * goban_compare_lanes_new:
 * @before: a trace with ops
 * @after: of a cluster with the same devices, or of another graph
 * @min_gap_us: shorter gaps are ignored
 *
 * O(N log N). Lanes of devices are shown, the others are not.
 *
 * Returns: (transfer full)
 */
GobanCompareLanes *goban_compare_lanes_new (GobanTrace *before, GobanTrace *after,
                                            double min_gap_us) G_GNUC_WARN_UNUSED_RESULT;
void goban_compare_lanes_free (GobanCompareLanes *self);

/* Shows or hides lanes of memory and links. Lanes of devices alone shrink to @room design pixels,
 * down to their least height, so that all devices are in sight. Not while it is painted. */
void goban_compare_lanes_arrange (GobanCompareLanes *self, gboolean has_all_lanes, double room);
/* Colours ops by their values in either run; by device if they are NULL. Not while it is
 * painted. */
void goban_compare_lanes_set_values (GobanCompareLanes *self, const GobanNodeValues *before,
                                     const GobanNodeValues *after);

/* @picture: scene and ghost are taken from @self. */
void goban_compare_lanes_paint (const GobanCompareLanes *self, const GobanTimelinePicture *picture,
                                GobanPen *pen);

/* "Timeline of heft, 182.4 ms, above metis, 241.0 ms; 12 gaps of the first, 3.4 ms in all, are gone
 * in the second." (transfer full) */
char *goban_compare_lanes_describe (const GobanCompareLanes *self, const char *before,
                                    const char *after) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCompareLanes, goban_compare_lanes_free)
