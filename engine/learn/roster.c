#include "engine/learn/roster.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"

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
  &goban_placer_go_zeroshot,
  &goban_placer_go_finetune,
  &goban_placer_go_one,
  &goban_placer_go_oneshot,
  &goban_placer_random,
  &goban_placer_round_robin,
};
/* clang-format on */

/* Names of earlier versions, in scripts, sessions and files. */
static const struct
{
  const char *old, *now;
} renamed[] = {
  { "go", "go-one" },
  { "go-refine", "go-finetune" },
  { "go-portfolio", "go-zeroshot" },
  { "go-improve", "go-finetune" },
};

static GPtrArray *added; /* const GobanPlacer * */
G_LOCK_DEFINE_STATIC (added);

const GobanPlacer *const *
goban_roster (gsize *n)
{
  *n = G_N_ELEMENTS (roster);
  return roster;
}

gboolean
goban_roster_is_built_in (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (roster); i++)
    if (strcmp (roster[i]->name, name) == 0)
      return TRUE;
  return strcmp (name, goban_placer_recorded.name) == 0;
}

void
goban_roster_add (const GobanPlacer *placer)
{
  G_LOCK (added);
  if (added == NULL)
    added = g_ptr_array_new ();
  g_ptr_array_add (added, (gpointer) placer);
  G_UNLOCK (added);
}

void
goban_roster_remove (const GobanPlacer *placer)
{
  G_LOCK (added);
  g_ptr_array_remove (added, (gpointer) placer);
  G_UNLOCK (added);
}

GPtrArray *
goban_roster_dup_all (void)
{
  GPtrArray *all = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (roster); i++)
    g_ptr_array_add (all, (gpointer) roster[i]);
  G_LOCK (added);
  for (guint i = 0; added != NULL && i < added->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (added, i));
  G_UNLOCK (added);
  return all;
}

/* The policy that was probably meant. (nullable) */
static const char *
find_nearest (GPtrArray *placers, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  int nearest;

  for (guint i = 0; i < placers->len; i++)
    g_ptr_array_add (names, (gpointer) ((const GobanPlacer *) placers->pdata[i])->name);
  nearest = goban_find_nearest_word ((const char *const *) names->pdata, names->len, name);
  return nearest >= 0 ? g_ptr_array_index (names, nearest) : NULL;
}

const GobanPlacer *
goban_roster_find (const char *name, GError **error)
{
  g_autoptr (GPtrArray) all = goban_roster_dup_all ();
  g_autoptr (GString) names = NULL;
  const char *nearest;

  for (guint i = 0; i < all->len; i++)
    {
      const GobanPlacer *placer = g_ptr_array_index (all, i);

      if (strcmp (placer->name, name) == 0)
        return placer;
    }
  if (strcmp (name, goban_placer_recorded.name) == 0)
    return &goban_placer_recorded;

  for (gsize i = 0; i < G_N_ELEMENTS (renamed); i++)
    if (strcmp (renamed[i].old, name) == 0)
      {
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "the policy “%s” of earlier versions is no more; use “%s”", name,
                         renamed[i].now);
        return NULL;
      }

  names = g_string_new (roster[0]->name);
  for (guint i = 1; i < all->len; i++)
    g_string_append_printf (names, ", %s", ((const GobanPlacer *) all->pdata[i])->name);
  nearest = find_nearest (all, name);
  if (nearest != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "there is no policy “%s”; did you mean “%s”? There are %s", name, nearest,
                     names->str);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "there is no policy “%s”; there are %s", name,
                     names->str);
  return NULL;
}
