#include "ui/panels/status-bar.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-history.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_TITLE_CHARS 68
#define MIN_TITLE_CHARS 40
#define MAX_CHANGE_CHARS 48
/* Answers to a command are stale after so long. */
#define HINT_MS 10000

struct _GobanStatusBar
{
  GtkWidget parent;

  GobanSession *session;
  GobanJob *job; /* (nullable) the one whose progress is shown */

  GtkWidget *counts;
  GtkWidget *hidden; /* how many nodes are hidden, and a button that shows them */
  GtkWidget *n_hidden;
  GtkWidget *hint;
  GtkWidget *undo;   /* the last change, with a button to undo it */
  GtkWidget *change; /* its label */
  GtkWidget *work;   /* the job: its title, its bar, its button */
  GtkWidget *title;
  GtkWidget *bar;
  GtkWidget *left; /* how long it will take */
  gboolean is_stopping;
  guint pulse_id;
  guint hint_id; /* of a hint that passes */
  guint n_boxes; /* that show the graph; 0: its nodes do */
};

G_DEFINE_FINAL_TYPE (GobanStatusBar, goban_status_bar, GTK_TYPE_WIDGET)

static void
update_counts (GobanStatusBar *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanSelection *selection = goban_session_get_selection (self->session);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_selected = 0;
  char nodes[GOBAN_QUANTITY_LEN];
  char edges[GOBAN_QUANTITY_LEN];

  if (graph != NULL)
    {
      guint n_nodes = goban_graph_get_n_nodes (graph), n_edges = goban_graph_get_n_edges (graph);

      if (self->n_boxes > 0)
        g_string_append_printf (
            text,
            goban_i18n_get_plural ("%s nodes in %s box", "%s nodes in %s boxes", self->n_boxes),
            goban_format_grouped (nodes, n_nodes), goban_format_grouped (edges, self->n_boxes));
      else
        {
          g_string_append_printf (text, goban_i18n_get_plural ("%s node", "%s nodes", n_nodes),
                                  goban_format_grouped (nodes, n_nodes));
          g_string_append_printf (text, goban_i18n_get_plural (", %s edge", ", %s edges", n_edges),
                                  goban_format_grouped (edges, n_edges));
        }
    }
  if (selection != NULL)
    goban_selection_get_ids (selection, &n_selected);
  if (n_selected > 0)
    g_string_append_printf (text, _ (" · %s selected"), goban_format_grouped (nodes, n_selected));
  else if (self->n_boxes > 0
           && *goban_short_label_get_text (GOBAN_SHORT_LABEL (self->hint)) == '\0')
    g_string_append_printf (text, " · %s", _ ("Double-click a box to open it"));

  goban_set_label_text (self->counts, text->str);
}

/* Hidden nodes are easily forgotten, so their number is always visible. */
static void
update_hidden (GobanStatusBar *self)
{
  GobanSelection *hidden = goban_view_get_hidden (goban_session_get_view (self->session));
  char number[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;
  guint n;

  goban_selection_get_ids (hidden, &n);
  text = g_strdup_printf (goban_i18n_get_plural ("%s node hidden", "%s nodes hidden", n),
                          goban_format_grouped (number, n));
  goban_set_label_text (self->n_hidden, text);
  gtk_widget_set_visible (self->hidden, n > 0);
}

/* "Undo: move 12 nodes to gpu:1"; after an undo, the way on. */
static void
update_history (GobanStatusBar *self)
{
  const char *undo = goban_session_get_undo_name (self->session);
  const char *redo = goban_session_get_redo_name (self->session);
  const char *name = redo != NULL ? redo : undo;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->undo, name != NULL);
  if (name == NULL)
    return;

  text = g_strdup_printf ("%s: %s", redo != NULL ? _ ("Redo") : _ ("Undo"), name);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->change), text);
  goban_set_tooltip (self->undo, text);
  goban_set_accessible_label (self->undo, text);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->undo),
                                  redo != NULL ? "win.redo" : "win.undo");
}

static void
update_progress (GobanStatusBar *self)
{
  double fraction = goban_job_get_fraction (self->job);
  const char *what = goban_job_get_what (self->job);
  const char *title = goban_job_get_title (self->job);
  g_autofree char *left = goban_dup_time_left (
      self->is_stopping ? (double) NAN : goban_job_get_seconds_left (self->job));
  g_autofree char *text = NULL;

  if (self->is_stopping)
    text = g_strdup_printf (_ ("Stopping: %s"), title);
  else if (what != NULL && *what != '\0')
    text = g_strdup_printf ("%s: %s", title, what);
  else
    text = g_strdup (title);
  goban_set_label_text (self->left, left);
  gtk_widget_set_visible (self->left, *left != '\0');
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->title), text);
  /* The item under the pointer gives way to it. */
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (self->title),
                                   MIN ((int) g_utf8_strlen (text, -1), MIN_TITLE_CHARS));
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), CLAMP (fraction, 0.0, 1.0));
}

