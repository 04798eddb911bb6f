#include "engine/machine/plan/plan-chain.h"

#include <math.h>
#include <string.h>

/* Up to this share of the nodes, a step is stored as its changes. */
#define CHANGED_SHARE 0.5

typedef struct
{
  GobanPlanStep step;
  GobanPlan *whole;         /* (nullable) */
  GobanPlanChange *changes; /* (n_changes) without a whole plan, nodes ascending */
  guint n_changes;
} Link;

struct _GobanPlanChain
{
  GArray *links;   /* of Link; the first has a whole plan */
  GobanPlan *last; /* (nullable) the plan of the last link */
  guint n_folded;
  gsize n_bytes;
};

static void
clear_link (gpointer data)
{
  Link *link = data;

  g_clear_pointer (&link->whole, goban_plan_unref);
  g_free (link->changes);
}

GobanPlanChain *
goban_plan_chain_new (void)
{
  GobanPlanChain *self = g_new0 (GobanPlanChain, 1);

  self->links = g_array_new (FALSE, FALSE, sizeof (Link));
  g_array_set_clear_func (self->links, clear_link);
  return self;
}

void
goban_plan_chain_free (GobanPlanChain *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->links);
  g_clear_pointer (&self->last, goban_plan_unref);
  g_free (self);
}

/* --- writing ---------------------------------------------------------------------------------- */

static gsize
count_link (const Link *link)
{
  gsize n_bytes = sizeof *link + link->n_changes * sizeof *link->changes;

  if (link->whole != NULL)
    n_bytes
        += goban_plan_get_n_nodes (link->whole) * (sizeof (GobanDeviceId) + 2 * sizeof (gint32));
  if (link->whole != NULL && goban_plan_get_transfer_priorities (link->whole) != NULL)
    n_bytes += goban_plan_get_n_tensors (link->whole) * sizeof (gint32);
  return n_bytes;
}

/* TRUE if both say the same but for devices and priorities. */
static gboolean
have_same_rest (const GobanPlan *a, const GobanPlan *b)
{
  const gint32 *transfers_a = goban_plan_get_transfer_priorities (a);
  const gint32 *transfers_b = goban_plan_get_transfer_priorities (b);
  gsize n_bytes = goban_plan_get_n_nodes (a) * sizeof (gint32);

  if (goban_plan_get_order (a) != goban_plan_get_order (b)
      || memcmp (goban_plan_get_fusions (a), goban_plan_get_fusions (b), n_bytes) != 0)
    return FALSE;
  if (transfers_a == NULL || transfers_b == NULL)
    return transfers_a == transfers_b;
  return memcmp (transfers_a, transfers_b, goban_plan_get_n_tensors (a) * sizeof (gint32)) == 0;
}

/* (element-type GobanPlanChange) of devices and priorities. */
static GArray *
compare_nodes (const GobanPlan *from, const GobanPlan *to)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (GobanPlanChange));
  const GobanDeviceId *old_devices = goban_plan_get_devices (from);
  const GobanDeviceId *devices = goban_plan_get_devices (to);
  const gint32 *old_priorities = goban_plan_get_priorities (from);
  const gint32 *priorities = goban_plan_get_priorities (to);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (to); v++)
    if (devices[v] != old_devices[v] || priorities[v] != old_priorities[v])
      g_array_append_val (changes, ((GobanPlanChange){ v, priorities[v], devices[v] }));
  return changes;
}

static void
describe_change (const GobanPlanChain *self, const GobanPlan *plan, Link *link)
{
  g_autoptr (GArray) changes = NULL;

  if (self->last != NULL && have_same_rest (self->last, plan))
    changes = compare_nodes (self->last, plan);
  if (changes == NULL || changes->len > CHANGED_SHARE * goban_plan_get_n_nodes (plan))
    {
      link->whole = goban_plan_copy (plan);
      return;
    }
  link->n_changes = changes->len;
  link->changes = g_memdup2 (changes->data, changes->len * sizeof *link->changes);
}

