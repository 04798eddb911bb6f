#include "ui/table/node-model.h"

#include "engine/session/session-marks.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/run/slack.h"
#include "ui/widgets/signals.h"

/* Rows just outside the viewport are updated with those inside. */
#define MARGIN 4
#define SHORT_TABLE 32

static void
tell_between (GobanRowNotifier *self, guint first, guint end)
{
  if (first < end)
    self->tell (first, end - first, self->user_data);
}

void
goban_row_notifier_notify (GobanRowNotifier *self, guint n_rows)
{
  gboolean is_all = !self->has_range || n_rows <= SHORT_TABLE;

  self->n_rows = n_rows;
  self->first = is_all ? 0 : MIN (self->range_first, n_rows);
  self->end = is_all ? n_rows : MIN (self->range_end, n_rows);
  tell_between (self, self->first, self->end);
}

void
goban_row_notifier_set_visible (GobanRowNotifier *self, guint first, guint n)
{
  guint end = MIN (first + n + MARGIN, self->n_rows);
  guint told_first = self->first;
  guint told_end = self->end;

  self->has_range = TRUE;
  self->range_first = first - MIN (first, MARGIN);
  self->range_end = first + n + MARGIN;
  first = MIN (self->range_first, self->n_rows);
  if (first > told_end || end < told_first)
    {
      /* After a leap, rows that were updated before are far away. */
      self->first = first;
      self->end = end;
      tell_between (self, first, end);
      return;
    }

  self->first = MIN (first, told_first);
  self->end = MAX (end, told_end);
  tell_between (self, first, told_first);
  tell_between (self, told_end, end);
}

/* A list makes widgets for 200 rows, each some tenths of a millisecond: the first rows come a few
 * at a time. */
#define ROWS_AT_ONCE 4
#define ROWS_IN_ALL 216

/* The cells of a run of so many nodes are known in no time. */
#define FEW_NODES 2000

/* --- a row ------------------------------------------------------------------------------------ */

struct _GobanNodeRow
{
  GObject parent;

  GobanNodeModel *model; /* (nullable) */
  guint position;
};

G_DEFINE_FINAL_TYPE (GobanNodeRow, goban_node_row, G_TYPE_OBJECT)

static void
goban_node_row_dispose (GObject *object)
{
  g_clear_object (&GOBAN_NODE_ROW (object)->model);

  G_OBJECT_CLASS (goban_node_row_parent_class)->dispose (object);
}

static void
goban_node_row_class_init (GobanNodeRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_node_row_dispose;
}

static void
goban_node_row_init (GobanNodeRow *self)
{
}

/* --- the model -------------------------------------------------------------------------------- */

struct _GobanNodeModel
{
  GObject parent;

  GobanSession *session;
  const GobanNodeField *field; /* (nullable) */
  gboolean is_descending;
  GobanSelection *filter; /* (nullable) */
  struct _OwnOrder *own;  /* (nullable): sort key of the rows in place of field and filter */
  gboolean has_own;
  gboolean is_active;
  gboolean is_stale; /* to be sorted as soon as it is active */
  gboolean is_selecting;
  GobanRowNotifier teller; /* of rows that are selected or no longer are */
  GobanJob *job;           /* the order being made, else NULL; older ones do not count */

  GobanNodeId *nodes; /* (n) by row */
  guint n;
  guint n_shown; /* of them, as a list */
  guint show_id; /* while more are shown, else 0 */
  guint32 *rows; /* by node: its row, or GTK_INVALID_LIST_POSITION */
  guint n_nodes; /* of the graph whose rows these are */
};

static void list_model_init (GListModelInterface *iface);
static void selection_model_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GobanNodeModel, goban_node_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_model_init))

/* --- as a list -------------------------------------------------------------------------------- */

static GType
get_item_type (GListModel *model)
{
  return GOBAN_TYPE_NODE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return GOBAN_NODE_MODEL (model)->n_shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (model);
  GobanNodeRow *row;

  if (position >= self->n_shown)
    return NULL;

  row = g_object_new (GOBAN_TYPE_NODE_ROW, NULL);
  row->model = g_object_ref (self);
  row->position = position;
  return row;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

GobanNodeId
goban_node_row_get_node (GobanNodeRow *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_ROW (self), GOBAN_NO_NODE);

  if (self->model == NULL || self->position >= self->model->n)
    return GOBAN_NO_NODE;
  return self->model->nodes[self->position];
}

