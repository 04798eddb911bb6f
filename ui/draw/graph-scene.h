/* graph-scene.h: scene of a graph: everything its painter shows, as plain arrays.
 *
 * A scene does not contain the positions of nodes (graph-layout.h) or their appearance
 * (graph-painter.h). It is made from a graph, and a plan or trace if there is one, or filled by
 * hand; it owns its arrays and is not changed while it is painted. Any thread.
 */
#pragma once

#include "engine/session/node-values.h"
#include "engine/session/run.h"
#include "engine/sim/trace.h"
#include "ui/draw/graph-layout.h"
#include "ui/draw/palette.h"

G_BEGIN_DECLS

enum
{
  GOBAN_NODE_CRITICAL = 1 << 0, /* of nodes: on the critical path */
  GOBAN_NODE_CHANGED = 1 << 1,  /* by the step that is shown */
  GOBAN_EDGE_CRITICAL = 1 << 0, /* of edges: one that the critical path takes */
  GOBAN_EDGE_CONTROL = 1 << 1,
  GOBAN_EDGE_CUT = 1 << 2, /* of items' edges: some of what it stands for crosses devices */
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
  guint8 family;     /* GobanFamily of the op */
  guint8 flags;
} GobanSceneNode;

typedef struct
{
  GobanNodeId tail;
  GobanNodeId head;
  float weight; /* 0..1, by the logarithm of its bytes */
  guint8 flags;
} GobanSceneEdge;

/* What a layout's wire carries: all edges that take it. */
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
  float *shares; /* (n_shares of the scene) 0..1, in all 1, of its time; of its count if no time
                      * is known */
} GobanSceneGroup;

typedef struct
{
  guint n_nodes;
  guint n_edges;
  guint n_devices; /* 0: no plan; the nodes' devices and priorities mean nothing */
  GobanSceneNode *nodes;
  GobanSceneEdge *edges;
  GobanSceneDevice *devices;
  guint n_of_family[GOBAN_N_FAMILIES];
  gint32 least_priority; /* as the plan has them, for the legend */
  gint32 most_priority;
  GobanNodeValues
      *values; /* (nullable): what fills nodes instead of devices, goban_graph_scene_set_values() */
  gboolean has_step; /* some nodes may be GOBAN_NODE_CHANGED */
  char *title;       /* "inception_v3" */
  char *subtitle;    /* "heft, 4 devices, 267.0 ms"; "" if there is nothing to say */
  GobanGraph *graph; /* (nullable): keeps the names alive */
  GobanOutline
      *outline;      /* (nullable): then nodes and edges are its items and edges, and a node that
                            * stands for a group has its name, its time, means, and what most of it is */
  guint n_shares;    /* devices, or families of ops without a plan */
  guint32 *group_of; /* (n_nodes) into groups, or GOBAN_NO_GROUP; NULL without an outline */
  GobanSceneGroup *groups; /* (n_groups) closed */
  guint n_groups;
  GobanSceneGroup *hulls; /* (n_hulls) open */
  guint n_hulls;
  GobanSceneWire *wires; /* (n_wires) of the layout that goban_graph_scene_wire() was told */
  guint n_wires;
} GobanGraphScene;

/* Zeroed arrays of these sizes, to be filled by hand; titles are "". */
GobanGraphScene *goban_graph_scene_new_empty (guint n_nodes, guint n_edges,
                                              guint n_devices) G_GNUC_WARN_UNUSED_RESULT;

/* @costs, @plan and @trace may each be NULL; a plan needs costs, for the devices' names, and a
 * trace brings both of its own. A plan for another graph is the caller's mistake. */
GobanGraphScene *goban_graph_scene_new (GobanGraph *graph, GobanCostModel *costs, GobanPlan *plan,
                                        GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* The same of @trace, of a graph that @before is a scene of, under @before_plan (nullable): what the graph alone says is copied, and
 * priorities where they are the same. A fifth of the time. */
GobanGraphScene *goban_graph_scene_new_after (const GobanGraphScene *before,
                                              const GobanPlan *before_plan,
                                              GobanTrace *trace) G_GNUC_WARN_UNUSED_RESULT;
/* What an outline of its graph shows of @base: a scene of items. */
GobanGraphScene *goban_graph_scene_new_outlined (const GobanGraphScene *base,
                                                 GobanOutline *outline) G_GNUC_WARN_UNUSED_RESULT;
/* Of one without an outline. */
GobanGraphScene *goban_graph_scene_copy (const GobanGraphScene *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_graph_scene_free (GobanGraphScene *self);

/* Gives every node its value, of items the mean: @values (nullable) are of the scene's graph. Not while it is
 * painted. */
void goban_graph_scene_set_values (GobanGraphScene *self, GobanNodeValues *values);
/* Marks what the last decision changed that the run of a step (engine/session/step.h) has recorded; (nullable):
 * nothing. Not while it is painted. */
void goban_graph_scene_set_step (GobanGraphScene *self, GobanRun *step);
/* What the wires of @layout, of the scene's outline, carry: needed to paint one that has any. */
void goban_graph_scene_wire (GobanGraphScene *self, const GobanLayout *layout);

/* The node that a node of the scene is, or the first of its group. */
static inline GobanNodeId
goban_graph_scene_get_id (const GobanGraphScene *self, guint v)
{
  return self->outline != NULL ? self->outline->items[v].first : v;
}

/* The group that a node of the scene stands for; NULL of a node. */
static inline const GobanSceneGroup *
goban_graph_scene_get_group (const GobanGraphScene *self, guint v)
{
  return self->group_of != NULL && self->group_of[v] != GOBAN_NO_GROUP
             ? &self->groups[self->group_of[v]]
             : NULL;
}

/* TRUE if the edge crosses devices. */
gboolean goban_graph_scene_is_cut (const GobanGraphScene *self, guint edge);

/* The part of a name after its last '/', borrowed from it. */
const char *goban_last_scope (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScene, goban_graph_scene_free)

G_END_DECLS
