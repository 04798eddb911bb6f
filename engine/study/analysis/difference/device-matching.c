#include "engine/study/analysis/difference/device-matching.h"

#include "engine/core/assignment.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/symmetry.h"

#include <math.h>
#include <string.h>

/* Larger sets of devices are matched greedily: 256 take 20 ms, 1024 a second. */
#define EXACT_DEVICES 256
/* Partial renamings of whole sets that are looked at: 8! and all that leads there. */
#define MAX_TRIES 110000
/* Number of renamed devices that a text names, the first ones. */
#define MAX_NAMED 6

typedef struct
{
  GobanSymmetry *symmetry;
  guint n_devices;
  double *gains;      /* (n_devices x n_devices) of naming a device of the run like the other */
  guint *set_of;      /* (n_devices) sets of exchangeable devices ... */
  GPtrArray *sets;    /* ... GArray of GobanDeviceId, ascending */
  double *set_gains;  /* (n_sets x n_sets) best sum; NAN if they cannot take each other's places */
  double *most_gains; /* (n_sets + 1) upper bound of the sum over the sets from here on */
  guint *set_to;      /* (n_sets) in the search */
  guint8 *is_taken;   /* (n_sets) */
  guint n_tries;
  double best_gain;
  guint *best_set_to; /* (n_sets) */
} Matcher;

static void
matcher_clear (Matcher *self)
{
  g_clear_pointer (&self->symmetry, goban_symmetry_free);
  g_clear_pointer (&self->sets, g_ptr_array_unref);
  g_free (self->gains);
  g_free (self->set_of);
  g_free (self->set_gains);
  g_free (self->most_gains);
  g_free (self->set_to);
  g_free (self->is_taken);
  g_free (self->best_set_to);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Matcher, matcher_clear)

/* --- gains ------------------------------------------------------------------------------------ */

/* The number of nodes decides, then work, then that a name stays: each less than one of the former
 * in sum. */
static void
fill_gains (Matcher *self, GobanRun *reference, GobanRun *run)
{
  const GobanDeviceId *wanted = goban_plan_get_devices (goban_run_get_plan (reference));
  const GobanDeviceId *devices = goban_plan_get_devices (goban_run_get_plan (run));
  GobanCostModel *costs = goban_run_get_costs (run);
  guint n_nodes = goban_plan_get_n_nodes (goban_run_get_plan (run));
  guint n = self->n_devices;
  g_autofree double *work = g_new0 (double, (gsize) n *n + 1);
  double all_us = 0;

  self->gains = g_new0 (double, (gsize) n *n + 1);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      gsize pair = (gsize) devices[v] * n + wanted[v];
      double time_us = goban_cost_model_time_us (costs, v, devices[v]);

      self->gains[pair]++;
      if (isfinite (time_us))
        work[pair] += time_us;
    }
  for (gsize i = 0; i < (gsize) n * n; i++)
    all_us += work[i];
  for (gsize i = 0; i < (gsize) n * n; i++)
    self->gains[i] += all_us > 0 ? work[i] / all_us / 4 : 0;
  for (guint d = 0; d < n; d++)
    self->gains[(gsize) d * n + d] += 1e-6 / n;
}

static void
find_sets (Matcher *self)
{
  const GobanDeviceId *firsts = goban_symmetry_get_firsts (self->symmetry);

  self->sets = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->set_of = g_new (guint, (gsize) self->n_devices + 1);
  for (guint d = 0; d < self->n_devices; d++)
    {
      GobanDeviceId device = (GobanDeviceId) d;

      self->set_of[d] = firsts[d] == d ? self->sets->len : self->set_of[firsts[d]];
      if (firsts[d] == d)
        g_ptr_array_add (self->sets, g_array_new (FALSE, FALSE, sizeof (GobanDeviceId)));
      g_array_append_val ((GArray *) g_ptr_array_index (self->sets, self->set_of[d]), device);
    }
}

static const GArray *
set_at (const Matcher *self, guint set)
{
  return g_ptr_array_index (self->sets, set);
}

static GobanDeviceId
device_at (const Matcher *self, guint set, guint i)
{
  return g_array_index (set_at (self, set), GobanDeviceId, i);
}

/* Row by row the best that is left. */
static double
assign_greedily (const double *gains, guint n, guint32 *column_of)
{
  g_autofree guint8 *is_taken = g_new0 (guint8, (gsize) n + 1);
  double sum = 0;

  for (guint r = 0; r < n; r++)
    {
      guint best = n;

      for (guint c = 0; c < n; c++)
        if (!is_taken[c] && (best == n || gains[(gsize) r * n + c] > gains[(gsize) r * n + best]))
          best = c;
      is_taken[best] = TRUE;
      column_of[r] = best;
      sum += gains[(gsize) r * n + best];
    }
  return sum;
}

