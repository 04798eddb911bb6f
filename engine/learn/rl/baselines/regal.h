/* regal.h: genetic search set up by a network: the shared part of REGAL's placer and its
 * training.
 *
 * The network chooses from small tables: a Beta distribution for each gene, by mean and variance,
 * and for each node the bias towards its elite parent. The first choice of each table is that of
 * the plain algorithm, so a network that always chooses it gives the plain algorithm, bit for bit.
 */
#pragma once

#include "engine/learn/rl/baselines/regal-features.h"
#include "engine/placers/search/brkga.h"

G_BEGIN_DECLS

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

G_END_DECLS
