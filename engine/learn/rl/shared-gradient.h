/* shared-gradient.h: a gradient as the sum over items of an update, each computed by one rank.
 *
 * The items of an update are divided among the ranks of a job; a process alone has all of them. The
 * gradient of an item is computed by itself, from zero, and the items are added in a fixed order
 * (engine/core/ranks/ranks.h), so that the sum does not depend on who computed what.
 */
#pragma once

#include "engine/core/ranks/ranks.h"
#include "engine/core/ranks/scaling.h"
#include "engine/learn/nn/params.h"

G_BEGIN_DECLS

typedef struct
{
  GobanRanks *ranks;   /* (nullable) borrowed */
  GobanParams *params; /* borrowed */
  guint n_items;
  guint first, end; /* items of this rank */
  float *items;     /* (end - first, total) */
} GobanSharedGradient;

/* Clears the gradients of @params. To be cleared. */
void goban_shared_gradient_init (GobanSharedGradient *self, GobanRanks *ranks, GobanParams *params,
                                 guint n_items);
void goban_shared_gradient_clear (GobanSharedGradient *self);

/* Moves the gradients of @params to @item, one of this rank. Every one of them must be kept. */
void goban_shared_gradient_keep (GobanSharedGradient *self, guint item);

/* Sets the gradients of @params to @factor times the sum over all items. Once. %FALSE with @error
 * set as goban_ranks_meet() does. */
gboolean goban_shared_gradient_sum (GobanSharedGradient *self, float factor, GError **error);

/* --- measuring -------------------------------------------------------------------------------- */

/* The time and traffic at which something began. */
typedef struct
{
  gint64 time_us;
  GobanRanksTraffic traffic;
} GobanSharedMoment;

GobanSharedMoment goban_shared_moment_now (GobanRanks *ranks);
/* Counts an update that began at @begun; @own_us was for items of this rank. */
void goban_shared_gradient_measure (const GobanSharedGradient *self, GobanSharedMoment begun,
                                    gint64 own_us, guint n_exchanges, guint n_sums,
                                    GobanScaling *scaling);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanSharedGradient, goban_shared_gradient_clear)

G_END_DECLS
