/* timeline-scene.h: scene of a run's timeline: lanes of slices, as plain arrays.
 *
 * For every device a lane of ops, a staircase of its memory, and a lane for each other device it
 * sends to. Made from a trace or filled by hand; owns its arrays; not changed while it is painted
 * or hit-tested. Any thread.
 */
#pragma once

#include "engine/analysis/node-values.h"
#include "engine/sim/trace.h"

G_BEGIN_DECLS

#define GOBAN_NO_TRANSFER G_MAXUINT32
#define GOBAN_NO_LANE G_MAXUINT32

/* Number of steps of the value ramp; the level after them is for unknown values. */
#define GOBAN_RAMP_LEVELS 256

typedef enum
{
  GOBAN_LANE_DEVICE,
  GOBAN_LANE_MEMORY,
  GOBAN_LANE_LINK,
} GobanLaneKind;

typedef struct
{
  double start_us;
  double finish_us;
  GobanNodeId node; /* the op, or the producer of the sent tensor */
  guint32 transfer; /* index in the trace, or GOBAN_NO_TRANSFER */
  guint16 device;   /* device of the op, or the receiver; gives the colour */
  guint8 family;    /* GobanOpFamily of the node */
  guint8 is_critical;
} GobanSlice;

typedef struct
{
  GobanLaneKind kind;
  GobanDeviceId device;
  GobanDeviceId peer; /* the receiver of a link's lane */
  char *id;           /* (nullable) "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": stored in views */
  char *name;         /* "gpu:0", "memory", "to gpu:1" */
  char *detail;       /* "79 %", "11.2 / 16 GB", "48 MB" */
  GobanSlice *slices; /* (n_slices) row by row, by start within a row, never overlapping there */
  guint n_slices;
  guint n_rows;
  guint32 *row_first; /* (n_rows + 1) into slices */
  GobanMemoryPoint *points;
  guint n_points;
  double peak_bytes;
  double capacity_bytes; /* INFINITY: unlimited */
  const guint16 *levels; /* (nullable): used in place of the scene's; owned by others */
  double y;              /* from the first lane's top, design pixels */
  double height;         /* 0 if the lane is hidden */
  gboolean is_hidden;
  gboolean is_pinned; /* fixed at the top; others scroll below it */
} GobanLane;

/* Position of an op or a transfer; lane GOBAN_NO_LANE: none. */
typedef struct
{
  guint32 lane;
  guint32 slice; /* into the lane's slices */
} GobanSlicePlace;

/* Data of ops that depend on the graph only, shared by scenes. Atomically counted, immutable. */
typedef struct
{
  GobanGraph *graph;
  const char **names; /* (n_nodes): labels of slices; the strings are the graph's */
  guint8 *families;   /* (n_nodes): GobanOpFamily */
} GobanSliceWords;

