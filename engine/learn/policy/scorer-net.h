/* scorer-net.h: parameters of one scorer of alternatives (engine/learn/nn/scorer.h), their averages
 * and files.
 *
 * The kind of a network determines its number of features and which files it accepts.
 */
#pragma once

#include "engine/learn/nn/params.h"
#include "engine/learn/nn/scorer.h"

typedef struct _GobanScorerNetKind GobanScorerNetKind;

struct _GobanScorerNetKind
{
  const char *kind; /* kind in the header of its files */
  guint n_features;
  guint n_context;
  void (*set_rule) (float *linear); /* (nullable): initial weights of the linear part; else 0 */
  /* (nullable): adds more tensors to the table and returns their numbers, for g_free() */
  gpointer (*add_tensors) (const GobanScorerNetKind *self, GobanParams *params);
  guint parts; /* for add_tensors() */
};

/* Number of tensors of the scorer itself; a kind's own follow. */
#define GOBAN_SCORER_NET_N_TENSORS 7

/* Only read from outside. */
typedef struct
{
  const GobanScorerNetKind *kind;
  GobanParams *params;
  GobanScorer scorer;    /* its weights: borrowed from params, */
  GobanScorer gradients; /* and the gradients of them */
  gpointer more;         /* (nullable): of the kind's add_tensors() */
} GobanScorerNet;

/* @kind: static. The weights of hidden layers are small at first. */
GobanScorerNet *goban_scorer_net_new (const GobanScorerNetKind *kind,
                                      GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
void goban_scorer_net_free (GobanScorerNet *self);
/* Values, moments and the count of steps. (transfer full) */
GobanScorerNet *goban_scorer_net_copy (const GobanScorerNet *self) G_GNUC_WARN_UNUSED_RESULT;

/* Takes over the values of all tensors that have a namesake of the same shape in another network,
 * which may have other parts; moments and the count of steps stay. */
void goban_scorer_net_adopt (GobanScorerNet *self, const GobanScorerNet *other);

/* values = share values + (1 - share) other's */
void goban_scorer_net_average (GobanScorerNet *self, const GobanScorerNet *other, double share);

/* Writes the values without Adam's moments: runs of trainings have files of their own. */
gboolean goban_scorer_net_save (const GobanScorerNet *self, const char *path, GError **error);
/* Reads files with and without moments. Without them, moments and the count of steps are 0.
 * (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanScorerNet *goban_scorer_net_load (const GobanScorerNetKind *kind, const char *path,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The file of the network that comes with the program: @file, that of the training @name. (transfer
 * full) (nullable): %NULL with %GOBAN_ERROR_IO set */
char *goban_scorer_net_find_own (const char *file, const char *name,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The kind of network that a file contains, of kinds (n): %NULL for another, and for unreadable
 * files. */
const GobanScorerNetKind *goban_scorer_net_find_kind (const GobanScorerNetKind *kinds, guint n,
                                                      const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanScorerNet, goban_scorer_net_free)
