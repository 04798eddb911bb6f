#include "ui/panels/search-bar.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "engine/study/analysis/query.h"
#include "engine/study/log/set-description.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

struct _GobanSearchBar
{
  GtkWidget parent;

  GobanSession *session;
  GobanJob *job;           /* the search under way, else NULL; older ones do not count */
  char *asked;             /* (nullable): text of the running search ... */
  GobanRun *asked_run;     /* (nullable): ... in this run, if the text asks for one */
  GobanSelection *matches; /* NULL: nothing is searched for, or there is a mistake in it */
  gboolean has_wrapped;    /* the last step went round an end */
  gboolean is_stepping;    /* the selection changes by a step of ours */

  GtkWidget *entry;
  GtkWidget *count;
  GtkWidget *mistake;
  GtkWidget *commands; /* shown if no node is found: people look for those here, too */
};

enum
{
  PROP_MATCHES = 1,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (GobanSearchBar, goban_search_bar, GTK_TYPE_WIDGET)

/* --- matches ---------------------------------------------------------------------------------- */

/* The place of the one selected node among the matches, from 1; 0 if it is none of them. */
static guint
find_place (GobanSearchBar *self)
{
  guint n_selected, n, low = 0;
  const GobanNodeId *selected
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n_selected);
  const GobanNodeId *ids = goban_selection_get_ids (self->matches, &n);

  if (n_selected != 1 || !goban_selection_contains (self->matches, selected[0]))
    return 0;

  for (guint high = n; low < high;)
    {
      guint middle = low + (high - low) / 2;

      if (ids[middle] < selected[0])
        low = middle + 1;
      else
        high = middle;
    }
  return low + 1;
}

static void
update_count (GobanSearchBar *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char number[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
  guint n = 0;
  guint place;

  if (self->matches != NULL)
    {
      goban_selection_get_ids (self->matches, &n);
      place = find_place (self);
      goban_format_grouped (all, n);
      if (n == 0)
        g_string_append (text, _ ("no match"));
      else if (place > 0)
        g_string_append_printf (text, _ ("%s of %s"), goban_format_grouped (number, place), all);
      else
        g_string_append_printf (text, goban_i18n_get_plural ("%s match", "%s matches", n), all);
      if (place > 0 && self->has_wrapped)
        g_string_append (text,
                         place == 1 ? _ (", from the start again") : _ (", from the end again"));
    }
  goban_set_label_text (self->count, text->str);
  gtk_widget_set_visible (self->commands, self->matches != NULL && n == 0);
}

static void
set_matches (GobanSearchBar *self, GobanSelection *matches)
{
  if (self->matches == NULL && matches == NULL)
    return;

  g_clear_pointer (&self->matches, goban_selection_unref);
  self->matches = matches != NULL ? goban_selection_ref (matches) : NULL;
  self->has_wrapped = FALSE;
  update_count (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MATCHES]);
}

static void
set_mistake (GobanSearchBar *self, const char *message)
{
  const char *text = message;

  /* The prefix is redundant here, below the query. */
  if (text != NULL && g_str_has_prefix (text, "query, "))
    text += strlen ("query, ");
  goban_set_label_text (self->mistake, text != NULL ? text : "");
  gtk_widget_set_visible (self->mistake, text != NULL);
  if (text != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
}

const char *
goban_search_bar_get_unmatched (GobanSearchBar *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_BAR (self), NULL);

  return gtk_widget_get_visible (self->commands)
             ? gtk_editable_get_text (GTK_EDITABLE (self->entry))
             : "";
}

/* --- searching -------------------------------------------------------------------------------- */

typedef struct
{
  GobanQuery *query;
  GobanCostModel *costs;
  GobanRun *run; /* (nullable) */
} SearchTask;

static void
search_task_free (gpointer data)
{
  SearchTask *task = data;

  goban_query_free (task->query);
  goban_cost_model_unref (task->costs);
  g_clear_pointer (&task->run, goban_run_unref);
  g_free (task);
}

static gpointer
search_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  SearchTask *task = data;
  GobanNodeContext context = { task->costs, task->run };

  return goban_query_search (task->query, &context, progress, error);
}

