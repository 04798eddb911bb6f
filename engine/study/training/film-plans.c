#include "engine/study/training/film-plans.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/study/training/networks.h"
#include "engine/study/training/training-film.h"

GobanRunOptions
goban_film_plan_options (const char *policy, const char *file, const char *name)
{
  return (GobanRunOptions){
    .network = file,
    .name = name,
    .max_evaluations = 1,
  };
}

char *
goban_film_plan_dup_name (const char *output, guint step)
{
  g_autofree char *file = g_path_get_basename (output);

  return g_strdup_printf (_ ("%s, update %u"), file, step);
}

/* (nullable) (transfer full) */
static GobanRun *
make_run (const GobanTrainingFilmFrame *frame, const char *output, GobanCostModel *costs,
          const GobanProgress *progress, GError **error)
{
  const GobanProgress quiet = { .should_stop = progress != NULL ? progress->should_stop : NULL,
                                .user_data = progress != NULL ? progress->user_data : NULL };
  g_autofree char *name = goban_film_plan_dup_name (output, frame->step);
  g_autoptr (GobanNetworkInfo) info = goban_network_info_load (frame->file, error);
  GobanRunOptions options;

  if (info == NULL)
    return NULL;
  options = goban_film_plan_options (info->policy, frame->file, name);
  options.progress = &quiet;
  return goban_run_new_from_policy (costs, info->policy, &options, error);
}

GPtrArray *
goban_film_plans_new (const char *output, GobanCostModel *costs, const GobanProgress *progress,
                      GError **error)
{
  g_autoptr (GArray) frames = goban_training_film_list (output);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_run_unref);
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < frames->len; i++)
    {
      GError *why = NULL;
      GobanRun *run;

      if (!goban_progress_check (progress, error))
        return NULL;
      run = make_run (&g_array_index (frames, GobanTrainingFilmFrame, i), output, costs, progress,
                      &why);
      if (run != NULL)
        g_ptr_array_add (runs, run);
      else if (first == NULL)
        first = g_steal_pointer (&why);
      g_clear_error (&why);
      goban_progress_step (progress, (i + 1.0) / frames->len, _ ("Placing"));
    }
  if (!goban_progress_check (progress, error)) /* the last plan may be missing for that */
    return NULL;
  if (runs->len > 0)
    return g_steal_pointer (&runs);
  if (first != NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "no network of the film of %s places: %s", output,
                     first->message);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "%s has no film: the folder %s.film has no networks of earlier updates",
                     output, output);
  return NULL;
}
