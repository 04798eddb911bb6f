#include "engine/learn/policy/refiner.h"

#include "engine/core/disjoint.h"
#include "engine/learn/policy/board-private.h"
#include "engine/placers/search/unit-graph.h"

#include <string.h>

/* Merging ends when there are few enough groups, or when rounds merge hardly anything. */
#define MAX_ROUNDS 40
#define LINKS_LOOKED_AT 32
/* limit of a group's weight, times the mean; raised if it blocks merging */
#define HEAVIEST_GROUP 2.0

struct _GobanRefiner
{
  GobanBoard *fine;
  GobanUnitGraph *links;
  double *work_us; /* (n_units) mean */
  double total_us;

  /* Figures of the plan by unit, as shares of the makespan. */
  double *blame;
  double *start;
  double *peak_share; /* (n_devices) memory at its peak */
};

void
goban_unit_choices_clear (GobanUnitChoices *self)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    g_clear_pointer (&self->of[k], g_free);
}

GobanRefiner *
goban_refiner_new (GobanCostModel *costs, GError **error)
{
  GobanBoard *fine = goban_board_new (costs, 0, error);
  GobanRefiner *self;
  guint n_units;

  if (fine == NULL)
    return NULL;

  n_units = fine->units->n_units;
  self = g_new0 (GobanRefiner, 1);
  self->fine = fine;
  self->links = goban_unit_graph_new (fine->units);
  self->work_us = g_new (double, n_units);
  goban_units_mean_times (fine->units, self->work_us);
  for (guint u = 0; u < n_units; u++)
    self->total_us += self->work_us[u];
  self->blame = g_new0 (double, n_units);
  self->start = g_new0 (double, n_units);
  self->peak_share = g_new0 (double, fine->n_devices);
  return self;
}

void
goban_refiner_free (GobanRefiner *self)
{
  goban_board_free (self->fine);
  goban_unit_graph_free (self->links);
  g_free (self->work_us);
  g_free (self->blame);
  g_free (self->start);
  g_free (self->peak_share);
  g_free (self);
}

const GobanBoard *
goban_refiner_get_fine (const GobanRefiner *self)
{
  return self->fine;
}

void
goban_refiner_look_at (GobanRefiner *self, const GobanTrace *trace, const double *blame_us)
{
  const GobanUnits *units = self->fine->units;
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  double makespan_us = MAX (goban_trace_get_makespan (trace), 1e-9);

  memset (self->blame, 0, units->n_units * sizeof *self->blame);
  memset (self->start, 0, units->n_units * sizeof *self->start);
  memset (self->peak_share, 0, units->n_devices * sizeof *self->peak_share);
  if (ops == NULL || uses == NULL)
    return;
  for (guint u = 0; u < units->n_units; u++)
    {
      self->start[u] = 1;
      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        {
          self->blame[u] += blame_us[units->nodes[i]] / makespan_us;
          self->start[u] = MIN (self->start[u], ops[units->nodes[i]].start_us / makespan_us);
        }
    }
  for (guint d = 0; d < units->n_devices; d++)
    {
      double memory_bytes
          = goban_cluster_get_device (units->cluster, (GobanDeviceId) d)->memory_bytes;

      self->peak_share[d] = isfinite (memory_bytes) ? uses[d].peak_bytes / memory_bytes : 0;
    }
}

/* --- groups ---------------------------------------------------------------------------------- */

typedef struct
{
  guint32 *parent;   /* (n_units) engine/core/disjoint.h */
  double *weight_us; /* (n_units) of roots */
  guint n_groups;
  double heaviest_us;
} Merging;

typedef struct
{
  const GobanRefiner *refiner;
  const GobanUnitChoices *choices;
  GobanRng *rng;
  Merging *merging;
} Drawing;

/* Whether two units may share a row: only devices count. Units of a row may have different levels,
 * until the row changes. */
static gboolean
are_alike (const GobanUnitChoices *choices, guint32 a, guint32 b)
{
  const guint32 *devices = choices->of[GOBAN_TASK_PLACEMENT];

  return devices[a] == devices[b];
}

static gboolean
share_devices (const GobanUnits *units, guint32 a, guint32 b)
{
  if (units->n_classes == 1)
    return TRUE;
  for (guint d = 0; d < units->n_devices; d++)
    if (goban_units_can_run (units, a, (GobanDeviceId) d)
        != goban_units_can_run (units, b, (GobanDeviceId) d))
      return FALSE;
  return TRUE;
}

/* Draws a neighbouring group with which unit u's group @own may merge, with a preference for heavy
 * edges; @own if there is none. *may_ever: whether a merge would be possible with a lighter
 * group. */