/* --- as a selection --------------------------------------------------------------------------- */

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (model);

  return position < self->n
         && goban_selection_contains (goban_session_get_selection (self->session),
                                      self->nodes[position]);
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (model);
  GtkBitset *rows = gtk_bitset_new_empty ();
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  /* Few selected are looked up, many rows are not gone through. */
  for (guint i = 0; i < n; i++)
    {
      guint row = goban_node_model_find (self, ids[i]);

      if (row != GTK_INVALID_LIST_POSITION && row >= position && row - position < n_items)
        gtk_bitset_add (rows, row);
    }
  return rows;
}

/* Rows of @mask become as @selected has them; all else, and nodes without a row, stay. */
static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (model);
  g_autofree guint8 *is_chosen = g_malloc0 ((gsize) self->n_nodes + 1);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) selection = NULL;
  gboolean is_all = gtk_bitset_get_size (mask) >= self->n;
  guint n;
  const GobanNodeId *old
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  GtkBitsetIter iter;
  guint row;

  /* Who chooses among all rows means these alone, rows that are filtered out included. */
  for (guint i = 0; !is_all && i < n; i++)
    is_chosen[old[i]] = 1;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &row); more && row < self->n;
       more = gtk_bitset_iter_next (&iter, &row))
    is_chosen[self->nodes[row]] = gtk_bitset_contains (selected, row);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (is_chosen[v])
      g_array_append_val (ids, v);

  selection = goban_selection_new ((const GobanNodeId *) (const void *) ids->data, ids->len);
  self->is_selecting = TRUE;
  goban_session_set_selection (self->session, selection);
  self->is_selecting = FALSE;
  return TRUE;
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
  iface->set_selection = set_selection;
}

/* --- a custom order ------------------------------------------------------------------------- */

typedef struct _OwnOrder
{
  GobanNodeOrder order;
  gpointer data;
  GDestroyNotify free_data;
} OwnOrder;

static void
own_order_clear (gpointer data)
{
  OwnOrder *own = data;

  if (own->free_data != NULL)
    own->free_data (own->data);
}

static void
own_order_release (OwnOrder *own)
{
  g_atomic_rc_box_release_full (own, own_order_clear);
}

/* --- order ------------------------------------------------------------------------------------ */

static void
tell_selection (guint first, guint n, gpointer user_data)
{
  gtk_selection_model_selection_changed (user_data, first, n);
}

/* Which rows are selected has changed with the nodes in them. */
static void
say_changed (GobanNodeModel *self)
{
  goban_row_notifier_notify (&self->teller, self->n_shown);
  g_signal_emit_by_name (self, "changed");
}

static void
show_rows (GobanNodeModel *self, guint n)
{
  guint n_old = self->n_shown;

  self->n_shown = n;
  if (n_old != n)
    g_list_model_items_changed (G_LIST_MODEL (self), MIN (n_old, n), n_old - MIN (n_old, n),
                                n - MIN (n_old, n));
}

static gboolean
show_more_cb (gpointer user_data)
{
  GobanNodeModel *self = user_data;
  guint n = self->n_shown + ROWS_AT_ONCE;

  if (n < MIN (ROWS_IN_ALL, self->n))
    {
      show_rows (self, n);
      return G_SOURCE_CONTINUE;
    }
  self->show_id = 0;
  show_rows (self, self->n);
  g_signal_emit_by_name (self, "changed");
  return G_SOURCE_REMOVE;
}

static void
set_nodes (GobanNodeModel *self, GobanNodeId *nodes, guint n, guint n_nodes)
{
  gboolean is_first = self->n_shown == 0 && n > ROWS_IN_ALL;

  g_clear_handle_id (&self->show_id, g_source_remove);
  g_free (self->nodes);
  g_free (self->rows);
  self->nodes = nodes;
  self->n = n;
  self->n_nodes = n_nodes;
  self->rows = g_new (guint32, (gsize) n_nodes + 1);
  for (guint v = 0; v < n_nodes; v++)
    self->rows[v] = GTK_INVALID_LIST_POSITION;
  for (guint row = 0; row < n; row++)
    self->rows[nodes[row]] = row;
  show_rows (self, is_first ? ROWS_AT_ONCE : n);
  if (is_first)
    self->show_id = g_idle_add_full (G_PRIORITY_LOW, show_more_cb, self, NULL);
  say_changed (self);
}

