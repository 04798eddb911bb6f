#include "engine/sim/simulator-private.h"

#include <string.h>

#define DIGIT_BITS 11
#define N_DIGITS 3 /* 33 bits are enough */
#define N_VALUES (1u << DIGIT_BITS)

/* Most policies number the nodes 0, 1, 2... by priority, and then there is nothing to sort.
 * FALSE if they are not a permutation; @ranked is then of no use. */
static gboolean
rank_permutation (const gint32 *priorities, guint n_nodes, guint32 *ranked)
{
  memset (ranked, 0xff, n_nodes * sizeof *ranked);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 from_last = (guint32) priorities[v];

      if (from_last >= n_nodes || ranked[n_nodes - 1 - from_last] != SIM_NONE)
        return FALSE;
      ranked[n_nodes - 1 - from_last] = v;
    }
  return TRUE;
}

static guint
digit_of (guint64 key, guint digit)
{
  return key >> (32 + digit * DIGIT_BITS) & (N_VALUES - 1);
}

void
sim_rank_nodes (GobanSimulator *self, const gint32 *priorities)
{
  guint32 *ranked = self->scratch;
  guint32 *n_placed = self->device_count;

  if (self->in.n_nodes == 0)
    return;
  if (!rank_permutation (priorities, self->in.n_nodes, ranked))
    {
      /* By rank, then by id: a radix sort that keeps the order of ids, and leaves digits out in
       * which all are the same. Uses the lines of the ready ops, which only the other order
       * needs. */
      guint n_nodes = self->in.n_nodes;
      guint64 *keys = self->lines;
      guint64 *sorted = self->late;
      guint32 count[N_DIGITS][N_VALUES];

      memset (count, 0, sizeof count);
      for (guint v = 0; v < n_nodes; v++)
        {
          keys[v] = key_make (sim_rank_of (priorities[v]), v);
          for (guint i = 0; i < N_DIGITS; i++)
            count[i][digit_of (keys[v], i)]++;
        }
      for (guint i = 0; i < N_DIGITS; i++)
        {
          guint64 *swap = keys;
          guint32 sum = 0;

          if (count[i][digit_of (keys[0], i)] == n_nodes)
            continue;
          for (guint value = 0; value < N_VALUES; value++)
            {
              guint32 here = count[i][value];

              count[i][value] = sum;
              sum += here;
            }
          for (guint j = 0; j < n_nodes; j++)
            sorted[count[i][digit_of (keys[j], i)]++] = keys[j];
          keys = sorted;
          sorted = swap;
        }
      for (guint j = 0; j < n_nodes; j++)
        ranked[j] = key_id (keys[j]);
    }

  memset (n_placed, 0, self->n_devices * sizeof *n_placed);
  for (guint i = 0; i < self->in.n_nodes; i++)
    {
      guint32 v = ranked[i];
      GobanDeviceId d = self->device[v];

      self->nodes[v].place = n_placed[d]++;
      self->node_at[self->first_ready[d] + self->nodes[v].place] = v;
    }
}