GobanSliceWords *goban_slice_words_new (GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
GobanSliceWords *goban_slice_words_ref (GobanSliceWords *self);
void goban_slice_words_unref (GobanSliceWords *self);

typedef struct
{
  guint n_lanes;
  GobanLane *lanes;
  guint *order; /* (n_lanes) lanes from the top downwards */
  double end_us;
  double height;              /* of all lanes */
  double pinned_height;       /* height of the pinned lanes, which come first */
  GobanSlicePlace *op_places; /* (n_op_places), found by goban_timeline_scene_arrange() */
  guint n_op_places;
  GobanSlicePlace *transfer_places; /* (n_transfer_places) */
  guint n_transfer_places;
  char *title;
  char *subtitle;
  const char *const *names; /* (nullable) (n_nodes): labels of slices, those of words or the
                             caller's */
  GobanSliceWords *words;   /* (nullable) */
  const double *bytes;      /* (nullable) (n_transfers): sizes of the tensors */
  /* (nullable) (n_nodes) 0..GOBAN_RAMP_LEVELS: colours ops instead of their devices */
  guint16 *levels;
  guint n_levels; /* size of levels */
} GobanTimelineScene;

/* A scene with zeroed lanes, to be filled with goban_lane_set_slices(), then arranged. */
GobanTimelineScene *goban_timeline_scene_new_empty (guint n_lanes) G_GNUC_WARN_UNUSED_RESULT;
/* A scene of a trace; a run that could not start gives lanes without slices. */
GobanTimelineScene *goban_timeline_scene_new (GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* The same with lanes for the links of @other as well, so that both can be shown in one picture.
 * Both clusters must have the same devices. */
GobanTimelineScene *goban_timeline_scene_new_with (GobanTrace *trace,
                                                   GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;
/* The same with known words of its graph, or given lanes (element-type GobanLane). All but @trace
 * are (nullable). */
GobanTimelineScene *
goban_timeline_scene_new_knowing (GobanTrace *trace, GobanTrace *other, const GArray *lanes,
                                  GobanSliceWords *words) G_GNUC_WARN_UNUSED_RESULT;
/* The same with the lanes of @like, at the same positions. */
GobanTimelineScene *
goban_timeline_scene_new_like (GobanTrace *trace,
                               const GobanTimelineScene *like) G_GNUC_WARN_UNUSED_RESULT;
/* The same in parts, for workers without access to @like: the lanes of @like without their slices
 * (element-type GobanLane); a scene with these; and the positions of the lanes, copied from a scene
 * with the same ones. */
GArray *goban_timeline_scene_dup_lanes (const GobanTimelineScene *self) G_GNUC_WARN_UNUSED_RESULT;
/* The lanes that goban_timeline_scene_new_with() has. */
GArray *goban_timeline_list_lanes (const GobanTrace *trace,
                                   const GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;
GobanTimelineScene *goban_timeline_scene_new_in (GobanTrace *trace,
                                                 const GArray *lanes) G_GNUC_WARN_UNUSED_RESULT;
void goban_timeline_scene_follow (GobanTimelineScene *self, const GobanTimelineScene *like);
/* Gives a scene the lanes of another with the same devices, at the same positions if that has
 * any. Lanes that this scene lacks are added empty; lanes that @like lacks are dropped, so they
 * must be empty. */
void goban_timeline_scene_relane (GobanTimelineScene *self, const GobanTimelineScene *like);
void goban_timeline_scene_free (GobanTimelineScene *self);

/* A step of the ramp for every node, GOBAN_RAMP_LEVELS if its value is unknown. (transfer full) */
guint16 *goban_timeline_levels_new (const GobanNodeValues *values) G_GNUC_WARN_UNUSED_RESULT;
/* Colours ops by their values; by device if @values is NULL. Not while it is painted. */
void goban_timeline_scene_set_values (GobanTimelineScene *self, const GobanNodeValues *values);

/* Copies the slices, given in any order, into the smallest number of rows without overlaps. */
void goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices);

/* Visibility and order of lanes: lists of ids, all (nullable); unknown ids are ignored. */
typedef struct
{
  const char *const *pinned; /* at the top, in this order */
  const char *const *hidden;
  const char *const *order; /* these first, in this order; a device moves without its other lanes */
} GobanLaneWishes;

/* Computes positions and heights of the lanes from their kinds and rows, and the positions of ops
 * and transfers. @wishes: (nullable). */
void goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLaneWishes *wishes);

/* No lane if it did not run. */
GobanSlicePlace goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node);
GobanSlicePlace goban_timeline_scene_find_transfer (const GobanTimelineScene *self,
                                                    guint32 transfer);
/* GOBAN_NO_LANE if there is none. */
guint goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id);
/* The row that a slice is in. */
guint goban_lane_row_of (const GobanLane *self, guint slice);

/* For a memory lane: its last point at or before a time, n_points if there is none; and the memory
 * in use then. */
guint goban_lane_find_point (const GobanLane *self, double time_us);
double goban_lane_get_bytes (const GobanLane *self, double time_us);

/* The first slice of lane.slices[first..end) that finishes after @time_us: O(log n). */
guint goban_lane_find (const GobanLane *self, guint row, double time_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTimelineScene, goban_timeline_scene_free)

G_END_DECLS