static guint32
draw_partner (const Drawing *self, guint32 u, guint32 own, gboolean *may_ever)
{
  const GobanUnitGraph *links = self->refiner->links;
  Merging *merging = self->merging;
  guint32 best = own;
  guint32 end = MIN (links->offsets[u + 1], links->offsets[u] + LINKS_LOOKED_AT);
  double most = -1;

  *may_ever = FALSE;
  for (guint32 i = links->offsets[u]; i < end; i++)
    {
      const GobanUnitLink *link = &links->links[i];
      guint32 other;
      double score;

      if (!are_alike (self->choices, u, link->unit)
          || !share_devices (self->refiner->fine->units, u, link->unit)
          || (other = goban_disjoint_find (merging->parent, link->unit)) == own)
        continue;
      *may_ever = TRUE;
      if (merging->weight_us[own] + merging->weight_us[other] > merging->heaviest_us)
        continue;
      score = ((double) link->weight_us + 0.1) * (0.1 + goban_rng_uniform (self->rng));
      if (score > most)
        {
          most = score;
          best = other;
        }
    }
  return best;
}

/* Each open unit's group merges with another, in random order. Units whose neighbours are in the
 * same group, or may never merge, are closed, which soon holds for most. */
static void
merge_once (const Drawing *self, guint n_wanted, guint32 *open, guint *n_open)
{
  Merging *merging = self->merging;
  guint n_left = 0;

  goban_rng_shuffle (self->rng, open, *n_open);
  for (guint i = 0; i < *n_open && merging->n_groups > n_wanted; i++)
    {
      guint32 own = goban_disjoint_find (merging->parent, open[i]);
      gboolean may_ever;
      guint32 partner = draw_partner (self, open[i], own, &may_ever);

      if (may_ever)
        open[n_left++] = open[i];
      if (partner == own)
        continue;
      merging->parent[partner] = own;
      merging->weight_us[own] += merging->weight_us[partner];
      merging->n_groups--;
    }
  *n_open = n_left;
}

static void
merge_units (const Drawing *self, guint n_wanted)
{
  guint n_open = self->refiner->fine->units->n_units;
  g_autofree guint32 *open = g_new (guint32, n_open);
  Merging *merging = self->merging;

  for (guint u = 0; u < n_open; u++)
    open[u] = u;
  for (guint round = 0; round < MAX_ROUNDS && n_open > 0 && merging->n_groups > n_wanted; round++)
    {
      guint n_before = merging->n_groups;

      merge_once (self, n_wanted, open, &n_open);
      if (n_before - merging->n_groups < n_before / 50)
        merging->heaviest_us *= 1.5;
    }
}

static guint32 *
draw_groups (const GobanRefiner *self, const GobanUnitChoices *choices, guint n_wanted,
             GobanRng *rng, guint *n_groups)
{
  guint n_units = self->fine->units->n_units;
  g_autofree guint32 *parent = goban_disjoint_new (n_units);
  g_autofree guint32 *number = g_new (guint32, n_units);
  g_autofree double *weight_us = g_memdup2 (self->work_us, n_units * sizeof *weight_us);
  guint32 *group_of = g_new (guint32, n_units);
  Merging merging
      = { parent, weight_us, n_units, HEAVIEST_GROUP * self->total_us / MAX (n_wanted, 1) };
  Drawing drawing = { self, choices, rng, &merging };

  for (guint u = 0; u < n_units; u++)
    number[u] = G_MAXUINT32;
  merge_units (&drawing, n_wanted);
  *n_groups = 0;
  for (guint u = 0; u < n_units; u++)
    {
      guint32 root = goban_disjoint_find (merging.parent, u);

      if (number[root] == G_MAXUINT32)
        number[root] = (*n_groups)++;
      group_of[u] = number[root];
    }
  return group_of;
}

/* --- columns about the plan ----------------------------------------------------------------- */

/* Sums by row; loads are by device. */
typedef struct
{
  double *near; /* (N,D) traffic with rows on each device, by its time */
  double *traffic;
  double *blame;
  double *start;
  double *load; /* (D) work over the mean device's, less 1 */
} Sums;

static void
add_up (const GobanRefiner *self, const GobanBoard *board, const guint32 *row_of_unit,
        const GobanUnitChoices *choices, Sums *sums)
{
  guint D = board->n_devices;
  const guint32 *devices = choices->of[GOBAN_TASK_PLACEMENT];

  for (guint r = 0; r < board->n_rows; r++)
    sums->start[r] = 1;
  for (guint u = 0; u < board->units->n_units; u++)
    {
      guint32 row = row_of_unit[u];

      sums->load[devices[u]] += self->work_us[u];
      sums->blame[row] += self->blame[u];
      sums->start[row] = MIN (sums->start[row], self->start[u]);
      for (guint32 i = self->links->offsets[u]; i < self->links->offsets[u + 1]; i++)
        {
          const GobanUnitLink *link = &self->links->links[i];

          if (row_of_unit[link->unit] == row)
            continue;
          sums->near[(gsize) row * D + devices[link->unit]] += (double) link->weight_us;
          sums->traffic[row] += (double) link->weight_us;
        }
    }
  for (guint d = 0; d < D; d++)
    sums->load[d] = self->total_us > 0 ? sums->load[d] * D / self->total_us - 1 : 0;
}

