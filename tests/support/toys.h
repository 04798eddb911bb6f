/* toys.h: the small graph that tests of runs, reports, sessions and programs share. */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/machine/plan/plan.h"

/* source (10 us) to left and right (100 us each, 1000 bytes) to sink (10 us): two devices help. */
GobanGraph *toy_diamond (void) G_GNUC_WARN_UNUSED_RESULT;

/* a, b, c, d in a row, 10 us each: nothing helps. */
GobanGraph *toy_chain (void) G_GNUC_WARN_UNUSED_RESULT;

/* Two chains of so many ops of 10 us and 1000 bytes, side by side: one device each is best. */
GobanGraph *toy_two_chains (guint length) G_GNUC_WARN_UNUSED_RESULT;

/* Ops of these names (NULL ends them) without edges: Conv where the name begins with a C, and
 * Add. */
GobanGraph *toy_of_names (const char *const *names) G_GNUC_WARN_UNUSED_RESULT;

/* The ten tasks of Topcuoglu, Hariri and Wu (2002), figure 2, for three processors of these
 * names. */
GobanGraph *toy_topcuoglu (void) G_GNUC_WARN_UNUSED_RESULT;

/* Random ops of many kinds for TOY_MIXED_CLUSTER: a few cannot run on its CPU, a few only there, a
 * few share a device. */
GobanGraph *toy_mixed (guint n_nodes, guint64 seed) G_GNUC_WARN_UNUSED_RESULT;

/* clang-format off */
#define TOY_MIXED_CLUSTER                                                                          \
  "{ \"devices\": ["                                                                               \
  TOY_DEVICE ("gpu0", "gpu", "\"unlimited\"") ","                                                  \
  TOY_DEVICE ("cpu", "cpu", "\"unlimited\"") ","                                                   \
  TOY_DEVICE ("gpu1", "gpu", "300") "],"                                                           \
  "\"all_pairs\": { \"bandwidth\": 5e6 } }"

#define TOY_TOPCUOGLU_CLUSTER                                                                      \
  "{ \"contention_free\": true, \"devices\": ["                                                    \
  TOY_DEVICE ("P1", "p0", "\"unlimited\"") ","                                                     \
  TOY_DEVICE ("P2", "p1", "\"unlimited\"") ","                                                     \
  TOY_DEVICE ("P3", "p2", "\"unlimited\"") "],"                                                    \
  "\"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }"
/* clang-format on */

/* Ends a graph that nothing is wrong with. */
GobanGraph *toy_finish (GobanGraphBuilder *builder) G_GNUC_WARN_UNUSED_RESULT;

/* One device of a cluster in JSON; memory is JSON, too. */
#define TOY_DEVICE(name, kind, memory)                                                             \
  "{ \"name\": \"" name "\", \"kind\": \"" kind "\", \"tflops\": 1,"                               \
  " \"memory_bandwidth\": \"1 GB/s\", \"memory\": " memory " }"

/* The graph of a generator, by its spec. */
GobanGraph *toy_generate (const char *spec) G_GNUC_WARN_UNUSED_RESULT;

/* On a cluster by its spec, or by its JSON where that begins with '{'. */
GobanCostModel *toy_costs (GobanGraph *graph, const char *spec) G_GNUC_WARN_UNUSED_RESULT;

/* The same of the graph of a generator. */
GobanCostModel *toy_generated_costs (const char *graph, const char *spec) G_GNUC_WARN_UNUSED_RESULT;

/* The same of graph_gen_small(); a third of the seeds have groups. */
GobanCostModel *toy_small_costs (guint n_nodes, guint64 seed,
                                 const char *spec) G_GNUC_WARN_UNUSED_RESULT;

/* Number @i of costs of several kinds: devices of two sorts, a paper's example, four GPUs, and
 * three of which some lack memory. */
GobanCostModel *toy_various_costs (guint i) G_GNUC_WARN_UNUSED_RESULT;

/* Whether both say the same of every node and transfer, order included. */
gboolean toy_plans_are_same (const GobanPlan *a, const GobanPlan *b);

/* What a policy makes of it, checked. */
GobanPlan *toy_place (GobanCostModel *costs, const char *policy,
                      guint64 seed) G_GNUC_WARN_UNUSED_RESULT;

/* What a plan takes, by a run that is checked, too. */
double toy_makespan_us (GobanCostModel *costs, GobanPlan *plan);
