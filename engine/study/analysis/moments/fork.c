#include "engine/study/analysis/moments/fork.h"

#include "engine/core/error.h"
#include "engine/study/analysis/moments/moment-shown.h"

#include <string.h>

#define ORIGIN ", from decision "

const char **
goban_fork_list_policies (void)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);
  const char **names = g_new0 (const char *, n + 1);
  guint n_names = 0;

  for (gsize i = 0; i < n; i++)
    if (policies[i].has_start)
      names[n_names++] = policies[i].name;
  return names;
}

gboolean
goban_fork_check_policy (const char *policy, GError **error)
{
  g_autofree const char **names = goban_fork_list_policies ();
  g_autofree char *all = NULL;

  if (g_strv_contains (names, policy))
    return TRUE;
  if (!goban_policy_exists (policy, error))
    return FALSE;
  all = g_strjoinv (", ", (char **) names);
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "%s makes plans of its own; policies that go on from a plan are: %s", policy,
                   all);
  return FALSE;
}

char *
goban_fork_dup_name (GobanRun *run, GobanMoment moment, const char *policy)
{
  return g_strdup_printf ("%s" ORIGIN "%u of %s", policy, moment, goban_run_get_name (run));
}

const char *
goban_fork_find_origin (const char *name)
{
  return strstr (name, ORIGIN);
}

GobanRun *
goban_fork_new_run (GobanRun *run, GobanMoment moment, const char *policy,
                    const GobanRunOptions *options, GError **error)
{
  GobanRunOptions forking = *options;
  g_autoptr (GobanPlan) start = NULL;
  g_autofree char *name = NULL;

  if (!goban_fork_check_policy (policy, error))
    return NULL;
  start = goban_moment_new_plan (run, moment, error);
  if (start == NULL)
    return NULL;
  name = goban_fork_dup_name (run, moment, policy);
  forking.start = start;
  forking.name = name;
  /* Pinned nodes stay where they are at the moment. */
  if (options->pinned != NULL)
    forking.pinned_by = forking.start;
  return goban_run_new_from_policy (goban_run_get_costs (run), policy, &forking, error);
}