/* Within two sets of one size any assignment is as good a symmetry as any other. column_of (n). */
static double
assign_sets (const Matcher *self, guint from, guint to, guint32 *column_of)
{
  guint n = set_at (self, from)->len;
  g_autofree double *gains = g_new (double, (gsize) n *n + 1);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      gains[(gsize) i * n + k] = self->gains[(gsize) device_at (self, from, i) * self->n_devices
                                             + device_at (self, to, k)];
  return n <= EXACT_DEVICES ? goban_assignment_solve (gains, n, column_of)
                            : assign_greedily (gains, n, column_of);
}

static gboolean
may_take_place (const Matcher *self, guint from, guint to)
{
  return set_at (self, from)->len == set_at (self, to)->len
         && goban_symmetry_are_alike (self->symmetry, device_at (self, from, 0),
                                      device_at (self, from, 0), device_at (self, to, 0),
                                      device_at (self, to, 0));
}

static void
fill_set_gains (Matcher *self)
{
  guint n = self->sets->len;
  g_autofree guint32 *column_of = g_new (guint32, (gsize) self->n_devices + 1);

  self->set_gains = g_new (double, (gsize) n *n + 1);
  self->most_gains = g_new0 (double, (gsize) n + 1);
  for (guint i = n; i-- > 0;)
    {
      double most = 0;

      for (guint k = 0; k < n; k++)
        {
          double gain
              = may_take_place (self, i, k) ? assign_sets (self, i, k, column_of) : (double) NAN;

          self->set_gains[(gsize) i * n + k] = gain;
          most = fmax (most, gain);
        }
      self->most_gains[i] = self->most_gains[i + 1] + most;
    }
}

/* --- whole sets that change places ------------------------------------------------------------ */

/* Any assignment within sets is a symmetry if one is. */
static gboolean
is_symmetry (const Matcher *self)
{
  g_autofree GobanDeviceId *to = g_new (GobanDeviceId, (gsize) self->n_devices + 1);

  for (guint s = 0; s < self->sets->len; s++)
    for (guint i = 0; i < set_at (self, s)->len; i++)
      to[device_at (self, s, i)] = device_at (self, self->set_to[s], i);
  return goban_symmetry_check (self->symmetry, to);
}

static gboolean
agrees_with_others (const Matcher *self, guint set, guint to)
{
  for (guint s = 0; s < set; s++)
    if (!goban_symmetry_are_alike (self->symmetry, device_at (self, set, 0), device_at (self, s, 0),
                                   device_at (self, to, 0), device_at (self, self->set_to[s], 0)))
      return FALSE;
  return TRUE;
}

/* Depth first over the sets from @set on; the recursion is as deep as there are sets. */
static void
search_sets (Matcher *self, guint set, double gain)
{
  guint n = self->sets->len;

  if (gain + self->most_gains[set] <= self->best_gain || self->n_tries++ > MAX_TRIES)
    return;
  if (set == n)
    {
      if (!is_symmetry (self))
        return;
      self->best_gain = gain;
      memcpy (self->best_set_to, self->set_to, n * sizeof *self->set_to);
      return;
    }
  for (guint k = 0; k < n; k++)
    {
      double more = self->set_gains[(gsize) set * n + k];

      if (self->is_taken[k] || isnan (more) || !agrees_with_others (self, set, k))
        continue;
      self->is_taken[k] = TRUE;
      self->set_to[set] = k;
      search_sets (self, set + 1, gain + more);
      self->is_taken[k] = FALSE;
    }
}

/* Begins with every set in its own place, which is always possible. */
static void
match_sets (Matcher *self)
{
  guint n = self->sets->len;

  self->set_to = g_new (guint, (gsize) n + 1);
  self->best_set_to = g_new (guint, (gsize) n + 1);
  self->is_taken = g_new0 (guint8, (gsize) n + 1);
  for (guint s = 0; s < n; s++)
    {
      self->best_set_to[s] = s;
      self->best_gain += self->set_gains[(gsize) s * n + s];
    }
  search_sets (self, 0, 0);
}

