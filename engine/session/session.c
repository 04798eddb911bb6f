#include "engine/session/log-lines.h"
#include "engine/session/session-private.h"

#define DEFAULT_CLUSTER "p100x4"

struct _GobanSession
{
  GObject parent_instance;

  GobanGraph *graph;
  char *path;
  GobanCluster *cluster;
  GobanCostModel *costs; /* NULL without a graph */
  GListStore *runs;      /* GobanRun, the order of goban_run_compare() */
  GobanRun *current_run;
  GobanSelection *selection;
  GobanView *view;
  GobanJob *job;
  GPtrArray *log; /* char *, lines of Lua */
};

enum
{
  PROP_GRAPH = 1,
  PROP_CLUSTER,
  PROP_CURRENT_RUN,
  PROP_SELECTION,
  PROP_JOB,
  N_PROPS
};

enum
{
  MESSAGE,
  ZOOM,
  LOG,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (GobanSession, goban_session, G_TYPE_OBJECT)

static void
goban_session_dispose (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  if (self->job != NULL)
    {
      goban_job_cancel (self->job);
      g_signal_handlers_disconnect_by_data (self->job, self);
      g_clear_object (&self->job);
    }
  g_clear_object (&self->current_run);
  g_list_store_remove_all (self->runs);
  G_OBJECT_CLASS (goban_session_parent_class)->dispose (object);
}

static void
goban_session_finalize (GObject *object)
{
  GobanSession *self = GOBAN_SESSION (object);

  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->selection, goban_selection_unref);
  g_clear_pointer (&self->path, g_free);
  g_clear_object (&self->runs);
  g_clear_object (&self->view);
  g_clear_pointer (&self->log, g_ptr_array_unref);
  G_OBJECT_CLASS (goban_session_parent_class)->finalize (object);
}

static void
goban_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanSession *self = GOBAN_SESSION (object);

  switch (id)
    {
    case PROP_GRAPH:
      g_value_set_pointer (value, self->graph);
      break;
    case PROP_CLUSTER:
      g_value_set_pointer (value, self->cluster);
      break;
    case PROP_CURRENT_RUN:
      g_value_set_object (value, self->current_run);
      break;
    case PROP_SELECTION:
      g_value_set_boxed (value, self->selection);
      break;
    case PROP_JOB:
      g_value_set_object (value, self->job);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_session_class_init (GobanSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = goban_session_dispose;
  object_class->finalize = goban_session_finalize;
  object_class->get_property = goban_session_get_property;

  props[PROP_GRAPH] = g_param_spec_pointer ("graph", NULL, NULL, flags);
  props[PROP_CLUSTER] = g_param_spec_pointer ("cluster", NULL, NULL, flags);
  props[PROP_CURRENT_RUN] = g_param_spec_object ("current-run", NULL, NULL, GOBAN_TYPE_RUN, flags);
  props[PROP_SELECTION] = g_param_spec_boxed ("selection", NULL, NULL, GOBAN_TYPE_SELECTION, flags);
  props[PROP_JOB] = g_param_spec_object ("job", NULL, NULL, GOBAN_TYPE_JOB, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[MESSAGE] = g_signal_new ("message", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  signals[ZOOM] = g_signal_new ("zoom", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[LOG] = g_signal_new ("log", GOBAN_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
goban_session_init (GobanSession *self)
{
  g_autoptr (GError) error = NULL;

  self->runs = g_list_store_new (GOBAN_TYPE_RUN);
  self->log = g_ptr_array_new_with_free_func (g_free);
  self->selection = goban_selection_new (NULL, 0);
  self->view = goban_view_new ();
  g_signal_connect_object (self->view, "log", G_CALLBACK (goban_session_log), self,
                           G_CONNECT_SWAPPED);
  self->cluster = goban_cluster_new_from_spec (DEFAULT_CLUSTER, &error);
  g_assert_no_error (error);
}

GobanSession *
goban_session_new (void)
{
  return g_object_new (GOBAN_TYPE_SESSION, NULL);
}

/* --- getters ---------------------------------------------------------------------------- */

GobanGraph *
goban_session_get_graph (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->graph;
}

const char *
goban_session_get_path (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->path;
}

GobanCluster *
goban_session_get_cluster (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->cluster;
}

GobanCostModel *
goban_session_get_costs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->costs;
}

GListModel *
goban_session_get_runs (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return G_LIST_MODEL (self->runs);
}

GobanRun *
goban_session_get_current_run (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->current_run;
}

GobanSelection *
goban_session_get_selection (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->selection;
}

GobanView *
goban_session_get_view (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->view;
}

GobanJob *
goban_session_get_job (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->job;
}

/* --- saying things ------------------------------------------------------------------------ */

void
goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_signal_emit (self, signals[MESSAGE], 0, is_error, text);
}

void
goban_session_log (GobanSession *self, const char *lua)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && lua != NULL);

  g_ptr_array_add (self->log, g_strdup (lua));
  g_signal_emit (self, signals[LOG], 0, lua);
}

const GPtrArray *
goban_session_get_log (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->log;
}

static void log_line (GobanSession *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
log_line (GobanSession *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  goban_session_log (self, text);
}

void
goban_session_zoom (GobanSession *self, const char *what)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  g_signal_emit (self, signals[ZOOM], 0, what);
}

/* --- changes -------------------------------------------------------------------------------- */

static void
notify (GobanSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
refresh_costs (GobanSession *self)
{
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  if (self->graph != NULL)
    self->costs = goban_cost_model_new (self->graph, self->cluster, FALSE);
}

/* Returns FALSE where nothing changes. The log is the caller's: not every change is somebody's. */
static gboolean
change_selection (GobanSession *self, GobanSelection *selection)
{
  if (goban_selection_equal (self->selection, selection))
    return FALSE;

  goban_selection_ref (selection);
  goban_selection_unref (self->selection);
  self->selection = selection;
  notify (self, PROP_SELECTION);
  return TRUE;
}

static gboolean
change_current_run (GobanSession *self, GobanRun *run)
{
  if (!g_set_object (&self->current_run, run))
    return FALSE;

  notify (self, PROP_CURRENT_RUN);
  return TRUE;
}

void
goban_session_set_selection (GobanSession *self, GobanSelection *selection)
{
  g_autofree char *nodes = NULL;
  const GobanNodeId *ids;
  guint n;

  g_return_if_fail (GOBAN_IS_SESSION (self) && selection != NULL);

  if (!change_selection (self, selection) || self->graph == NULL)
    return;

  ids = goban_selection_get_ids (selection, &n);
  nodes = goban_log_nodes (self->graph, ids, n);
  log_line (self, "view.select(%s)", n > 0 ? nodes : "");
}

/* Runs have places in the list, from 1, that are the same wherever the same runs are added. */
void
goban_session_set_current_run (GobanSession *self, GobanRun *run)
{
  guint position;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (change_current_run (self, run) && run != NULL
      && g_list_store_find (self->runs, run, &position))
    log_line (self, "view.show(%u)", position + 1);
}

void
goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);

  g_return_if_fail (GOBAN_IS_SESSION (self) && graph != NULL);

  /* Whatever points into the old graph goes before the graph does. */
  change_current_run (self, NULL);
  g_list_store_remove_all (self->runs);
  change_selection (self, nothing);
  goban_view_reset (self->view);

  goban_graph_ref (graph);
  g_clear_pointer (&self->graph, goban_graph_unref);
  self->graph = graph;
  g_free (self->path);
  self->path = g_strdup (path);
  refresh_costs (self);
  notify (self, PROP_GRAPH);
}

static int
compare_runs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return goban_run_compare (a, b);
}

