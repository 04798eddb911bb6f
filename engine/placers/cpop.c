/* Critical Path On a Processor: Topcuoglu, Hariri and Wu (2002), with memory.
 *
 * A node's priority is the length of the longest path through it. The longest path of all goes to
 * one device; every other ready node, by descending priority, to the gap where it
 * finishes first.
 */
#include "engine/core/i18n.h"
#include "engine/placers/insertion.h"
#include "engine/placers/node-heap.h"
#include "engine/placers/policies.h"

#include <math.h>

/* Lengths of one path added up from its two ends may differ by this much. */
#define RELATIVE_ERROR 1e-9

/* The first of the critical nodes: of those without producers the one of the highest priority. */
static GobanNodeId
find_entry (const GobanGraph *graph, const double *priorities)
{
  GobanNodeId best = GOBAN_NO_NODE;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_in_edges (graph, v).n == 0
        && (best == GOBAN_NO_NODE || priorities[v] > priorities[best]))
      best = v;
  return best;
}

/* The node's first consumer whose longest path is that of the graph. */
static GobanNodeId
find_next (const GobanGraph *graph, GobanNodeId node, const double *priorities, double least)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId best = GOBAN_NO_NODE;

  for (guint i = 0; i < out.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

      if (priorities[head] >= least && (best == GOBAN_NO_NODE || head < best))
        best = head;
    }
  return best;
}

GArray *
goban_cpop_find_path (const GobanUnits *units, const double *priorities)
{
  GArray *path = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanNodeId v = find_entry (units->graph, priorities);
  double least = v != GOBAN_NO_NODE ? priorities[v] * (1 - RELATIVE_ERROR) : 0;

  for (; v != GOBAN_NO_NODE; v = find_next (units->graph, v, priorities, least))
    g_array_append_val (path, v);
  return path;
}

GobanDeviceId
goban_cpop_find_device (const GobanUnits *units, const GArray *path)
{
  GobanDeviceId best = 0;
  guint least_unable = G_MAXUINT;
  double least_us = INFINITY;

  for (guint d = 0; d < units->n_devices; d++)
    {
      guint n_unable = 0;
      double sum_us = 0;

      for (guint i = 0; i < path->len; i++)
        {
          GobanNodeId v = g_array_index (path, GobanNodeId, i);

          if (goban_units_can_run (units, units->unit_of[v], (GobanDeviceId) d))
            sum_us += goban_cost_model_time_us (units->costs, v, (GobanDeviceId) d);
          else
            n_unable++;
        }
      if (n_unable < least_unable || (n_unable == least_unable && sum_us < least_us))
        {
          best = (GobanDeviceId) d;
          least_unable = n_unable;
          least_us = sum_us;
        }
    }
  return best;
}

void
goban_cpop_priorities (const GobanUnits *units, double *priorities)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *downward_us = g_new (double, n_nodes);

  goban_units_upward_ranks (units, priorities);
  goban_units_downward_ranks (units, downward_us);
  for (guint v = 0; v < n_nodes; v++)
    priorities[v] += downward_us[v];
}

static void
release_consumers (const GobanGraph *graph, GobanNodeId node, guint32 *n_missing,
                   GobanNodeHeap *ready, const double *priorities)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);

  for (guint i = 0; i < out.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

      if (--n_missing[head] == 0)
        goban_node_heap_push (ready, (GobanWaiting){ -priorities[head], 0, head });
    }
}

static gboolean
schedule_all (GobanInsertion *insertion, const double *priorities,
              const GobanPlacerOptions *options, GError **error)
{
  const GobanGraph *graph = insertion->units->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GArray) path = goban_cpop_find_path (insertion->units, priorities);
  GobanDeviceId device = goban_cpop_find_device (insertion->units, path);
  g_autofree gboolean *is_critical = g_new0 (gboolean, n_nodes);
  g_autofree guint32 *n_missing = g_new (guint32, n_nodes);
  g_auto (GobanNodeHeap) ready = { 0 };

  for (guint i = 0; i < path->len; i++)
    is_critical[g_array_index (path, GobanNodeId, i)] = TRUE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      n_missing[v] = goban_graph_get_in_edges (graph, v).n;
      if (n_missing[v] == 0)
        goban_node_heap_push (&ready, (GobanWaiting){ -priorities[v], 0, v });
    }

  for (guint i = 0; ready.n > 0; i++)
    {
      GobanNodeId v = goban_node_heap_pop (&ready).node;

      if (!goban_policy_go_on (options, i, n_nodes, error))
        return FALSE;
      if (is_critical[v])
        goban_insertion_place_on (insertion, v, device);
      else
        goban_insertion_place (insertion, v);
      release_consumers (graph, v, n_missing, &ready, priorities);
    }
  return TRUE;
}

static const GobanInsertionRules rules
    = { .rank = goban_cpop_priorities,
        .schedule = schedule_all,
        .words = { "longest_path_us", GOBAN_SCORE_FINISH_US, TRUE,
                   "the first device; nodes noted “critical path” go to its device" } };

GobanListSchedule *
goban_cpop_schedule (const GobanUnits *units, const GobanPlacerOptions *options, GError **error)
{
  return goban_insertion_schedule (&rules, units, options, error);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_insertion_place_all (&rules, costs, options, evaluations, error);
}

const GobanPlacer goban_placer_cpop = {
  .name = "cpop",
  .blurb = N_ ("the critical path on one device, everything else where it finishes first"),
  .about = N_ ("The priority of a node is the length of the longest path through it, by mean "
               "times and mean transfers: its upward and its downward rank. One longest path "
               "of the graph is the critical path; it goes to the device that computes it "
               "fastest. Ready nodes are taken by descending priority; those off the path go "
               "into the gap where they finish first. Ours: of several critical paths the one "
               "of the lowest ids; a node of the path that finds no room there, or whose group "
               "is bound elsewhere, goes where it finishes first; variables, memory and the "
               "order of ops as with heft."),
  .source = "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling "
            "for Heterogeneous Computing, 2002",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
