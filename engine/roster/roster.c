#include "engine/roster/roster.h"

#include "engine/base/error.h"
#include "engine/placers/policies.h"
#include "engine/rl/policies.h"

#include <string.h>

/* clang-format off */
static const GobanPlacer *const roster[] = {
  &goban_placer_single,
  &goban_placer_tf_default,
  &goban_placer_expert,
  &goban_placer_metis,
  &goban_placer_metis_mem,
  &goban_placer_heft,
  &goban_placer_cpop,
  &goban_placer_etf,
  &goban_placer_critical_path,
  &goban_placer_pipeline,
  &goban_placer_m_topo,
  &goban_placer_m_etf,
  &goban_placer_m_sct,
  &goban_placer_cells,
  &goban_placer_anneal,
  &goban_placer_local_search,
  &goban_placer_post,
  &goban_placer_brkga,
  &goban_placer_regal,
  &goban_placer_hdp,
  &goban_placer_placeto,
  &goban_placer_exact,
  &goban_placer_go,
  &goban_placer_go_zeroshot,
  &goban_placer_go_portfolio,
  &goban_placer_go_improve,
  &goban_placer_go_finetune,
  &goban_placer_go_refine,
  &goban_placer_random,
  &goban_placer_round_robin,
};
/* clang-format on */

const GobanPlacer *const *
goban_roster (gsize *n)
{
  *n = G_N_ELEMENTS (roster);
  return roster;
}

const GobanPlacer *
goban_roster_find (const char *name, GError **error)
{
  g_autoptr (GString) names = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (roster); i++)
    if (strcmp (roster[i]->name, name) == 0)
      return roster[i];
  if (strcmp (name, goban_placer_recorded.name) == 0)
    return &goban_placer_recorded;

  names = g_string_new (roster[0]->name);
  for (gsize i = 1; i < G_N_ELEMENTS (roster); i++)
    g_string_append_printf (names, ", %s", roster[i]->name);
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no policy “%s”; there are %s", name,
                   names->str);
  return NULL;
}
