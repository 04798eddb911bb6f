/* fine-tuning.h: the decoder learns on one graph from the makespans of its own plans: REINFORCE.
 *
 *   L = -(mean over plans of A mean log p + beta mean H) - store mean log p (best plan so far)
 *
 * A is the advantage of a plan among those of its update, weighed as in training. The entropy H is
 * rewarded more the further it is below its floor, so that samples stay different. A step that
 * changes the probabilities of its own plans by more than a limit of the mean KL divergence is
 * shortened until it does not.
 *
 * The same plans and makespans give the same bytes. One thread at a time.
 *
 * Decision G14 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/policy/plan-builder.h"

typedef struct
{
  double rate;          /* of Adam; 0: nothing is learned */
  double temperature;   /* of the plans */
  double entropy;       /* weight of the bonus */
  double entropy_floor; /* nats of a decision */
  double most_kl;       /* nats of a decision, of one update */
  double store;         /* weight of the best plan so far */
} GobanFineTuningSettings;

GobanFineTuningSettings goban_fine_tuning_settings_default (void);

typedef struct
{
  GobanFineTuningSettings settings;
  GobanBuilderNet *net;    /* changed by updates, with Adam's moments */
  GobanBuilderNet *before; /* before the last step */
  GobanBuilderNet *kept;   /* with the best likeliest plan */
  double kept_us;
  GobanBuildRecord *best; /* (nullable): of the best plan so far */
  double best_us;
  const guint *classes;
} GobanFineTuning;

/* Learns with a copy of the network. classes (D): of equal devices; borrowed. */
GobanFineTuning *
goban_fine_tuning_new (const GobanBuilderNet *net, const guint *classes,
                       const GobanFineTuningSettings *settings) G_GNUC_WARN_UNUSED_RESULT;
void goban_fine_tuning_free (GobanFineTuning *self);

/* An update. records, scores_us (n): plans that this network has drawn at the temperature of the
 * settings, with their features, and their makespans with a penalty for missing memory. @encoding:
 * (nullable) (transfer none): that of the plans; afterwards it is that of the changed network.
 * @norm: (out): of the gradient. %FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_fine_tuning_update (GobanFineTuning *self, GobanBuildRecord *const *records,
                                   const double *scores_us, guint n, GobanRowEncoding *encoding,
                                   double *norm, GError **error);

/* Keeps the network as it is now if its likeliest plan is the best so far. @score_us: of that. */
void goban_fine_tuning_keep (GobanFineTuning *self, double score_us);
/* Goes back to the network that was kept. */
void goban_fine_tuning_go_back (GobanFineTuning *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanFineTuning, goban_fine_tuning_free)