typedef struct
{
  GobanCostModel *costs;
  GobanRun *run;          /* (nullable) */
  GobanSelection *filter; /* (nullable) */
  const GobanNodeField *field;
  gboolean is_descending;
  OwnOrder *own; /* (nullable) */
} SortTask;

typedef struct
{
  GobanNodeId *nodes;
  guint n;
  guint n_nodes;
} SortResult;

static void
sort_task_free (gpointer data)
{
  SortTask *task = data;

  goban_cost_model_unref (task->costs);
  g_clear_pointer (&task->run, goban_run_unref);
  g_clear_pointer (&task->filter, goban_selection_unref);
  g_clear_pointer (&task->own, own_order_release);
  g_free (task);
}

static void
sort_result_free (gpointer data)
{
  SortResult *result = data;

  g_free (result->nodes);
  g_free (result);
}

static gpointer
sort_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  SortTask *task = data;
  GobanNodeContext context = { task->costs, task->run };
  guint n;
  GobanNodeId *nodes = task->own != NULL
                           ? task->own->order (task->own->data, progress, &n, error)
                           : goban_node_list_sort (&context, task->filter, task->field,
                                                   task->is_descending, progress, &n, error);
  SortResult *result;

  if (nodes == NULL)
    return NULL;
  /* Cells with slack need a value that the run keeps: it is computed here and not when a row is
   * shown. */
  if (task->run != NULL)
    goban_run_get_slacks (task->run);
  result = g_new (SortResult, 1);
  *result = (SortResult){ nodes, n,
                          goban_graph_get_n_nodes (goban_cost_model_get_graph (task->costs)) };
  return result;
}

static void
sort_done_cb (GobanJob *job, gpointer user_data)
{
  GobanNodeModel *self = user_data;
  SortResult *result = goban_job_steal_result (job, NULL); /* stopped: another order is asked for */

  if (job == self->job)
    {
      g_clear_object (&self->job);
      if (result != NULL)
        set_nodes (self, g_steal_pointer (&result->nodes), result->n, result->n_nodes);
    }
  if (result != NULL)
    sort_result_free (result);
}

static void
forget_job (GobanNodeModel *self)
{
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

static void
start_sort (GobanNodeModel *self)
{
  GobanCostModel *costs = goban_session_get_costs (self->session);
  GobanRun *run = goban_session_get_shown_run (self->session);
  SortTask *task;

  forget_job (self);
  self->is_stale = TRUE;
  if (!self->is_active || costs == NULL || (self->has_own && self->own == NULL))
    return;

  self->is_stale = FALSE;
  task = g_new0 (SortTask, 1);
  *task = (SortTask){
    .costs = goban_cost_model_ref (costs),
    .run = goban_run_ref (run),
    .filter = self->filter != NULL ? goban_selection_ref (self->filter) : NULL,
    .field = self->field,
    .is_descending = self->is_descending,
    .own = self->own != NULL ? g_atomic_rc_box_acquire (self->own) : NULL,
  };
  self->job
      = goban_job_start ("Sorting the nodes", sort_worker, task, sort_task_free, sort_result_free);
  g_signal_connect_object (self->job, "done", G_CALLBACK (sort_done_cb), self, 0);
}

/* --- following the session -------------------------------------------------------------------- */

static void
graph_changed_cb (GobanNodeModel *self)
{
  g_clear_pointer (&self->own, own_order_release); /* it was of the other graph */
  g_clear_pointer (&self->filter, goban_selection_unref);
  set_nodes (self, NULL, 0, 0);
  start_sort (self);
}

/* The rows stay until they are sorted anew; their cells may have changed at once, and are updated
 * then. */
static void
run_changed_cb (GobanNodeModel *self)
{
  if (self->n_nodes <= FEW_NODES)
    {
      g_signal_emit_by_name (self, "changed");
      if (self->field == NULL)
        return;
    }
  start_sort (self);
}

static void
selection_changed_cb (GobanNodeModel *self)
{
  goban_row_notifier_notify (&self->teller, self->n_shown);
}

static void
goban_node_model_dispose (GObject *object)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (object);

  forget_job (self);
  g_clear_handle_id (&self->show_id, g_source_remove);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_node_model_parent_class)->dispose (object);
}

