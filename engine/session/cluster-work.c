#include "engine/session/cluster-work.h"

#include "engine/core/i18n.h"
#include "engine/session/session-log.h"
#include "engine/session/session-private.h"
#include "engine/session/state-cluster.h"
#include "engine/study/log/log-lines.h"

typedef struct
{
  GobanCluster *cluster;
  gboolean is_origin; /* chosen by name: the next change starts anew */
  char *name;
  char *line;
  GobanState *next; /* (nullable) until it is run */
  guint n_dropped;
} Step;

struct _GobanClusterWork
{
  gatomicrefcount ref_count;
  GobanState *start;
  GArray *steps; /* of Step */
};

static void
clear_step (gpointer data)
{
  Step *step = data;

  g_clear_pointer (&step->next, goban_state_unref);
  goban_cluster_unref (step->cluster);
  g_free (step->name);
  g_free (step->line);
}

GobanClusterWork *
goban_cluster_work_new (GobanSession *session)
{
  GobanClusterWork *self = g_new0 (GobanClusterWork, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->start = goban_state_ref (goban_session_get_state (session));
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (self->steps, clear_step);
  return self;
}

GobanClusterWork *
goban_cluster_work_ref (GobanClusterWork *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_cluster_work_unref (GobanClusterWork *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  goban_state_unref (self->start);
  g_array_unref (self->steps);
  g_free (self);
}

/* The cluster that the next change applies to, and its original. */
static void
get_last (GobanClusterWork *self, GobanCluster **cluster, GobanCluster **origin)
{
  *cluster = self->start->cluster;
  *origin = self->start->origin;
  for (guint i = 0; i < self->steps->len; i++)
    {
      const Step *step = &g_array_index (self->steps, Step, i);

      *cluster = step->cluster;
      if (step->is_origin)
        *origin = step->cluster;
    }
}

gboolean
goban_cluster_work_add (GobanClusterWork *self, const GobanWhatIf *change, GError **error)
{
  GobanCluster *cluster, *origin;
  Step step = { .next = NULL };

  g_return_val_if_fail (self != NULL && change != NULL, FALSE);

  get_last (self, &cluster, &origin);
  step.cluster = goban_what_if (cluster, origin, change, error);
  if (step.cluster == NULL)
    return FALSE;
  step.name = goban_what_if_name (cluster, change);
  step.line = goban_log_what_if (cluster, change);
  g_array_append_val (self->steps, step);
  return TRUE;
}

void
goban_cluster_work_add_cluster (GobanClusterWork *self, GobanCluster *chosen)
{
  GobanCluster *cluster, *origin;
  Step step = { .is_origin = TRUE };

  g_return_if_fail (self != NULL && chosen != NULL);

  get_last (self, &cluster, &origin);
  if (goban_what_if_is_same (chosen, cluster))
    return;
  step.cluster = goban_cluster_ref (chosen);
  step.name = g_strdup_printf (_ ("take the cluster %s"), goban_cluster_get_name (chosen));
  step.line = goban_log_cluster (chosen);
  g_array_append_val (self->steps, step);
}

guint
goban_cluster_work_get_n (const GobanClusterWork *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->steps->len;
}

void
goban_cluster_work_run (GobanClusterWork *self)
{
  const GobanState *state = self->start;

  for (guint i = 0; i < self->steps->len; i++)
    {
      Step *step = &g_array_index (self->steps, Step, i);

      g_clear_pointer (&step->next, goban_state_unref);
      step->next = goban_state_with_cluster (state, step->cluster, NULL, &step->n_dropped);
      /* A return to the original cluster is not a new choice of one. */
      if (step->is_origin && step->cluster != state->origin)
        goban_state_set_chosen (step->next);
      state = step->next;
    }
}

/* For a cluster chosen by the user; changes of its numbers do not repeat the warning. */
static void
say_estimates (GobanSession *self)
{
  const GobanState *state = goban_session_get_state (self);
  GobanGraph *graph = goban_session_get_graph (self);
  g_autofree char *warning = NULL;

  if (graph == NULL || state->origin != state->cluster)
    return;
  goban_cluster_check_times (state->cluster, graph, &warning, NULL); /* refused before */
  if (warning != NULL)
    goban_session_say (self, FALSE, "%s", warning);
}

void
goban_session_commit_cluster (GobanSession *self, const char *name, const char *line,
                              GobanState *next, guint n_dropped)
{
  guint n_runs = goban_session_get_state (self)->runs->len;

  goban_session_commit (self, name, next);
  goban_session_log (self, line);
  say_estimates (self);
  if (n_dropped > 0)
    goban_session_say (self, FALSE,
                       "%u of %u plans do not fit the cluster %s and were left out; "
                       "undo brings them back",
                       n_dropped, n_runs,
                       goban_cluster_get_name (goban_session_get_cluster (self)));
}

void
goban_cluster_work_take (GobanClusterWork *self, GobanSession *session)
{
  g_return_if_fail (self != NULL && GOBAN_IS_SESSION (session));

  if (goban_session_get_state (session) != self->start)
    {
      goban_state_unref (self->start);
      self->start = goban_state_ref (goban_session_get_state (session));
      goban_cluster_work_run (self);
    }
  for (guint i = 0; i < self->steps->len; i++)
    {
      Step *step = &g_array_index (self->steps, Step, i);

      if (step->next != NULL)
        goban_session_commit_cluster (session, step->name, step->line,
                                      g_steal_pointer (&step->next), step->n_dropped);
    }
}
