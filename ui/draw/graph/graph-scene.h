/* graph-scene.h: scene of a graph: everything its painter shows, as plain arrays.
 *
 * A scene does not contain the positions of nodes (graph-layout.h) or their appearance
 * (graph-painter.h). It is made from a graph, and a plan or trace if there is one, or filled by
 * hand; it owns its arrays and is not changed while it is painted. Any thread.
 */
#pragma once

#include "engine/sim/trace.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/run.h"
#include "ui/draw/graph/graph-layout.h"
#include "ui/draw/palette.h"

enum
{
  GOBAN_NODE_CRITICAL = 1 << 0,  /* node: on the critical path */
  GOBAN_NODE_CHANGED = 1 << 1,   /* node: changed by the present decision step */
  GOBAN_NODE_UNDECIDED = 1 << 2, /* node: it has no device yet; of a group: none of it has */
  GOBAN_EDGE_CRITICAL = 1 << 0,  /* edge: on the critical path */
  GOBAN_EDGE_CONTROL = 1 << 1,
  GOBAN_EDGE_CUT = 1 << 2, /* edge of items: some of its edges cross devices */
};

typedef struct
{
  const char *name;
  const char *op;
  double time_us; /* NAN: unknown */
  float priority; /* 0..1, by rank among all nodes */
  float value;    /* 0..1 on the ramp of the scene's values, NAN: unknown */
  GobanDeviceId device;
  GobanDeviceId had; /* with GOBAN_NODE_CHANGED: the device before, or GOBAN_NO_DEVICE */
  guint8 family;     /* GobanOpFamily of the op */
  guint8 flags;
} GobanSceneNode;

typedef struct
{
  GobanNodeId tail;
  GobanNodeId head;
  float weight; /* 0..1, by the logarithm of its bytes */
  guint8 flags;
} GobanSceneEdge;

/* Sums over all edges that share a wire of the layout. */
typedef struct
{
  float weight;
  guint8 flags;
} GobanSceneWire;

typedef struct
{
  char *name;
  guint n_nodes;
} GobanSceneDevice;

/* A group, closed or open. */
typedef struct
{
  const char *name;
  guint n_nodes;
  double time_us; /* of all its nodes together; NAN: unknown */
  guint32 n_critical;
  double critical_share; /* of the makespan, that its ops on the critical path take */
  /* (n_shares of the groups) of its time, or of its count if no time is known. Their sum is 1, or
   * less in an unfinished plan: the rest has no device yet */
  float *shares;
} GobanSceneGroup;

/* Groups of a scene with an outline. */
typedef struct
{
  guint n_shares;          /* devices, or families of ops without a plan */
  guint32 *of_node;        /* (n_nodes) into closed, or GOBAN_NO_GROUP; NULL without an outline */
  GobanSceneGroup *closed; /* (n_closed) */
  guint n_closed;
  GobanSceneGroup *hulls; /* (n_hulls) open */
  guint n_hulls;
} GobanSceneGroups;

typedef struct
{
  guint n_nodes;
  guint n_edges;
  guint n_devices; /* 0: no plan; the nodes' devices and priorities are undefined */
  GobanSceneNode *nodes;
  GobanSceneEdge *edges;
  GobanSceneDevice *devices;
  float *critical_us; /* (n_nodes) (nullable): time of ops on the critical path, kernels as one */
  double makespan_us; /* with critical_us */
  guint n_of_family[GOBAN_N_FAMILIES];
  gint32 least_priority; /* the plan's own values, for the legend */
  gint32 most_priority;
  /* (nullable): values that colour nodes instead of devices, goban_graph_scene_set_values() */
  GobanNodeValues *values;
  gboolean has_step; /* some nodes may be GOBAN_NODE_CHANGED */
  char *title;       /* "inception_v3" */
  char *subtitle;    /* "heft, 4 devices, 267.0 ms"; "" if there is nothing to say */
  GobanGraph *graph; /* (nullable): keeps the names alive */
  /* (nullable): if set, nodes and edges are its items and edges; a node that represents a group has
   * its name, its total time, and means and majorities of the rest */
  GobanOutline *outline;
  GobanSceneGroups groups;
  GobanSceneWire *wires; /* (n_wires) of the layout given to goban_graph_scene_wire() */
  guint n_wires;
} GobanGraphScene;

/* An empty scene with zeroed arrays, to be filled by the caller; titles are "". */
GobanGraphScene *goban_graph_scene_new_empty (guint n_nodes, guint n_edges,
                                              guint n_devices) G_GNUC_WARN_UNUSED_RESULT;

/* @costs, @plan and @trace may be NULL; a plan needs costs, for the devices' names; a trace
 * includes both. A plan for another graph is an error of the caller. */
GobanGraphScene *goban_graph_scene_new (GobanGraph *graph, GobanCostModel *costs, GobanPlan *plan,
                                        GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* The same for @trace, if @before is a scene of the same graph under @before_plan (nullable): data
 * of the graph, and equal priorities, are copied. Takes a fifth of the time. */
GobanGraphScene *goban_graph_scene_new_after (const GobanGraphScene *before,
                                              const GobanPlan *before_plan,
                                              GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* A scene of the items of an outline, aggregated from @base. */
GobanGraphScene *goban_graph_scene_new_outlined (const GobanGraphScene *base,
                                                 GobanOutline *outline) G_GNUC_WARN_UNUSED_RESULT;
/* Copies a scene without an outline. */
GobanGraphScene *goban_graph_scene_copy (const GobanGraphScene *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_graph_scene_free (GobanGraphScene *self);

/* Sets the values of all nodes, for items the mean: @values (nullable) are of the scene's graph.
 * Not while it is painted. */
void goban_graph_scene_set_values (GobanGraphScene *self, GobanNodeValues *values);
/* Marks the nodes changed by the last decision of @step, the run of a moment
 * (engine/study/analysis/moments/moment-shown.h), and those that are undecided; (nullable): none,
 * of a scene that had no unfinished one before. Not while it is painted. */
void goban_graph_scene_set_step (GobanGraphScene *self, GobanRun *step);
/* Computes the sums of the wires of @layout, a layout of the scene's outline; needed to paint
 * wires. */
void goban_graph_scene_wire (GobanGraphScene *self, const GobanLayout *layout);

/* The graph's node of a node of the scene, or the first one of its group. */
static inline GobanNodeId
goban_graph_scene_get_id (const GobanGraphScene *self, guint v)
{
  return self->outline != NULL ? self->outline->items[v].first : v;
}

/* The group that a node of the scene represents; NULL for a single node. */
static inline const GobanSceneGroup *
goban_graph_scene_get_group (const GobanGraphScene *self, guint v)
{
  return self->groups.of_node != NULL && self->groups.of_node[v] != GOBAN_NO_GROUP
             ? &self->groups.closed[self->groups.of_node[v]]
             : NULL;
}

/* TRUE if the edge crosses devices. */
gboolean goban_graph_scene_is_cut (const GobanGraphScene *self, guint edge);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScene, goban_graph_scene_free)