static void
goban_node_model_finalize (GObject *object)
{
  GobanNodeModel *self = GOBAN_NODE_MODEL (object);

  g_clear_pointer (&self->filter, goban_selection_unref);
  g_clear_pointer (&self->own, own_order_release);
  g_free (self->nodes);
  g_free (self->rows);

  G_OBJECT_CLASS (goban_node_model_parent_class)->finalize (object);
}

static void
goban_node_model_class_init (GobanNodeModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_node_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_node_model_finalize;
  goban_signal_add (klass, "changed", 0);
}

static void
goban_node_model_init (GobanNodeModel *self)
{
  self->is_stale = TRUE;
  self->teller = (GobanRowNotifier){ .tell = tell_selection, .user_data = self };
}

GobanNodeModel *
goban_node_model_new (GobanSession *session)
{
  GobanNodeModel *self = g_object_new (GOBAN_TYPE_NODE_MODEL, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::shown-run", run_changed_cb, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);
  return self;
}

void
goban_node_model_set_active (GobanNodeModel *self, gboolean is_active)
{
  g_return_if_fail (GOBAN_IS_NODE_MODEL (self));

  if (self->is_active == is_active)
    return;
  self->is_active = is_active;
  if (is_active && self->is_stale)
    start_sort (self);
}

void
goban_node_model_set_visible_rows (GobanNodeModel *self, guint first, guint n)
{
  g_return_if_fail (GOBAN_IS_NODE_MODEL (self));

  goban_row_notifier_set_visible (&self->teller, first, n);
}

void
goban_node_model_sort (GobanNodeModel *self, const GobanNodeField *field, gboolean is_descending)
{
  g_return_if_fail (GOBAN_IS_NODE_MODEL (self));

  if (self->field == field && self->is_descending == is_descending)
    return;
  self->field = field;
  self->is_descending = is_descending;
  start_sort (self);
}

void
goban_node_model_filter (GobanNodeModel *self, GobanSelection *nodes)
{
  g_return_if_fail (GOBAN_IS_NODE_MODEL (self));

  if (self->filter == nodes)
    return;
  g_clear_pointer (&self->filter, goban_selection_unref);
  self->filter = nodes != NULL ? goban_selection_ref (nodes) : NULL;
  start_sort (self);
}

void
goban_node_model_set_order (GobanNodeModel *self, GobanNodeOrder order, gpointer data,
                            GDestroyNotify free_data)
{
  g_return_if_fail (GOBAN_IS_NODE_MODEL (self));

  self->has_own = TRUE;
  g_clear_pointer (&self->own, own_order_release);
  if (order == NULL)
    {
      forget_job (self);
      set_nodes (self, NULL, 0, 0);
      return;
    }
  self->own = g_atomic_rc_box_new (OwnOrder);
  *self->own = (OwnOrder){ order, data, free_data };
  start_sort (self);
}

gboolean
goban_node_model_is_sorting (GobanNodeModel *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_MODEL (self), FALSE);

  return self->job != NULL || self->show_id != 0;
}

const GobanNodeId *
goban_node_model_get_nodes (GobanNodeModel *self, guint *n)
{
  g_return_val_if_fail (GOBAN_IS_NODE_MODEL (self), NULL);

  *n = self->n;
  return self->nodes;
}

guint
goban_node_model_find (GobanNodeModel *self, GobanNodeId node)
{
  g_return_val_if_fail (GOBAN_IS_NODE_MODEL (self), GTK_INVALID_LIST_POSITION);

  return node < self->n_nodes ? self->rows[node] : GTK_INVALID_LIST_POSITION;
}

guint
goban_node_model_find_selected (GobanNodeModel *self)
{
  const GobanNodeId *ids;
  guint n, first = GTK_INVALID_LIST_POSITION;

  g_return_val_if_fail (GOBAN_IS_NODE_MODEL (self), GTK_INVALID_LIST_POSITION);

  /* GTK_INVALID_LIST_POSITION is larger than every row. */
  ids = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  for (guint i = 0; i < n; i++)
    first = MIN (first, goban_node_model_find (self, ids[i]));
  return first;
}

gboolean
goban_node_model_is_selecting (GobanNodeModel *self)
{
  g_return_val_if_fail (GOBAN_IS_NODE_MODEL (self), FALSE);

  return self->is_selecting;
}
