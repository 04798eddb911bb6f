/* timeline-scene.h: scene of a run's timeline: lanes of slices, as plain arrays.
 *
 * For every device a lane of ops, a staircase of its memory, and a lane for each other device it
 * sends to. Made from a trace or filled by hand; owns its arrays; not changed while it is painted
 * or hit-tested. Any thread.
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/session/lanes.h"
#include "engine/sim/trace.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

/* Data of ops that depend on the graph only, shared by scenes. Atomically counted, immutable. */
typedef struct
{
  GobanGraph *graph;
  const char **names; /* (n_nodes): labels of slices; the strings are the graph's */
  guint8 *families;   /* (n_nodes): GobanOpFamily */
} GobanSliceWords;

GobanSliceWords *goban_slice_words_ref (GobanSliceWords *self);
void goban_slice_words_unref (GobanSliceWords *self);

#define GOBAN_NO_TRANSFER G_MAXUINT32
#define GOBAN_NO_LANE G_MAXUINT32

typedef enum
{
  GOBAN_LANE_DEVICE,
  GOBAN_LANE_MEMORY,
  GOBAN_LANE_LINK,
} GobanLaneKind;

/* Whether a device has sub-rows, and whether any is shown. */
typedef enum
{
  GOBAN_FOLD_NONE,
  GOBAN_FOLD_CLOSED,
  GOBAN_FOLD_OPEN,
} GobanFold;

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

/* How a lane scrolls, and its heading; timeline-layout.c sets it. */
typedef struct
{
  gboolean is_stuck;      /* scrolls no further than from least_y to most_y, over other lanes */
  double least_y, most_y; /* if it is stuck; design pixels */
  gboolean is_pinned;
  GobanFold fold;
} GobanLanePlace;

typedef struct
{
  GobanLaneKind kind;
  GobanDeviceId device;
  GobanDeviceId peer; /* the receiver of a link's lane */
  char *id;           /* (nullable) "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": stored in views */
  char *name;         /* "gpu:0", "memory", "→ gpu:1" */
  char *detail;       /* "79 %", "11.2 GB", "48 MB" */
  GobanSlice *slices; /* (n_slices) row by row, by start within a row, never overlapping there */
  guint n_slices;
  guint n_rows;
  guint32 *row_first; /* (n_rows + 1) into slices */
  GobanMemoryPoint *points;
  guint n_points;
  double busy; /* share of the makespan that a device computes; NAN: unknown */
  double peak_bytes;
  double capacity_bytes; /* INFINITY: unlimited */
  const guint16 *levels; /* (nullable): used in place of the scene's; owned by others */
  double y;              /* design pixels from the first lane's top */
  double height;         /* 0 if the lane is hidden */
  GobanLanePlace place;
} GobanLane;

/* Its y if the lanes are scrolled by @scroll_y, in design pixels. */
double goban_lane_get_top (const GobanLane *self, double scroll_y);

/* Copies the slices, given in any order, into the smallest number of rows without overlaps. */
void goban_lane_set_slices (GobanLane *self, const GobanSlice *slices, guint n_slices);

/* The row that a slice is in. */
guint goban_lane_row_of (const GobanLane *self, guint slice);

/* For a memory lane: its last point at or before a time, n_points if there is none; and the memory
 * in use then. */
guint goban_lane_find_point (const GobanLane *self, double time_us);
double goban_lane_get_bytes (const GobanLane *self, double time_us);

/* The first slice of lane.slices[first..end) that finishes after @time_us: O(log n). */
guint goban_lane_find (const GobanLane *self, guint row, double time_us);

/* Number of steps of the value ramp; the level after them is for unknown values. */
#define GOBAN_RAMP_LEVELS 256

/* Position of an op or a transfer; lane GOBAN_NO_LANE: none. */
typedef struct
{
  guint32 lane;
  guint32 slice; /* into the lane's slices */
} GobanSlicePlace;

/* A plan under construction. */
typedef struct
{
  char *note;        /* (nullable) "175 of 313", the ops that are decided; NULL: a whole run */
  const char *times; /* (nullable): whose times those of the ops are; translated */
  double so_far_us;  /* the end of what is decided */
  GobanSelection *decided; /* (nullable): by the shown decision */
} GobanTimelinePartial;

typedef struct
{
  guint n_lanes;
  GobanLane *lanes;
  guint *order; /* (n_lanes) lanes from the top downwards */
  double end_us;
  double height;              /* of all lanes */
  double rows_height;         /* of the visible sub-rows */
  double bar_gap;             /* between bars, which hide what scrolls under them there, too */
  GobanSlicePlace *op_places; /* (n_op_places), found by goban_timeline_scene_find_places() */
  guint n_op_places;
  GobanSlicePlace *transfer_places; /* (n_transfer_places) */
  guint n_transfer_places;
  char *title;
  char *subtitle;
  GobanTimelinePartial partial;
  /* (nullable) (n_nodes): labels of slices, those of words or the caller's */
  const char *const *names;
  GobanSliceWords *words; /* (nullable) */
  double *bytes;          /* (nullable) (n_transfers): sizes of the tensors */
  /* (nullable) (n_nodes) 0..GOBAN_RAMP_LEVELS: colours ops instead of their devices */
  guint16 *levels;
  guint n_levels; /* size of levels */
} GobanTimelineScene;

