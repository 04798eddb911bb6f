#include "engine/sim/simulator-private.h"

#include <string.h>

void
sim_reset_run (GobanSimulator *self)
{
  memcpy (self->left_us, self->device_work_us, self->n_devices * sizeof *self->left_us);
  self->n_rounds = 0;
  self->now_us = 0;
  self->instant = 0;
  self->n_done = 0;
  self->end_us = 0;
  self->n_arrivals = 0;
  self->n_arrived = 0;
  sim_clock_reset (&self->clock);
  memset (self->dirty_devices, 0, self->n_words * sizeof (guint64));
  for (guint d = 0; d < self->n_devices; d++)
    self->running[d] = self->last_op[d] = SIM_NONE;

  guint64 *at = self->place_bits;

  memset (at, 0, self->n_place_bits * sizeof *at);
  for (guint d = 0; d < self->n_devices; d++)
    {
      guint32 first = self->first_ready[d];
      guint32 n_ops = self->first_ready[d + 1] - first;
      guint64 *places = at;
      guint64 *words = places + sim_places_n_words (n_ops, 0);
      guint64 *blocks = words + sim_places_n_words (n_ops, 1);

      at = blocks + sim_places_n_words (n_ops, 2);
      self->ready_at[d] = (SimPlaces){
        places, words, blocks, sim_places_n_words (n_ops, 2), SIM_NO_PLACE,
      };
      self->ready_line[d] = (SimLine){ self->lines + first, self->late + first, 0, 0, 0 };
    }

  if (!self->is_contention_free)
    {
      guint n = self->n_devices;
      guint n_links = goban_cluster_get_n_links (goban_cost_model_get_cluster (self->costs));

      for (guint d = 0; d < n; d++)
        {
          self->sending[d] = self->last_sent[d] = self->last_got[d] = SIM_NONE;
          self->free_senders[d / 64] |= G_GUINT64_CONSTANT (1) << d % 64;
          self->free_receivers[d / 64] |= G_GUINT64_CONSTANT (1) << d % 64;
        }
      for (guint l = 0; l < n_links; l++)
        self->link_holder[l] = self->link_last[l] = SIM_NONE;
      memset (self->n_waiting, 0, (gsize) n * n * sizeof *self->n_waiting);
      memset (self->dirty_senders, 0, self->n_words * sizeof (guint64));
      memset (self->link_blocked, 0, self->n_words * sizeof (guint64));
      memset (self->receivers_of, 0, (gsize) n * self->n_words * sizeof (guint64));
      memset (self->senders_of, 0, (gsize) n * self->n_words * sizeof (guint64));
    }

  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);

  for (guint d = 0; d < self->n_devices; d++)
    self->memory[d] = (SimMemory){
      .capacity_bytes = goban_cluster_get_device (cluster, d)->memory_bytes,
      .overflow_time_us = SIM_NEVER_US,
    };
  if (!self->must_account)
    return;
  for (guint v = 0; v < self->in.n_nodes; v++)
    self->memory[self->device[v]].level_bytes += self->in.param_bytes[v];
  for (guint d = 0; d < self->n_devices; d++)
    sim_count_level (&self->memory[d]);
}
