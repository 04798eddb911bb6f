/* scorer-net.h: parameters of one scorer of alternatives (engine/nn/scorer.h), their averages and
 * files.
 *
 * What kind of network it is decides how many features its alternatives have and which files are
 * its own.
 */
#pragma once

#include "engine/nn/params.h"
#include "engine/nn/scorer.h"

G_BEGIN_DECLS

typedef struct
{
  const char *kind; /* what its files say they are of */
  guint n_features;
  guint n_context;
  void (*set_rule) (float *linear); /* (nullable): what the linear part begins as; else 0 */
} GobanScorerNetKind;

typedef struct _GobanScorerNet GobanScorerNet;

/* @kind: static. What is hidden begins small. */
GobanScorerNet *goban_scorer_net_new (const GobanScorerNetKind *kind,
                                      GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_scorer_net_free (GobanScorerNet *self);
/* Values, moments and the count of steps. (transfer full) */
GobanScorerNet *goban_scorer_net_copy (const GobanScorerNet *self) G_GNUC_WARN_UNUSED_RESULT;

GobanParams *goban_scorer_net_get_params (const GobanScorerNet *self);
/* Its weights, and the gradients of them: borrowed. */
const GobanScorer *goban_scorer_net_get_scorer (const GobanScorerNet *self);
GobanScorer *goban_scorer_net_get_gradients (GobanScorerNet *self);

/* values = share values + (1 - share) other's */
void goban_scorer_net_average (GobanScorerNet *self, const GobanScorerNet *other, double share);

gboolean goban_scorer_net_save (GobanScorerNet *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanScorerNet *goban_scorer_net_load (const GobanScorerNetKind *kind, const char *path,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file is of such a network, and not of another kind; %FALSE, too, for what cannot be
 * read. */
gboolean goban_scorer_net_is_file (const GobanScorerNetKind *kind, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanScorerNet, goban_scorer_net_free)

G_END_DECLS