/* A scene with zeroed lanes, to be filled with goban_lane_set_slices(), then arranged. */
GobanTimelineScene *goban_timeline_scene_new_empty (guint n_lanes) G_GNUC_WARN_UNUSED_RESULT;
/* A scene of a trace; a run that could not start gives lanes without slices. */
GobanTimelineScene *goban_timeline_scene_new (GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* Copies the positions of the lanes from a scene with the same ones. */
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

/* The part of the lanes' height, in design pixels, in which lanes scroll: above and below it are
 * stuck bars. */
typedef struct
{
  double from_y;
  double to_y;
} GobanScrolled;

typedef enum
{
  GOBAN_PART_TOP,
  GOBAN_PART_SCROLLED,
  GOBAN_PART_BOTTOM,
  GOBAN_N_PARTS,
} GobanPart;

/* @scroll_y: in design pixels */
GobanScrolled goban_timeline_scene_get_scrolled (const GobanTimelineScene *self, double scroll_y);
/* The part that shows a lane whose top is @y. */
GobanPart goban_scrolled_get_part (const GobanScrolled *self, const GobanLane *lane, double y);

/* Finds the positions of ops and transfers, unless they are known. */
void goban_timeline_scene_find_places (GobanTimelineScene *self);
/* The lane of a device's ops, or GOBAN_NO_LANE. */
guint goban_timeline_scene_find_device (const GobanTimelineScene *self, guint device);
/* No lane if it did not run. */
GobanSlicePlace goban_timeline_scene_find_op (const GobanTimelineScene *self, GobanNodeId node);
GobanSlicePlace goban_timeline_scene_find_transfer (const GobanTimelineScene *self,
                                                    guint32 transfer);
/* GOBAN_NO_LANE if there is none. */
guint goban_timeline_scene_find_lane (const GobanTimelineScene *self, const char *id);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTimelineScene, goban_timeline_scene_free)

/* Distance from bar to bar. */
#define GOBAN_BAR_LEAST_PITCH 12.0
#define GOBAN_BAR_MOST_PITCH 44.0
/* In a picture without a height of its own, such as a file. */
#define GOBAN_BAR_PITCH 28.0
#define GOBAN_BAR_STRIP_PITCH 8.0
/* So many bars are never scrolled. */
#define GOBAN_BARS_IN_SIGHT 8

/* Height of the bars of @n_devices without the axis: at its least, all of them or the first eight
 * are visible. @is_roomy: more is wanted, if the picture above can spare it. */
double goban_bars_get_least_height (guint n_devices);
double goban_bars_get_wanted_height (guint n_devices, gboolean is_roomy);

/* Computes positions and heights of the lanes, and the positions of ops and transfers. @lanes:
 * (nullable): all sub-rows are open. @room: height for all lanes; INFINITY: as high as they are. */
void goban_timeline_scene_arrange (GobanTimelineScene *self, const GobanLanes *lanes, double room);

/* A scene of a trace with lanes for the links of @other as well, so that both can be shown in one
 * picture: both clusters must have the same devices. Or with given lanes (element-type GobanLane).
 * @words: known words of its graph. All but @trace are (nullable). */
GobanTimelineScene *
goban_timeline_scene_new_for_lanes (GobanTrace *trace, GobanTrace *other, const GArray *lanes,
                                    GobanSliceWords *words) G_GNUC_WARN_UNUSED_RESULT;
/* The same with the lanes of @like, at the same positions. */
GobanTimelineScene *
goban_timeline_scene_new_like (GobanTrace *trace,
                               const GobanTimelineScene *like) G_GNUC_WARN_UNUSED_RESULT;
/* The same in parts, for workers without access to @like: the lanes of @like without their slices
 * (element-type GobanLane), for goban_timeline_scene_new_for_lanes(); then
 * goban_timeline_scene_follow(). */
GArray *goban_timeline_scene_dup_lanes (const GobanTimelineScene *self) G_GNUC_WARN_UNUSED_RESULT;
/* The lanes that goban_timeline_scene_new_for_lanes() makes. */
GArray *goban_timeline_list_lanes (const GobanTrace *trace,
                                   const GobanTrace *other) G_GNUC_WARN_UNUSED_RESULT;

/* Leaves only the ops that are decided at the last step of @run, whose steps are choices
 * (goban_run_is_unfinished()). @self: a scene of its trace. */
void goban_timeline_scene_keep_decided (GobanTimelineScene *self, GobanRun *run);

/* A scene of @run; if it @is_step and its steps are choices, with what is decided alone. */
GobanTimelineScene *goban_timeline_scene_new_of_step (GobanRun *run,
                                                      gboolean is_step) G_GNUC_WARN_UNUSED_RESULT;