void
goban_plan_chain_add (GobanPlanChain *self, const GobanPlan *plan, const GobanPlanStep *step)
{
  guint n = self->links->len;
  Link link = { .step = *step };

  g_return_if_fail (n == 0 || goban_plan_get_n_nodes (self->last) == goban_plan_get_n_nodes (plan));

  link.step.before_us
      = n > 0 ? g_array_index (self->links, Link, n - 1).step.after_us : (double) NAN;
  describe_change (self, plan, &link);
  g_array_append_val (self->links, link);
  self->n_bytes += count_link (&link);
  g_clear_pointer (&self->last, goban_plan_unref);
  self->last = goban_plan_copy (plan);
  while (self->links->len > 1
         && (self->links->len > GOBAN_PLAN_CHAIN_MAX_STEPS
             || self->n_bytes > GOBAN_PLAN_CHAIN_MAX_BYTES))
    {
      Link *second = &g_array_index (self->links, Link, 1);

      self->n_bytes -= count_link (&g_array_index (self->links, Link, 0)) + count_link (second);
      if (second->whole == NULL)
        {
          second->whole = goban_plan_chain_new_plan (self, 2);
          g_clear_pointer (&second->changes, g_free);
          second->n_changes = 0;
        }
      self->n_bytes += count_link (second);
      g_array_remove_index (self->links, 0);
      self->n_folded++;
    }
}

void
goban_plan_chain_set_folded (GobanPlanChain *self, guint n_folded)
{
  self->n_folded = n_folded;
}

/* --- reading ---------------------------------------------------------------------------------- */

guint
goban_plan_chain_get_n_steps (const GobanPlanChain *self)
{
  return self->links->len;
}

guint
goban_plan_chain_get_n_folded (const GobanPlanChain *self)
{
  return self->n_folded;
}

gsize
goban_plan_chain_get_n_bytes (const GobanPlanChain *self)
{
  return self->n_bytes;
}

static const Link *
get_link (const GobanPlanChain *self, guint n)
{
  return &g_array_index (self->links, Link, n - 1);
}

const GobanPlanStep *
goban_plan_chain_get_step (const GobanPlanChain *self, guint n)
{
  g_return_val_if_fail (n >= 1 && n <= self->links->len, NULL);

  return &get_link (self, n)->step;
}

const GobanPlan *
goban_plan_chain_get_whole (const GobanPlanChain *self, guint n)
{
  g_return_val_if_fail (n >= 1 && n <= self->links->len, NULL);

  return get_link (self, n)->whole;
}

GArray *
goban_plan_chain_list_changes (const GobanPlanChain *self, guint n)
{
  g_autoptr (GobanPlan) before = NULL;
  GArray *changes;
  const Link *link;

  g_return_val_if_fail (n >= 1 && n <= self->links->len, NULL);

  link = get_link (self, n);
  if (link->whole != NULL && n > 1)
    {
      before = goban_plan_chain_new_plan (self, n - 1);
      return compare_nodes (before, link->whole);
    }
  changes = g_array_new (FALSE, FALSE, sizeof (GobanPlanChange));
  if (link->n_changes > 0)
    g_array_append_vals (changes, link->changes, link->n_changes);
  for (GobanNodeId v = 0; link->whole != NULL && v < goban_plan_get_n_nodes (link->whole); v++)
    g_array_append_val (changes, ((GobanPlanChange){ v, goban_plan_get_priority (link->whole, v),
                                                     goban_plan_get_device (link->whole, v) }));
  return changes;
}

GobanPlan *
goban_plan_chain_new_plan (const GobanPlanChain *self, guint n)
{
  GobanPlan *plan;
  guint first = n;

  g_return_val_if_fail (n >= 1 && n <= self->links->len, NULL);

  while (get_link (self, first)->whole == NULL)
    first--;
  plan = goban_plan_copy (get_link (self, first)->whole);
  for (guint k = first + 1; k <= n; k++)
    for (guint i = 0; i < get_link (self, k)->n_changes; i++)
      {
        const GobanPlanChange *change = &get_link (self, k)->changes[i];

        goban_plan_set_device (plan, change->node, change->device);
        goban_plan_set_priority (plan, change->node, change->priority);
      }
  return plan;
}
