/* hdp-features.h: input features of HDP's network for a graph.
 *
 * N units, F features, V op types, G groups, M the width of a group's embedding.
 *
 * A unit (a node, or a colocation group, represented by its longest node) has
 *
 *   its type: a number for each of the 199 most common ops, 0 for any other
 *   the sizes of its first 6 outputs, 4 dimensions each: log2 (1 + size) / 16, or -1 if missing
 *   6 units it reads from and 6 that read it: their numbers, scaled by 0.4 to at most 64, or -1
 *
 * and a group of units, by its members:
 *
 *   edges to each group ‖ edges from each ‖ its ops by type ‖ sums over the first 16 output sizes
 *
 * each of the four divided by its largest + 1. Read-only after it was made.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

typedef struct
{
  int N, F, V, E;
  float *values;  /* (N,F) */
  guint32 *types; /* (N) below V */
  guint32 *tails; /* (E) edges between different units */
  guint32 *heads; /* (E) */
} GobanHdpFeatures;

GobanHdpFeatures *goban_hdp_features_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_hdp_features_free (GobanHdpFeatures *self);

/* M for G groups. */
int goban_hdp_features_width (const GobanHdpFeatures *self, int G);

/* out (G,M)  groups (N) */
void goban_hdp_features_embed (const GobanHdpFeatures *self, float *out, const guint32 *groups,
                               int G);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanHdpFeatures, goban_hdp_features_free)

G_END_DECLS
