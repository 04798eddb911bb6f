/* regal-features.h: input features of REGAL's network for a graph on a cluster.
 *
 * Everything is relative to the graph's own means and lengths, and nothing says which graph or node
 * it is, so that what was learnt on graphs of a hundred nodes holds on one of eighty thousand. Of a
 * device the network hears its place in the cluster's order, its speed and its memory: equal
 * devices differ by their place alone, which lets a plan be said one way instead of A! ways.
 *
 * Read-only once made.
 */
#pragma once

#include "engine/cluster/cost-model.h"
#include "engine/rl/regal-net.h"

G_BEGIN_DECLS

#define GOBAN_REGAL_N_NODE_FEATURES 26
#define GOBAN_REGAL_N_DEVICE_FEATURES 9

/* Columns of the node features that others than the network look at. */
enum
{
  GOBAN_REGAL_FEATURE_ONE = 0,
  GOBAN_REGAL_FEATURE_BOTTOM = 11, /* level, as a share of the longest path */
  GOBAN_REGAL_FEATURE_PLACE = 14,  /* along the work of the node's phase, by layers */

  /* of the device features */
  GOBAN_REGAL_FEATURE_FIRST = 1, /* whether the device is the first */
};

typedef struct
{
  GobanRegalInput input; /* its arrays are these */
  float *node_features;
  float *device_features;
  guint32 *offsets[2]; /* (N + 1) of the predecessors, and of the successors */
  guint32 *ids[2];
} GobanRegalView;

/* O(N A + E). */
GobanRegalView *goban_regal_view_new (const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_view_free (GobanRegalView *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalView, goban_regal_view_free)

G_END_DECLS
