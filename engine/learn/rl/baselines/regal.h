/* regal.h: genetic search set up by a network: the shared part of REGAL's placer and its
 * training.
 *
 * The network chooses from small tables: a Beta distribution for each gene, by mean and variance,
 * and for each node the bias towards its elite parent. The first choice of each table is that of
 * the plain algorithm, so a network that always chooses it gives the plain algorithm, bit for bit.
 */
#pragma once

#include "engine/learn/policy/board.h"
#include "engine/learn/rl/baselines/regal-net.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/placers/search/brkga.h"

/* Input features of REGAL's network for a graph on a cluster.
 *
 * All features are relative to the graph's own means and lengths, and none identifies a graph or a
 * node, so that a network trained on graphs of a hundred nodes can place one of eighty thousand.
 * The features of a device are its place in the cluster's order, its speed and its memory. Equal
 * devices differ by their place alone, so a plan has one representation instead of A!.
 *
 * Read-only once made.
 */

#define GOBAN_REGAL_N_NODE_FEATURES 26
#define GOBAN_REGAL_N_DEVICE_FEATURES 9

/* Columns of the node features that are used outside the network. */
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
  GobanNeighbours neighbours[2]; /* the predecessors and the successors */
} GobanRegalView;

/* O(N A + E). */
GobanRegalView *goban_regal_view_new (const GobanCostModel *costs) G_GNUC_WARN_UNUSED_RESULT;
void goban_regal_view_free (GobanRegalView *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRegalView, goban_regal_view_free)

/* Uniform, or one of five means with a small or a large variance. */
#define GOBAN_REGAL_N_BETAS 11
#define GOBAN_REGAL_N_BIASES 5

GobanBeta goban_regal_get_beta (guint choice);
float goban_regal_get_bias (guint choice);

/* A network of the shape that this program trains and reads, with random weights. */
void goban_regal_net_init_default (GobanRegalNet *self, GobanRng *rng);

/**
 * goban_regal_net_load:
 * @path: (nullable): NULL is the network that comes with the program
 *
 * Returns: %FALSE with %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE set, which says how to make another;
 *   then there is nothing to clear
 */
gboolean goban_regal_net_load (GobanRegalNet *self, const char *path, GError **error);

/* A choice for every row of every head. */
typedef struct
{
  guint32 *rows[GOBAN_REGAL_N_HEADS]; /* (n_rows) as in GobanRegalWork */
  guint n_nodes;
  guint n_devices;
} GobanRegalChoices;

/* Sets all choices to the first of their tables. */
void goban_regal_choices_init (GobanRegalChoices *self, guint n_nodes, guint n_devices);
void goban_regal_choices_clear (GobanRegalChoices *self);

/* Fills the empty @choices with the network's likeliest choices, in one pass over the graph. */
void goban_regal_choose (const GobanCostModel *costs, const GobanRegalNet *net,
                         GobanRegalChoices *choices);

/**
 * goban_regal_search:
 * @config: of the search; its rows are ignored
 *
 * Runs goban_brkga_run() with the chosen distributions and biases, also for the first population.
 *
 * Returns: (transfer full) (nullable): as goban_brkga_run()
 */
GobanPlan *goban_regal_search (GobanCostModel *costs, const GobanRegalChoices *choices,
                               GobanBrkgaConfig config, const GobanPlacerOptions *options,
                               guint64 *evaluations, GobanOutcome *outcome,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRegalChoices, goban_regal_choices_clear)