static void
search_done_cb (GobanJob *job, GobanSearchBar *self)
{
  g_autoptr (GobanSelection) matches = goban_job_steal_result (job, NULL); /* stopped: newer text */

  if (job != self->job)
    return;

  g_clear_object (&self->job);
  if (matches == NULL)
    return;

  /* Commands on all matches are logged with the query. */
  goban_set_description_store (goban_view_get_words (goban_session_get_view (self->session)),
                               goban_session_get_graph (self->session), matches, self->asked,
                               self->asked_run);
  g_clear_pointer (&self->asked_run, goban_run_unref);
  set_matches (self, matches);
}

static void
forget_job (GobanSearchBar *self)
{
  if (self->job != NULL)
    goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

static void
start_search (GobanSearchBar *self, GobanQuery *query)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  SearchTask *task = g_new0 (SearchTask, 1);

  g_free (self->asked);
  self->asked = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  goban_run_set (&self->asked_run, goban_query_needs_run (query) != NULL ? run : NULL);
  task->query = query;
  task->costs = goban_cost_model_ref (goban_session_get_costs (self->session));
  task->run = goban_run_ref (run);
  self->job = goban_job_start ("Searching", search_worker, task, search_task_free,
                               (GDestroyNotify) goban_selection_unref);
  g_signal_connect_object (self->job, "done", G_CALLBACK (search_done_cb), self, 0);
}

static gboolean
is_blank (const char *text)
{
  return text[strspn (text, " \t")] == '\0';
}

/* Matches of the text before stay until there are others: a count that flickers is not read. */
static void
search (GobanSearchBar *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GobanQuery) query = NULL;
  g_autoptr (GError) error = NULL;
  const char *field;

  forget_job (self);
  if (is_blank (text) || goban_session_get_costs (self->session) == NULL)
    {
      set_mistake (self, NULL);
      set_matches (self, NULL);
      return;
    }

  query = goban_query_new (text, &error);
  field = query != NULL ? goban_query_needs_run (query) : NULL;
  if (field != NULL && goban_session_get_current_run (self->session) == NULL)
    goban_set_error (&error, GOBAN_ERROR_INVALID,
                     "%s is known in a plan only: place the graph first", field);
  set_mistake (self, error != NULL ? error->message : NULL);
  if (error != NULL)
    set_matches (self, NULL);
  else
    start_search (self, g_steal_pointer (&query));
}

/* --- commands --------------------------------------------------------------------------------- */

/* Matches that are in sight; all if none is. (transfer full) */
static GobanSelection *
dup_reachable (GobanSearchBar *self)
{
  GobanView *view = goban_session_get_view (self->session);
  g_autoptr (GobanSelection) shown
      = goban_selection_difference (self->matches, goban_view_get_hidden (view));
  guint n;

  goban_selection_get_ids (shown, &n);
  return n > 0 ? g_steal_pointer (&shown) : goban_selection_ref (self->matches);
}

/* The match behind (or before) the one selected node; the first (or last) from anywhere else. */
static GobanNodeId
find_next (const GobanNodeId *ids, guint n, GobanNodeId from, int direction, gboolean *has_wrapped)
{
  *has_wrapped = FALSE;
  if (from == GOBAN_NO_NODE)
    return direction > 0 ? ids[0] : ids[n - 1];

  if (direction > 0)
    {
      for (guint i = 0; i < n; i++)
        if (ids[i] > from)
          return ids[i];
    }
  else
    {
      for (guint i = n; i-- > 0;)
        if (ids[i] < from)
          return ids[i];
    }
  *has_wrapped = TRUE;
  return direction > 0 ? ids[0] : ids[n - 1];
}

void
goban_search_bar_step (GobanSearchBar *self, int direction)
{
  g_autoptr (GobanSelection) reachable = NULL;
  g_autoptr (GobanSelection) chosen = NULL;
  const GobanNodeId *ids, *selected;
  GobanNodeId next;
  guint n, n_selected;

  g_return_if_fail (GOBAN_IS_SEARCH_BAR (self));

  if (self->matches == NULL)
    return;
  reachable = dup_reachable (self);
  ids = goban_selection_get_ids (reachable, &n);
  if (n == 0)
    return;

  selected = goban_selection_get_ids (goban_session_get_selection (self->session), &n_selected);
  next = find_next (ids, n, n_selected == 1 ? selected[0] : GOBAN_NO_NODE, direction,
                    &self->has_wrapped);
  chosen = goban_selection_new (&next, 1);
  self->is_stepping = TRUE;
  goban_session_set_selection (self->session, chosen);
  self->is_stepping = FALSE;
  update_count (self);
}

