/* post.h: the table that Post trains: a softmax over devices for every group.
 *
 * Private to post.c and its test. Logits of devices that a group cannot run on are -INFINITY.
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/placers/search/unit-groups.h"

typedef struct
{
  guint n_groups;
  guint n_devices;
  double *logits;        /* (n_groups x n_devices) */
  double *probabilities; /* (n_groups x n_devices) their softmax, kept in step */
} GobanPostTable;

/* Uniform over the devices that each group can run on. */
void goban_post_table_init (GobanPostTable *self, const GobanUnitGroups *groups);
void goban_post_table_clear (GobanPostTable *self);

/* sample (n_groups): a device for each. */
void goban_post_table_draw (const GobanPostTable *self, GobanRng *rng, GobanDeviceId *sample);

/* A few gradient steps on the clipped surrogate, mean over the samples of min (r A, clip (r, 1 - e,
 * 1 + e) A) for each group, r being its probability over the one at the start. samples (n x
 * n_groups), advantages (n). Returns the share of ratios that the last step clipped. */
double goban_post_table_improve (GobanPostTable *self, const GobanDeviceId *samples,
                                 const double *advantages, guint n);

/* Mean nats of a group's choice. */
double goban_post_table_get_entropy (const GobanPostTable *self);

/* p (d) = (1 - exploration) share of the elites with the group on d + exploration / devices
 * allowed. elites (n x n_groups). */
void goban_post_table_imitate (GobanPostTable *self, const GobanDeviceId *elites, guint n,
                               double exploration);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanPostTable, goban_post_table_clear)
