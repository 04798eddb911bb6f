/* METIS as TensorFlow's placers were compared with it: time balanced, memory unknown. */
#include "engine/core/i18n.h"
#include "engine/placers/metis/metis-parts.h"
#include "engine/placers/policies.h"

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_metis_place (costs, FALSE, options, error);
}

const GobanPlacer goban_placer_metis = {
  .name = "metis",
  .blurb = N_ ("balanced parts with few bytes between them, by METIS's k-way partitioning"),
  .about
  = N_ ("Cuts the graph into a part per device so that the parts take equally long, within 3 per "
        "cent, and few bytes cross between them: heavy-edge matching down to some 30 vertices "
        "a part, a first cut, refinement at the boundary on the way back. It knows neither memory "
        "nor that ops wait for each other, as where the literature compares with it, so it "
        "runs out of memory or loses. Ours: a colocation group is one vertex; faster "
        "devices get larger parts; what cannot run on its part's device goes to the one it "
        "shares most bytes with; ops run in the order in which they become ready."),
  .source = "Karypis and Kumar, Multilevel k-way Partitioning Scheme for Irregular Graphs, 1998",
  .is_random = TRUE,
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
