/* share-steps.c: the decisions that led to a plan of a shared page, a sample of them. */
#include "ui/draw/reports/share-private.h"
#include "ui/draw/reports/share.h"

#include "engine/core/json-text.h"
#include "engine/study/analysis/steps/step-choices.h"

/* Devices of items after a step: that of most nodes, or NOT_DECIDED for most. */
#define NOT_DECIDED (-1)

static guint
get_n_devices (const GobanShareRun *share)
{
  return goban_cluster_get_n_devices (goban_run_get_cluster (share->run));
}

/* The device of each node after step @n: of a policy that builds its plan that of the plan, else of
 * the run of the step. */
static void
vote (const GobanShareRun *share, guint n, const GobanPlan *plan, guint *votes)
{
  const GobanOutline *outline = share->plot->outline;
  guint n_columns = get_n_devices (share) + 1;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (outline->graph); v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM)
      {
        guint device = goban_steps_is_decided (share->run, n, v) ? goban_plan_get_device (plan, v)
                                                                 : n_columns - 1;

        votes[(gsize) outline->item_of[v] * n_columns + device]++;
      }
}

static void
elect (const guint *votes, guint n_columns, guint n_items, int *places)
{
  for (guint i = 0; i < n_items; i++)
    {
      guint most = goban_share_find_most (&votes[(gsize) i * n_columns], n_columns);

      places[i] = most + 1 == n_columns ? NOT_DECIDED : (int) most;
    }
}

/* FALSE if there is no plan after this step. */
static gboolean
find_places (const GobanShareRun *share, guint n, int *places)
{
  guint n_items = share->plot->outline->n_items;
  guint n_columns = get_n_devices (share) + 1;
  g_autofree guint *votes = g_new0 (guint, (gsize) MAX (n_items, 1) * n_columns);
  g_autoptr (GobanRun) step = goban_steps_are_choices (share->run)
                                  ? goban_run_ref (share->run)
                                  : goban_steps_new_run (share->run, n, NULL); /* or no plan yet */

  if (step == NULL)
    return FALSE;
  vote (share, n, goban_run_get_plan (step), votes);
  elect (votes, n_columns, n_items, places);
  return TRUE;
}

/* The text, the makespan, and pairs of item and device for the changes since the last one. */
static void
add_step (GString *json, const GobanShareRun *share, guint n, const int *places, int *before)
{
  g_autofree char *text = goban_steps_describe (share->run, n);

  goban_share_open (json, NULL, '{');
  goban_json_add_string (json, "text", text);
  goban_json_add_number (json, "makespan", goban_steps_get_makespan_us (share->run, n));
  goban_share_open (json, "changes", '[');
  for (guint i = 0; i < share->plot->outline->n_items; i++)
    if (places[i] != before[i])
      {
        goban_share_add_int (json, i);
        goban_share_add_int (json, places[i]);
        before[i] = places[i];
      }
  goban_share_close (json, ']');
  goban_share_close (json, '}');
}

gboolean
goban_share_add_steps (GString *json, const GobanShareRun *share, GError **error)
{
  guint first = goban_steps_get_first (share->run);
  guint count = goban_steps_count (share->run);
  guint n = count > 0 ? MIN (count - first + 1, GOBAN_SHARE_STEPS) : 0;
  guint n_items = share->plot->outline->n_items;
  g_autofree int *before = g_new (int, MAX (n_items, 1));
  g_autofree int *places = g_new (int, MAX (n_items, 1));

  for (guint i = 0; i < n_items; i++)
    before[i] = NOT_DECIDED;
  goban_share_open (json, "steps", '[');
  for (guint i = 0; i < n; i++)
    {
      guint step = n > 1 ? first + (guint) ((guint64) i * (count - first) / (n - 1)) : count;

      if (!goban_progress_check (share->progress, error))
        return FALSE;
      if (find_places (share, step, places))
        add_step (json, share, step, places, before);
    }
  goban_share_close (json, ']');
  return TRUE;
}