static float
get_level (const GobanUnitChoices *choices, GobanTask task, guint unit)
{
  return choices->of[task] == NULL
             ? 0
             : 2.0f * (float) choices->of[task][unit] / (GOBAN_N_LEVELS - 1) - 1.0f;
}

static void
fill_row (const GobanRefiner *self, GobanBoard *board, guint row, const GobanUnitChoices *choices,
          const Sums *sums, double mean_blame)
{
  guint D = board->n_devices;
  guint unit = board->units->unit_of[board->nodes[board->offsets[row]]];
  guint here = choices->of[GOBAN_TASK_PLACEMENT][unit];
  float *x = &board->x[(gsize) row * GOBAN_BOARD_N_FEATURES];
  double traffic = sums->traffic[row] > 0 ? sums->traffic[row] : 1;
  const double *near = &sums->near[(gsize) row * D];
  float blame = goban_board_clamp (log (1 + sums->blame[row] / mean_blame) / 2);

  x[GOBAN_FEATURE_HAS_PLAN] = 1;
  x[GOBAN_FEATURE_BLAME] = blame;
  x[GOBAN_FEATURE_LOAD] = goban_board_clamp (sums->load[here]);
  x[GOBAN_FEATURE_NEAR] = (float) (near[here] / traffic);
  x[GOBAN_FEATURE_START] = (float) (2 * sums->start[row] - 1);
  x[GOBAN_FEATURE_FUSION_LEVEL] = get_level (choices, GOBAN_TASK_FUSION, unit);
  x[GOBAN_FEATURE_SCHEDULING_LEVEL] = get_level (choices, GOBAN_TASK_SCHEDULING, unit);
  for (guint d = 0; d < D; d++)
    {
      float *pair = &board->pairs[((gsize) row * D + d) * GOBAN_BOARD_N_PAIRS];

      pair[GOBAN_PAIR_NEAR] = (float) (near[d] / traffic);
      pair[GOBAN_PAIR_NEAR_HERE] = (float) (near[here] / traffic);
      pair[GOBAN_PAIR_LOAD] = goban_board_clamp (sums->load[d]);
      pair[GOBAN_PAIR_LOAD_HERE] = goban_board_clamp (sums->load[here]);
      pair[GOBAN_PAIR_BLAME] = blame;
      pair[GOBAN_PAIR_MEMORY] = goban_board_clamp (self->peak_share[d]);
    }
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (board->current[k] != NULL)
      board->current[k][row] = choices->of[k][unit];
}

static void
fill_plan (const GobanRefiner *self, GobanBoard *board, const guint32 *row_of_unit,
           const GobanUnitChoices *choices)
{
  guint N = board->n_rows, D = board->n_devices;
  g_autofree double *near = g_new0 (double, (gsize) N *D);
  g_autofree double *rest = g_new0 (double, (gsize) 3 * N + D);
  Sums sums = { near, rest, rest + N, rest + 2 * N, rest + (gsize) 3 * N };
  double mean_blame = 1e-9;

  board->pairs = g_new0 (float, (gsize) N *D *GOBAN_BOARD_N_PAIRS);
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (choices->of[k] != NULL)
      {
        board->current[k] = g_new (guint32, N);
        board->of_units[k]
            = g_memdup2 (choices->of[k], board->units->n_units * sizeof *choices->of[k]);
      }
  add_up (self, board, row_of_unit, choices, &sums);
  for (guint r = 0; r < N; r++)
    mean_blame += sums.blame[r] / N;
  for (guint r = 0; r < N; r++)
    fill_row (self, board, r, choices, &sums, mean_blame);
  for (guint d = 0; d < board->n_devices; d++)
    {
      float *device = &board->devices[(gsize) d * GOBAN_DEVICE_N_FEATURES];

      device[GOBAN_DEVICE_LOAD] = goban_board_clamp (sums.load[d]);
      device[GOBAN_DEVICE_PEAK] = goban_board_clamp (self->peak_share[d]);
    }
}

GobanBoard *
goban_refiner_new_board (GobanRefiner *self, const GobanUnitChoices *choices, guint n_wanted,
                         GobanRng *rng)
{
  const GobanUnits *units = self->fine->units;
  guint n_groups;
  g_autofree guint32 *row_of_unit = draw_groups (self, choices, n_wanted, rng, &n_groups);
  GobanBoard *board = goban_board_new_grouped (self->fine, row_of_unit, n_groups);

  for (guint u = 0; u < units->n_units; u++)
    row_of_unit[u] = board->row_of[units->nodes[units->offsets[u]]];
  fill_plan (self, board, row_of_unit, choices);
  return board;
}