static void
fill_names (Matcher *self, GobanDeviceId *to)
{
  g_autofree guint32 *column_of = g_new (guint32, (gsize) self->n_devices + 1);

  for (guint s = 0; s < self->sets->len; s++)
    {
      guint target = self->best_set_to[s];

      assign_sets (self, s, target, column_of);
      for (guint i = 0; i < set_at (self, s)->len; i++)
        to[device_at (self, s, i)] = device_at (self, target, column_of[i]);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static guint
count_moved (const GobanDeviceMatching *self, GobanRun *reference)
{
  const GobanDeviceId *wanted = goban_plan_get_devices (goban_run_get_plan (reference));
  const GobanDeviceId *devices = goban_plan_get_devices (goban_run_get_plan (self->run));
  guint n_nodes = goban_plan_get_n_nodes (goban_run_get_plan (self->run));
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    n += self->to[devices[v]] != wanted[v];
  return n;
}

static GobanRun *
make_matched (const GobanDeviceMatching *self)
{
  GobanPlan *plan = goban_run_get_plan (self->run);
  g_autoptr (GobanPlan) renamed = goban_plan_copy (plan);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (renamed, v, self->to[goban_plan_get_device (plan, v)]);
  return goban_run_new (goban_run_get_costs (self->run), renamed, goban_run_get_name (self->run));
}

static void
match (GobanDeviceMatching *self, GobanRun *reference)
{
  g_auto (Matcher) matcher = { .n_devices = self->n_devices };

  matcher.symmetry = goban_symmetry_new (goban_run_get_costs (self->run));
  find_sets (&matcher);
  fill_gains (&matcher, reference, self->run);
  fill_set_gains (&matcher);
  match_sets (&matcher);
  fill_names (&matcher, self->to);
}

static void
keep_names (GobanDeviceMatching *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    self->to[d] = (GobanDeviceId) d;
}

GobanDeviceMatching *
goban_device_matching_new (GobanRun *reference, GobanRun *run)
{
  GobanDeviceMatching *self = g_new0 (GobanDeviceMatching, 1);
  GobanPlan *plan = goban_run_get_plan (run);
  GobanPlan *other = goban_run_get_plan (reference);

  g_atomic_ref_count_init (&self->ref_count);
  self->run = goban_run_ref (run);
  self->n_devices = goban_plan_get_n_devices (plan);
  self->to = g_new (GobanDeviceId, (gsize) self->n_devices + 1);
  keep_names (self);
  if (run != reference && self->n_devices == goban_plan_get_n_devices (other)
      && self->n_devices == goban_cluster_get_n_devices (goban_run_get_cluster (run))
      && goban_plan_get_graph_hash (plan) == goban_plan_get_graph_hash (other))
    {
      self->n_moved = self->n_moved_before = count_moved (self, reference);
      if (self->n_moved > 0)
        match (self, reference);
      self->n_moved = count_moved (self, reference);
    }
  if (self->n_moved >= self->n_moved_before)
    keep_names (self);
  for (guint d = 0; d < self->n_devices; d++)
    self->n_renamed += self->to[d] != d;
  self->matched = self->n_renamed > 0 ? make_matched (self) : goban_run_ref (run);
  return self;
}

GobanDeviceMatching *
goban_device_matching_ref (GobanDeviceMatching *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_device_matching_unref (GobanDeviceMatching *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  goban_run_unref (self->run);
  goban_run_unref (self->matched);
  g_free (self->to);
  g_free (self);
}

/* --- in words --------------------------------------------------------------------------------- */

/* Makespan of the renamed plan minus that of the plan itself: the effect of ties at the same
 * instant, which are broken by device number. Mostly 0. */
static double
get_tie_us (const GobanDeviceMatching *self)
{
  double tie_us = goban_run_get_makespan_us (self->matched) - goban_run_get_makespan_us (self->run);

  return isfinite (tie_us) ? tie_us : 0;
}

/* Two that change places: "gpu:0 and gpu:1 are exchanged"; others one by one. */
static char *
list_renamed (const GobanDeviceMatching *self)
{
  GobanCluster *cluster = goban_run_get_cluster (self->run);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_named = 0;

  for (guint d = 0; d < self->n_devices && n_named <= MAX_NAMED; d++)
    {
      GobanDeviceId to = self->to[d];
      const char *from_name = goban_cluster_get_device (cluster, (GobanDeviceId) d)->name;
      const char *to_name = goban_cluster_get_device (cluster, to)->name;
      gboolean is_pair = self->to[to] == d;

      if (to == d || (is_pair && to < d))
        continue;
      if (text->len > 0)
        g_string_append (text, ", ");
      if (n_named++ == MAX_NAMED)
        g_string_append (text, "…");
      else
        g_string_append_printf (text,
                                is_pair ? _ ("%s and %s are exchanged") : _ ("%s is called %s"),
                                from_name, to_name);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
goban_device_matching_describe (const GobanDeviceMatching *self, const char *name)
{
  double tie_us = get_tie_us (self);
  double makespan_us = goban_run_get_makespan_us (self->run);
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *renamed = NULL;

  if (self->n_renamed == 0)
    return NULL;
  renamed = list_renamed (self);
  if (fabs (tie_us) <= 1e-9 * makespan_us)
    return g_strdup_printf (_ ("In %s %s, which changes nothing"), name, renamed);
  return g_strdup_printf (_ ("In %s %s, which changes nothing but the order of ties (%s)"), name,
                          renamed, goban_format_time_change (time, tie_us));
}
