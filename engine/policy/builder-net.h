/* builder-net.h: the parameters of the network that builds plans row by row (engine/policy/plan-builder.h).
 *
 * One scorer (engine/nn/scorer.h) for all devices, rows, graphs and clusters. A new network is an earliest-start rule
 * with a preference for near devices: its linear part; what is hidden begins small.
 */
#pragma once

#include "engine/nn/params.h"
#include "engine/nn/scorer.h"

G_BEGIN_DECLS

/* What its files say they are of. */
#define GOBAN_BUILDER_NET_KIND "builder"

typedef struct _GobanBuilderNet GobanBuilderNet;

GobanBuilderNet *goban_builder_net_new (GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_builder_net_free (GobanBuilderNet *self);
/* Values, moments and the count of steps. (transfer full) */
GobanBuilderNet *goban_builder_net_copy (const GobanBuilderNet *self) G_GNUC_WARN_UNUSED_RESULT;

GobanParams *goban_builder_net_get_params (const GobanBuilderNet *self);
/* Its weights, and the gradients of them: borrowed. */
const GobanScorer *goban_builder_net_get_scorer (const GobanBuilderNet *self);
GobanScorer *goban_builder_net_get_gradients (GobanBuilderNet *self);

/* values = share values + (1 - share) other's */
void goban_builder_net_average (GobanBuilderNet *self, const GobanBuilderNet *other, double share);

gboolean goban_builder_net_save (GobanBuilderNet *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanBuilderNet *goban_builder_net_load (const char *path,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file is of such a network, and not of another kind; %FALSE, too, for what cannot be read. */
gboolean goban_builder_net_is_file (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderNet, goban_builder_net_free)

G_END_DECLS
