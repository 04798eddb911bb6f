#include "engine/learn/rl/collapse.h"

#include "engine/core/i18n.h"

#define LEAST_ENTROPY 1e-3
#define MOST_SHARE 0.98

const char *
goban_collapse_describe (const GobanCollapseSign *signs, guint n)
{
  double entropy = 0;
  gboolean is_on_one = TRUE;

  if (n < GOBAN_COLLAPSE_WINDOW)
    return NULL;
  for (guint i = n - GOBAN_COLLAPSE_WINDOW; i < n; i++)
    {
      entropy += signs[i].entropy / GOBAN_COLLAPSE_WINDOW;
      is_on_one = is_on_one && signs[i].top_share > MOST_SHARE;
    }
  if (is_on_one)
    return N_ ("collapsed: all samples of the last updates put everything on one device");
  if (entropy < LEAST_ENTROPY)
    return N_ ("collapsed: nothing is left to chance, all samples of a problem are the same plan");
  return NULL;
}

const char *
goban_collapse_describe_errors (const double *errors, const double *constant_errors, guint n)
{
  double excess = 0;

  if (n < GOBAN_COLLAPSE_WINDOW)
    return NULL;
  for (guint i = n - GOBAN_COLLAPSE_WINDOW; i < n; i++)
    excess += errors[i] - constant_errors[i];
  return excess >= 0 ? N_ ("learns nothing: the gains of the last updates are predicted no better "
                           "than by their mean")
                     : NULL;
}