void
goban_search_bar_select_all (GobanSearchBar *self)
{
  g_return_if_fail (GOBAN_IS_SEARCH_BAR (self));

  if (self->matches != NULL)
    goban_session_set_selection (self->session, self->matches);
}

static gboolean
has_matches (GobanSearchBar *self)
{
  guint n = 0;

  if (self->matches != NULL)
    goban_selection_get_ids (self->matches, &n);
  return n > 0;
}

void
goban_search_bar_filter (GobanSearchBar *self)
{
  g_autoptr (GobanSelection) rest = NULL;
  GobanGraph *graph;

  g_return_if_fail (GOBAN_IS_SEARCH_BAR (self));

  if (!has_matches (self))
    return;
  graph = goban_session_get_graph (self->session);
  rest = goban_selection_complement (self->matches, goban_graph_get_n_nodes (graph));
  goban_view_set_hidden (goban_session_get_view (self->session), rest, graph);
}

void
goban_search_bar_hide_matches (GobanSearchBar *self)
{
  g_autoptr (GobanSelection) hidden = NULL;
  GobanView *view;

  g_return_if_fail (GOBAN_IS_SEARCH_BAR (self));

  if (!has_matches (self))
    return;
  view = goban_session_get_view (self->session);
  hidden = goban_selection_union (goban_view_get_hidden (view), self->matches);
  goban_view_set_hidden (view, hidden, goban_session_get_graph (self->session));
}

/* --- following -------------------------------------------------------------------------------- */

static void
selection_changed_cb (GobanSearchBar *self)
{
  if (self->is_stepping)
    return;
  self->has_wrapped = FALSE;
  update_count (self);
}

static void
graph_changed_cb (GobanSearchBar *self)
{
  /* Ids of another graph would mean other nodes. */
  set_matches (self, NULL);
  search (self);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        GobanSearchBar *self)
{
  gboolean is_enter = keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter;

  if (is_enter && (state & GDK_CONTROL_MASK) != 0)
    goban_search_bar_select_all (self);
  else if (is_enter && (state & GDK_SHIFT_MASK) != 0)
    goban_search_bar_step (self, -1);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
activate_cb (GobanSearchBar *self)
{
  if (gtk_widget_get_visible (self->commands))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.palette", NULL);
  else
    goban_search_bar_step (self, 1);
}

static void
stop_cb (GobanSearchBar *self)
{
  goban_search_bar_close (self);
}

static void
goban_search_bar_dispose (GObject *object)
{
  GobanSearchBar *self = GOBAN_SEARCH_BAR (object);

  forget_job (self);
  g_clear_pointer (&self->asked_run, goban_run_unref);
  g_clear_pointer (&self->asked, g_free);
  g_clear_pointer (&self->matches, goban_selection_unref);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_search_bar_parent_class)->dispose (object);
}

static void
goban_search_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boxed (value, GOBAN_SEARCH_BAR (object)->matches);
}

static void
goban_search_bar_class_init (GobanSearchBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = goban_search_bar_dispose;
  object_class->get_property = goban_search_bar_get_property;
  gtk_widget_class_set_css_name (widget_class, "finder");
  props[PROP_MATCHES] = g_param_spec_boxed ("matches", NULL, NULL, GOBAN_TYPE_SELECTION,
                                            G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  goban_signal_add (klass, "closed", 0);
  goban_template_set (widget_class, "panels/search-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanSearchBar, entry, count, mistake, commands);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, search, activate_cb, stop_cb, key_cb);
}

static void
goban_search_bar_init (GobanSearchBar *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_search_bar_new (GobanSession *session)
{
  GobanSearchBar *self = g_object_new (GOBAN_TYPE_SEARCH_BAR, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", search, self);
  GOBAN_CONNECT (session, "notify::selection", selection_changed_cb, self);

  return GTK_WIDGET (self);
}

void
goban_search_bar_open (GobanSearchBar *self)
{
  g_return_if_fail (GOBAN_IS_SEARCH_BAR (self));

  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

gboolean
goban_search_bar_close (GobanSearchBar *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_BAR (self), FALSE);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return FALSE;

  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "closed");
  return TRUE;
}

GobanSelection *
goban_search_bar_get_matches (GobanSearchBar *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_BAR (self), NULL);

  return self->matches;
}

gboolean
goban_search_bar_is_searching (GobanSearchBar *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_BAR (self), FALSE);

  return self->job != NULL;
}
