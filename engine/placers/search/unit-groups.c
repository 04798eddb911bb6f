#include "engine/placers/search/unit-groups.h"

#include "engine/placers/search/unit-graph.h"

#include <stdlib.h>
#include <string.h>

/* A group may weigh this many times its equal share, to begin with; and how fast that is given up.
 * Even groups start wider, for they keep to it: at 1.5 shares 4096 groups of GNMT exchange 74 % of
 * all bytes, at 3 shares 47 %. */
#define MAX_SHARE 1.5
#define GROWTH 2.0
#define MAX_EVEN_SHARE 3.0
#define EVEN_GROWTH 1.25

/* Matching goes on while it takes at least one group in this many. */
#define MIN_PROGRESS 20

/* The groups of one level, and the traffic between them. */
typedef struct
{
  GobanUnitGroups *groups;
  GArray *pairs;    /* Pair, each once */
  double *times_us; /* (n_groups) */
  guint32 *partner; /* (n_groups) the lower of the two, or itself */
  double most_us;
  double *bytes; /* (n_groups) parameters and outputs; NULL if their share is not limited */
  double most_bytes;
} Level;

typedef struct
{
  guint32 low;
  guint32 high;
  double weight_us;
} Pair;

static int
compare_by_ends (const void *a, const void *b)
{
  const Pair *x = a;
  const Pair *y = b;

  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

static int
compare_by_weight (const void *a, const void *b)
{
  const Pair *x = a;
  const Pair *y = b;

  if (x->weight_us != y->weight_us)
    return x->weight_us > y->weight_us ? -1 : 1;
  return compare_by_ends (a, b);
}

static void
sort_pairs (GArray *pairs, int (*compare) (const void *, const void *))
{
  if (pairs->len > 1)
    qsort (pairs->data, pairs->len, sizeof (Pair), compare);
}

static void
init_level (Level *self, const GobanUnits *units, guint n_wanted)
{
  g_autoptr (GobanUnitGraph) graph = goban_unit_graph_new (units);
  GobanUnitGroups *groups = self->groups;
  double total_us = 0;

  groups->n_groups = units->n_units;
  groups->n_devices = units->n_devices;
  groups->group_of = g_new (guint32, units->n_units);
  groups->can_run = g_new (guint8, (gsize) units->n_units * units->n_devices);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  self->times_us = g_new (double, units->n_units);
  self->partner = g_new (guint32, units->n_units);
  goban_units_mean_times (units, self->times_us);

  for (guint u = 0; u < units->n_units; u++)
    {
      groups->group_of[u] = u;
      total_us += self->times_us[u];
      for (guint d = 0; d < units->n_devices; d++)
        groups->can_run[(gsize) u * units->n_devices + d]
            = goban_units_can_run (units, u, (GobanDeviceId) d);
      for (guint i = graph->offsets[u]; i < graph->offsets[u + 1]; i++)
        {
          Pair pair = { u, graph->links[i].unit, graph->links[i].weight_us };

          if (pair.low < pair.high)
            g_array_append_val (self->pairs, pair);
        }
    }
  self->most_us = MAX_SHARE * total_us / n_wanted;
}

static void
make_even (Level *self, const GobanUnits *units, guint n_wanted)
{
  double total_bytes = 0;

  self->bytes = g_new (double, units->n_units);
  for (guint u = 0; u < units->n_units; u++)
    {
      self->bytes[u] = units->param_bytes[u] + units->output_bytes[u];
      total_bytes += self->bytes[u];
    }
  self->most_bytes = MAX_EVEN_SHARE * total_bytes / n_wanted;
  self->most_us *= MAX_EVEN_SHARE / MAX_SHARE;
}

static void
clear_level (Level *self)
{
  g_array_unref (self->pairs);
  g_free (self->times_us);
  g_free (self->bytes);
  g_free (self->partner);
}

static gboolean
have_common_device (const GobanUnitGroups *groups, guint32 a, guint32 b)
{
  for (guint d = 0; d < groups->n_devices; d++)
    if (groups->can_run[(gsize) a * groups->n_devices + d]
        && groups->can_run[(gsize) b * groups->n_devices + d])
      return TRUE;
  return FALSE;
}

static gboolean
may_merge (const Level *self, guint32 a, guint32 b)
{
  return self->times_us[a] + self->times_us[b] <= self->most_us
         && (self->bytes == NULL || self->bytes[a] + self->bytes[b] <= self->most_bytes)
         && have_common_device (self->groups, a, b);
}

/* The heaviest pairs first; how many groups go. */
static guint
match_by_edges (Level *self, guint n_to_go)
{
  guint n = 0;
  g_autofree guint8 *is_matched = g_new0 (guint8, self->groups->n_groups);

  sort_pairs (self->pairs, compare_by_weight);
  for (guint i = 0; i < self->pairs->len && n < n_to_go; i++)
    {
      const Pair *pair = &g_array_index (self->pairs, Pair, i);

      if (is_matched[pair->low] || is_matched[pair->high]
          || !may_merge (self, pair->low, pair->high))
        continue;
      is_matched[pair->low] = is_matched[pair->high] = TRUE;
      self->partner[pair->high] = pair->low;
      n++;
    }
  return n;
}

/* Each with the next that it may merge with. */
static guint
match_by_order (Level *self, guint n_to_go)
{
  guint32 open = G_MAXUINT32;
  guint n = 0;

  for (guint g = 0; g < self->groups->n_groups && n < n_to_go; g++)
    {
      if (open == G_MAXUINT32 || !may_merge (self, open, g))
        {
          open = g;
          continue;
        }
      self->partner[g] = open;
      open = G_MAXUINT32;
      n++;
    }
  return n;
}

/* Raises the limits of a group's weight: an even level does if nothing else helps. */
static void
give_way (Level *self, gboolean has_progressed)
{
  if (self->bytes == NULL)
    self->most_us *= GROWTH;
  else if (!has_progressed)
    {
      self->most_us *= EVEN_GROWTH;
      self->most_bytes *= EVEN_GROWTH;
    }
}

/* Numbers the merged groups, and adds up their work, their devices and the traffic between them. */
static void
merge (Level *self, guint n_units)
{
  GobanUnitGroups *groups = self->groups;
  g_autofree guint32 *new_ids = g_new (guint32, groups->n_groups);
  guint n_pairs = 0;
  guint n_new = 0;

  for (guint g = 0; g < groups->n_groups; g++)
    {
      guint8 *can_run = &groups->can_run[(gsize) g * groups->n_devices];

      if (self->partner[g] == g)
        {
          new_ids[g] = n_new;
          self->times_us[n_new] = self->times_us[g];
          if (self->bytes != NULL)
            self->bytes[n_new] = self->bytes[g];
          memmove (&groups->can_run[(gsize) n_new * groups->n_devices], can_run, groups->n_devices);
          n_new++;
          continue;
        }
      new_ids[g] = new_ids[self->partner[g]];
      self->times_us[new_ids[g]] += self->times_us[g];
      if (self->bytes != NULL)
        self->bytes[new_ids[g]] += self->bytes[g];
      for (guint d = 0; d < groups->n_devices; d++)
        groups->can_run[(gsize) new_ids[g] * groups->n_devices + d] &= can_run[d];
    }
  groups->n_groups = n_new;
  for (guint u = 0; u < n_units; u++)
    groups->group_of[u] = new_ids[groups->group_of[u]];

  for (guint i = 0; i < self->pairs->len; i++)
    {
      Pair *pair = &g_array_index (self->pairs, Pair, i);
      guint32 a = new_ids[pair->low];
      guint32 b = new_ids[pair->high];

      if (a != b)
        g_array_index (self->pairs, Pair, n_pairs++)
            = (Pair){ MIN (a, b), MAX (a, b), pair->weight_us };
    }
  g_array_set_size (self->pairs, n_pairs);
  sort_pairs (self->pairs, compare_by_ends);
  n_pairs = 0;
  for (guint i = 0; i < self->pairs->len; i++)
    {
      Pair *pairs = (Pair *) (void *) self->pairs->data;

      if (n_pairs > 0 && compare_by_ends (&pairs[n_pairs - 1], &pairs[i]) == 0)
        pairs[n_pairs - 1].weight_us += pairs[i].weight_us;
      else
        pairs[n_pairs++] = pairs[i];
    }
  g_array_set_size (self->pairs, n_pairs);
}

static void
list_units (GobanUnitGroups *self, guint n_units)
{
  g_autofree guint32 *next = NULL;

  self->offsets = g_new0 (guint32, self->n_groups + 1);
  self->units = g_new (guint32, n_units);
  for (guint u = 0; u < n_units; u++)
    self->offsets[self->group_of[u] + 1]++;
  for (guint g = 0; g < self->n_groups; g++)
    self->offsets[g + 1] += self->offsets[g];
  next = g_memdup2 (self->offsets, (self->n_groups + 1) * sizeof *next);
  for (guint u = 0; u < n_units; u++)
    self->units[next[self->group_of[u]]++] = u;
}

/* Number of times that the limit of a group's weight may double before the remaining groups are
 * left alone. */
#define MAX_IDLE_ROUNDS 64

static GobanUnitGroups *
group_units (const GobanUnits *units, guint n_wanted, gboolean is_even)
{
  GobanUnitGroups *groups = g_new0 (GobanUnitGroups, 1);
  Level level = { .groups = groups };
  guint n_idle = 0;

  init_level (&level, units, n_wanted);
  if (is_even)
    make_even (&level, units, n_wanted);
  while (groups->n_groups > n_wanted && n_idle < MAX_IDLE_ROUNDS)
    {
      guint n_to_go = groups->n_groups - n_wanted;
      guint n_few, n_gone;

      for (guint g = 0; g < groups->n_groups; g++)
        level.partner[g] = g;
      n_gone = match_by_edges (&level, n_to_go);
      n_few = MIN (n_to_go, groups->n_groups / MIN_PROGRESS + 1);
      if (n_gone < n_few)
        {
          for (guint g = 0; g < groups->n_groups; g++)
            level.partner[g] = g;
          n_gone = match_by_order (&level, n_to_go);
          give_way (&level, n_gone >= n_few);
        }
      n_idle = n_gone > 0 ? 0 : n_idle + 1;
      merge (&level, units->n_units);
    }
  clear_level (&level);
  list_units (groups, units->n_units);
  return groups;
}

GobanUnitGroups *
goban_unit_groups_new (const GobanUnits *units, guint n_wanted)
{
  return group_units (units, n_wanted, FALSE);
}

GobanUnitGroups *
goban_unit_groups_new_even (const GobanUnits *units, guint n_wanted)
{
  return group_units (units, n_wanted, TRUE);
}

void
goban_unit_groups_free (GobanUnitGroups *self)
{
  g_free (self->group_of);
  g_free (self->offsets);
  g_free (self->units);
  g_free (self->can_run);
  g_free (self);
}
