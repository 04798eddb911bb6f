/* stages.h: stages of a pipeline: a model cut into parts that follow each other, one per device.
 *
 * The cut is PipeDream's (Narayanan et al., 2019): the slowest stage is as fast as it can be, if a
 * stage takes the time of its ops or of the tensors that cross its ends, the longer of the two.
 * Devices may differ. PipeDream fills a table of all cuts; because a stage only grows from cut to
 * cut, halving the interval of the slowest time and filling stage after stage gives the same.
 */
#pragma once

#include "engine/machine/plan/plan.h"
#include "engine/placers/units.h"

/* A model as a row of blocks, between any two of which a pipeline may be cut.
 *
 * A block is the units of forward ops that lie on a cycle, which is one unit as a rule, or the
 * layer of a recurrent network. Blocks are in topological order, so tensors of the forward pass go
 * to later blocks alone. Backward and update ops that no unit joins to a forward op follow what
 * they read. Read-only once made. */
typedef struct
{
  GobanUnits *units;
  guint n_blocks;
  guint *block_of; /* (n_units) */
} GobanStageChain;

/**
 * goban_stage_chain_new:
 * @n_stages: required number of blocks: smaller units are taken if there are fewer
 *
 * O(N + E log E). Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INFEASIBLE set, as
 *   goban_units_new() says, or if the graph has fewer blocks
 */
GobanStageChain *goban_stage_chain_new (GobanCostModel *costs, guint n_stages,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* (n_blocks + 1): time of the tensors that cross the cut before each block, over a mean link, of
 * either direction the longer: links go one way. (transfer full) */
double *goban_stage_chain_new_cuts (const GobanStageChain *self) G_GNUC_WARN_UNUSED_RESULT;

/* Prefix sums over the blocks, so that the sum of any stage is a difference of two. */
typedef struct
{
  double *times_us; /* (n_devices x (n_blocks + 1)) of the units that the device can run */
  guint *refusals;  /* the same: units that it cannot run */
  double *params;   /* (n_blocks + 1) bytes */
  double *outputs;  /* (n_blocks + 1) bytes of the forward pass's outputs */
} GobanStageSums;

/* @devices: (n_devices). To be cleared. */
GobanStageSums goban_stage_chain_sum (const GobanStageChain *self, const GobanDeviceId *devices,
                                      guint n_devices) G_GNUC_WARN_UNUSED_RESULT;
void goban_stage_sums_clear (GobanStageSums *self);
void goban_stage_chain_free (GobanStageChain *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanStageChain, goban_stage_chain_free)

typedef struct
{
  guint n_stages;
  const GobanDeviceId *devices; /* (n_stages), or as many as there are copies, stage by stage */
  /* (n_stages) (nullable) of each stage, which share its micro-batches out; NULL: one */
  const guint *n_copies;
  guint n_batches;     /* micro-batches whose activations are in memory at most; 0: not counted */
  gboolean is_lenient; /* ops that their stage's device cannot run are left to others if need be */
} GobanStageRequest;

/**
 * goban_stages_cut:
 *
 * A stage with copies takes the time of its slowest copy, divided by their number.
 *
 * Returns: (transfer full) (nullable): (n_nodes) the stage of each node; %NULL with
 *   %GOBAN_ERROR_INFEASIBLE set, which names the device that cannot run a node, or if the graph has
 *   fewer parts in a row. Memory that no cut could keep to is left to the simulator.
 */
guint *goban_stages_cut (GobanCostModel *costs, const GobanStageRequest *request,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same of a row that the caller has: it has n_stages blocks at least. */
guint *goban_stages_cut_chain (const GobanStageChain *chain, const GobanStageRequest *request,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The stage of each node, if a stage ends before block @ends[stage]. (transfer full) (n_nodes) */
guint *goban_stages_from_ends (const GobanStageChain *chain,
                               const guint *ends) G_GNUC_WARN_UNUSED_RESULT;

/* Number of stages that was chosen, and its estimates. */
typedef struct
{
  guint n_stages;
  double slowest_us; /* of its stages */
  /* of all passes of a schedule without gaps: (batches + stages - 1) times that of the slowest
   * stage */
  double estimate_us;
  gboolean fits; /* the stages keep to the devices' memory */
} GobanStageChoice;

/**
 * goban_stages_choose:
 * @request: its number of stages is the most; fewer are on the first of its devices; no copies
 * @n_batches: micro-batches that go through the pipeline
 *
 * Cuts the row into each number of stages and takes that of the least estimate, the fewest stages
 * of equals, and one that fits before any that does not. For each number the cut has the least
 * slowest stage, so no other cut has a smaller estimate. stage-copies.h also shares out devices to
 * copies of a stage.
 *
 * Returns: (transfer full) (nullable): (n_nodes) the stage of each node; %NULL with
 *   %GOBAN_ERROR_INFEASIBLE set
 */
guint *goban_stages_choose (const GobanStageChain *chain, const GobanStageRequest *request,
                            guint n_batches, GobanStageChoice *choice,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_stages_from_plan:
 * @devices: (out) (transfer full): of the stages
 *
 * The devices of a plan as stages, in the order in which the forward pass goes through them.
 *
 * Returns: (transfer full) (nullable): (n_nodes); %NULL with %GOBAN_ERROR_INVALID set if it comes
 *   back to a device, with the nodes
 */
guint *goban_stages_from_plan (GobanCostModel *costs, const GobanPlan *plan,
                               GobanDeviceId **devices, guint *n_stages,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* (transfer full): the devices that stages are put on: all but CPUs, or all if there are only
 * CPUs. */
GobanDeviceId *goban_stages_find_devices (const GobanCluster *cluster,
                                          guint *n) G_GNUC_WARN_UNUSED_RESULT;