static gboolean
pulse_cb (gpointer user_data)
{
  GobanStatusBar *self = user_data;

  if (goban_job_get_fraction (self->job) < 0)
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->bar));
  return G_SOURCE_CONTINUE;
}

static void
forget_job (GobanStatusBar *self)
{
  g_clear_handle_id (&self->pulse_id, g_source_remove);
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_func (self->job, update_progress, self);
  g_clear_object (&self->job);
}

static void
update_job (GobanStatusBar *self)
{
  GobanJob *job = goban_session_get_job (self->session);

  forget_job (self);
  gtk_widget_set_visible (self->work, job != NULL);
  if (job == NULL)
    return;

  self->job = g_object_ref (job);
  self->is_stopping = FALSE;
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
  g_signal_connect_swapped (job, "notify", G_CALLBACK (update_progress), self);
  self->pulse_id = g_timeout_add (100, pulse_cb, self);
  update_progress (self);
}

static void
goban_status_bar_dispose (GObject *object)
{
  GobanStatusBar *self = GOBAN_STATUS_BAR (object);

  forget_job (self);
  g_clear_handle_id (&self->hint_id, g_source_remove);
  g_clear_object (&self->session);
  goban_remove_children (GTK_WIDGET (self));

  G_OBJECT_CLASS (goban_status_bar_parent_class)->dispose (object);
}

static void
goban_status_bar_class_init (GobanStatusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_status_bar_dispose;
  gtk_widget_class_set_css_name (widget_class, "statusbar");
  goban_template_set (widget_class, "panels/status-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanStatusBar, counts, hidden, n_hidden, hint, undo,
                           change, work, title, bar, left);
}

static void
goban_status_bar_init (GobanStatusBar *self)
{
  goban_template_init (GTK_WIDGET (self));
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->title), MAX_TITLE_CHARS);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (self->change), MAX_CHANGE_CHARS);
  gtk_widget_set_has_tooltip (self->change, FALSE); /* the button's says it */
}

GtkWidget *
goban_status_bar_new (GobanSession *session)
{
  GobanStatusBar *self = g_object_new (GOBAN_TYPE_STATUS_BAR, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::graph", update_counts, self);
  GOBAN_CONNECT (session, "notify::selection", update_counts, self);
  GOBAN_CONNECT (session, "notify::job", update_job, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::hidden", update_hidden, self);
  update_counts (self);
  update_hidden (self);
  GOBAN_CONNECT (session, "notify::undo-name", update_history, self);
  GOBAN_CONNECT (session, "notify::redo-name", update_history, self);
  update_history (self);
  update_job (self);

  return GTK_WIDGET (self);
}

void
goban_status_bar_set_stopping (GobanStatusBar *self)
{
  g_return_if_fail (GOBAN_IS_STATUS_BAR (self));

  self->is_stopping = TRUE;
  if (self->job != NULL)
    update_progress (self);
}

void
goban_status_bar_set_hint (GobanStatusBar *self, const char *hint)
{
  g_return_if_fail (GOBAN_IS_STATUS_BAR (self));

  g_clear_handle_id (&self->hint_id, g_source_remove);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->hint), hint);
  update_counts (self);
}

static gboolean
hint_passed_cb (gpointer user_data)
{
  GobanStatusBar *self = user_data;

  self->hint_id = 0;
  goban_status_bar_set_hint (self, "");
  return G_SOURCE_REMOVE;
}

void
goban_status_bar_set_passing_hint (GobanStatusBar *self, const char *hint)
{
  g_return_if_fail (GOBAN_IS_STATUS_BAR (self));

  goban_status_bar_set_hint (self, hint);
  self->hint_id = g_timeout_add (HINT_MS, hint_passed_cb, self);
}

void
goban_status_bar_set_boxes (GobanStatusBar *self, guint n_boxes)
{
  g_return_if_fail (GOBAN_IS_STATUS_BAR (self));

  if (n_boxes == self->n_boxes)
    return;
  self->n_boxes = n_boxes;
  update_counts (self);
}