void
goban_session_add_run (GobanSession *self, GobanRun *run)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && GOBAN_IS_RUN (run));

  if (goban_run_get_graph (run) != self->graph)
    goban_session_set_graph (self, goban_run_get_graph (run), NULL);
  if (!g_list_store_find (self->runs, run, NULL))
    g_list_store_insert_sorted (self->runs, run, compare_runs, NULL);
  change_current_run (self, run);
}

void
goban_session_remove_run (GobanSession *self, GobanRun *run)
{
  g_autoptr (GobanRun) next = NULL;
  guint position;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (!g_list_store_find (self->runs, run, &position))
    return;

  log_line (self, "view.remove(%u)", position + 1);
  g_list_store_remove (self->runs, position);
  if (run == self->current_run)
    {
      next = g_list_model_get_item (G_LIST_MODEL (self->runs), 0);
      change_current_run (self, next);
    }
}

/* Simulates the plans of old runs on the new cluster; those that do not fit it are dropped with
 * a word. */
static void
rerun_all (GobanSession *self, GPtrArray *old, GobanRun *old_current)
{
  g_autoptr (GobanRun) current = NULL;
  guint n_dropped = 0;

  for (guint i = 0; i < old->len; i++)
    {
      GobanRun *run = g_ptr_array_index (old, i);
      g_autoptr (GobanRun) fresh = NULL;

      if (!goban_plan_check (goban_run_get_plan (run), self->costs, NULL)) /* a yes or no */
        {
          n_dropped++;
          continue;
        }
      fresh = goban_run_new (self->costs, goban_run_get_plan (run), goban_run_get_name (run));
      goban_session_add_run (self, fresh);
      if (run == old_current)
        g_set_object (&current, fresh);
    }

  if (current != NULL)
    change_current_run (self, current);
  if (n_dropped > 0)
    goban_session_say (self, FALSE, "%u of %u plans do not fit the cluster %s and were left out",
                       n_dropped, old->len, goban_cluster_get_name (self->cluster));
}

void
goban_session_set_cluster (GobanSession *self, GobanCluster *cluster)
{
  g_autoptr (GPtrArray) old = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GobanRun) old_current = NULL;
  g_autofree char *line = NULL;

  g_return_if_fail (GOBAN_IS_SESSION (self) && cluster != NULL);

  if (cluster == self->cluster)
    return;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->runs)); i++)
    g_ptr_array_add (old, g_list_model_get_item (G_LIST_MODEL (self->runs), i));
  g_set_object (&old_current, self->current_run);
  change_current_run (self, NULL);
  g_list_store_remove_all (self->runs);

  goban_cluster_ref (cluster);
  goban_cluster_unref (self->cluster);
  self->cluster = cluster;
  refresh_costs (self);
  line = goban_log_cluster (cluster);
  goban_session_log (self, line);
  notify (self, PROP_CLUSTER);
  rerun_all (self, old, old_current);
}

void
goban_session_take_job (GobanSession *self, GobanJob *job)
{
  g_clear_object (&self->job);
  self->job = job;
  notify (self, PROP_JOB);
}

void
goban_session_cancel_job (GobanSession *self)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  if (self->job != NULL)
    goban_job_cancel (self->job);
}
