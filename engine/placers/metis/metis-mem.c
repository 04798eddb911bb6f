/* METIS with memory as a second weight: the fair variant of the baseline. */
#include "engine/core/i18n.h"
#include "engine/placers/metis/metis-parts.h"
#include "engine/placers/policies.h"

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_metis_place (costs, TRUE, options, error);
}

const GobanPlacer goban_placer_metis_mem = {
  .name = "metis-mem",
  .blurb = N_ ("as metis, with the bytes of parameters and outputs balanced as well as the time"),
  .about = N_ (
      "As metis, but every vertex has two weights, its time and its bytes, and METIS balances both "
      "(multi-constraint partitioning): time by speed, bytes by what the devices "
      "can hold. Nobody published it as a placer; it is here so that the baseline does not lose "
      "for want of being told about memory. Ours: the bytes are parameters and all "
      "outputs, as if these lived to the end; all else as metis."),
  .source
  = "Karypis and Kumar, Multilevel Algorithms for Multi-Constraint Graph Partitioning, 1998",
  .is_random = TRUE,
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
