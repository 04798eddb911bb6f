#include "ui/panels/inspector.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/coalescing-worker.h"
#include "engine/core/lua-text.h"
#include "engine/core/quantity.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-marks.h"
#include "engine/study/log/set-description.h"
#include "ui/panels/inspector-rows.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/swatch.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>
#include <string.h>

/* Sums over so many take no time. */
#define FEW_NODES 2000

/* Values up to this length fit beside the longest key at the least width of the pane. */
#define MAX_LINE_CHARS 14
/* Bound of a name or value, which may be as long as its file; a label that wraps is shaped dozens
 * of times to be measured. */
#define MAX_SHOWN_CHARS 300

struct _GobanInspector
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *title;
  char *name; /* that it shows, with places to wrap */
  GtkWidget *copy;
  GtkWidget *scroller;
  GtkWidget *moves;      /* the selection can be moved to ... */
  GtkWidget *devices;    /* ... a button each */
  GobanCluster *cluster; /* (nullable): whose devices they are */
  GtkWidget *grid;
  GtkWidget *shares;           /* in the grid while nothing is selected */
  GArray *rows;                /* content of the grid */
  GobanCoalescingWorker *sums; /* of many nodes: the shown rows stay until they are there */
  guint update_id;             /* pending update, or 0 */
  gboolean is_stale;           /* it waits until it is seen */
};

G_DEFINE_FINAL_TYPE (GobanInspector, goban_inspector, GTK_TYPE_WIDGET)

static void
select_cb (GtkButton *button, GobanInspector *self)
{
  GobanNodeId node = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "goban-node"));
  GobanSelection *nodes = g_object_get_data (G_OBJECT (button), "goban-nodes");
  g_autoptr (GobanSelection) selection
      = nodes != NULL ? goban_selection_ref (nodes) : goban_selection_new (&node, 1);

  goban_session_set_selection (self->session, selection);
}

static void
unref_selection (gpointer data)
{
  goban_selection_unref (data);
}

static GtkWidget *
new_link (GobanInspector *self, const GobanInspectorRow *row)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label
      = goban_short_label_new (row->nodes != NULL ? GOBAN_KEEP_START : GOBAN_KEEP_END, 0);
  g_autofree char *tip = g_strdup_printf ("%s\n%s", row->value, _ ("Select all of them"));

  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), row->value);
  gtk_button_set_child (GTK_BUTTON (button), label);
  goban_set_accessible_label (button, row->value);
  goban_set_tooltip (button, row->nodes != NULL ? tip : row->value);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "neighbour");
  g_object_set_data (G_OBJECT (button), "goban-node", GUINT_TO_POINTER (row->node));
  if (row->nodes != NULL)
    g_object_set_data_full (G_OBJECT (button), "goban-nodes", goban_selection_ref (row->nodes),
                            unref_selection);
  g_signal_connect (button, "clicked", G_CALLBACK (select_cb), self);
  return button;
}

static GtkWidget *
new_value (const GobanInspectorRow *row)
{
  g_autofree char *shown = goban_cut_long (row->value, GOBAN_KEEP_START, MAX_SHOWN_CHARS);
  GtkWidget *label = goban_new_label (shown);

  if (strcmp (shown, row->value) != 0)
    goban_set_tooltip (label, row->value);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  /* A text that wraps is shaped several times to be measured. */
  if (g_utf8_strlen (gtk_label_get_text (GTK_LABEL (label)), -1) > MAX_LINE_CHARS)
    goban_wrap_label (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  /* One that may and is not focusable would end the way of Tab. */
  gtk_widget_set_can_focus (label, FALSE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

/* The value before a bar as long as its share. */
static GtkWidget *
new_bar (const GobanInspectorRow *row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *bar = gtk_progress_bar_new ();
  GtkWidget *label = new_value (row);

  gtk_widget_set_hexpand (label, FALSE);
  gtk_label_set_width_chars (GTK_LABEL (label), 5);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (bar), row->share);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (bar, "share");
  goban_set_accessible_label (bar, row->key);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), bar);
  return box;
}

static void
attach_row (GobanInspector *self, const GobanInspectorRow *row, int at)
{
  GtkWidget *value;

  if (row->value == NULL)
    {
      gtk_grid_attach (GTK_GRID (self->grid), goban_new_heading (row->key), 0, at, 2, 1);
      return;
    }

  if (row->node != GOBAN_NO_NODE || row->nodes != NULL)
    value = new_link (self, row);
  else
    value = isfinite (row->share) ? new_bar (row) : new_value (row);
  if (*row->key != '\0')
    {
      GtkWidget *key = goban_new_label (row->key);

      gtk_label_set_xalign (GTK_LABEL (key), 0.0);
      gtk_label_set_yalign (GTK_LABEL (key), 0.0);
      gtk_widget_set_valign (key, GTK_ALIGN_START);
      gtk_widget_add_css_class (key, "key");
      goban_explain_term (key, row->key);
      gtk_grid_attach (GTK_GRID (self->grid), key, 0, at, 1, 1);
      gtk_grid_attach (GTK_GRID (self->grid), value, 1, at, 1, 1);
    }
  else
    {
      gtk_grid_attach (GTK_GRID (self->grid), value, 0, at, 2, 1);
    }
}

/* The longest word alone may be wider than the pane. */
static void
show_title (GobanInspector *self, const char *title)
{
  g_autofree char *valid = g_utf8_make_valid (title, -1);
  g_autofree char *part = goban_cut_long (valid, GOBAN_KEEP_END, MAX_SHOWN_CHARS);
  g_autofree char *shown = goban_dup_breakable (part);

  if (g_strcmp0 (self->name, valid) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (valid);
  goban_set_label_text (self->title, shown);
  goban_set_tooltip (self->title, valid);
  goban_set_accessible_label (self->title, valid);
}

static void
show_rows (GobanInspector *self, const char *title, GArray *rows)
{
  int at = 0;

  g_clear_pointer (&self->rows, g_array_unref);
  self->rows = rows;

  goban_remove_children (self->grid);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const GobanInspectorRow *row = &g_array_index (rows, GobanInspectorRow, i);

      attach_row (self, row, at++);
      if (row->has_device_time)
        gtk_grid_attach (GTK_GRID (self->grid), self->shares, 0, at++, 2, 1);
    }

  show_title (self, title);
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), 0);
}

/* --- sums of many nodes ----------------------------------------------------------------------- */

typedef struct
{
  GobanCostModel *costs;
  GobanRun *run;         /* (nullable) */
  GobanSelection *nodes; /* NULL: all of the graph */
} ManyNodes;

static void
free_many (gpointer data)
{
  ManyNodes *many = data;

  goban_cost_model_unref (many->costs);
  g_clear_pointer (&many->run, goban_run_unref);
  g_clear_pointer (&many->nodes, goban_selection_unref);
  g_free (many);
}

typedef struct
{
  char *title;
  GArray *rows;
} Sums;

static void
free_sums (gpointer data)
{
  Sums *sums = data;

  g_free (sums->title);
  g_array_unref (sums->rows);
  g_free (sums);
}

/* The scope that all the nodes' names begin with: "Mixed_6b"; NULL: none. (transfer full) */
static char *
dup_scope (GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  const char *first = goban_graph_get_node (graph, ids[0])->name;
  const char *end = strrchr (first, '/');
  gsize length = end != NULL ? (gsize) (end - first) : 0;

  for (guint i = 1; i < n && length > 0; i++)
    {
      const char *name = goban_graph_get_node (graph, ids[i])->name;
      gsize same = 0;

      while (same < length && name[same] == first[same])
        same++;
      if (same == length && name[same] == '/')
        continue;
      while (same > 0 && first[--same] != '/')
        ;
      length = same;
    }
  return length > 0 ? g_strndup (first, length) : NULL;
}

static gpointer
sum_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  const ManyNodes *many = data;
  const char *name = goban_graph_get_name (goban_cost_model_get_graph (many->costs));
  Sums *sums = g_new (Sums, 1);
  g_autofree char *scope = NULL;
  char number[GOBAN_QUANTITY_LEN];
  const GobanNodeId *ids;
  guint n;

  if (many->nodes == NULL)
    {
      sums->title = g_strdup (*name != '\0' ? name : _ ("Nothing selected"));
      sums->rows = goban_inspector_rows_for_graph (many->costs, many->run);
      return sums;
    }
  ids = goban_selection_get_ids (many->nodes, &n);
  scope = dup_scope (goban_cost_model_get_graph (many->costs), ids, n);
  goban_format_grouped (number, n);
  sums->title = scope != NULL ? g_strdup_printf (_ ("%s, %s nodes"), scope, number)
                              : g_strdup_printf (_ ("%s nodes selected"), number);
  sums->rows = goban_inspector_rows_for_many (many->costs, many->run, many->nodes);
  return sums;
}

static void
take_sums (gpointer answer, gpointer user_data)
{
  Sums *sums = answer;

  show_rows (user_data, sums->title, g_array_ref (sums->rows));
  free_sums (sums);
}

static const GobanCoalescingWorkerKind adding_up
    = { "Adding up", sum_worker, free_many, free_sums, take_sums };

/* @nodes (nullable): NULL for all @n of the graph. */
static void
show_sums (GobanInspector *self, GobanSelection *nodes, guint n)
{
  GobanRun *run = goban_session_get_shown_run (self->session);
  ManyNodes *many = g_new (ManyNodes, 1);

  *many = (ManyNodes){ goban_cost_model_ref (goban_session_get_costs (self->session)),
                       goban_run_ref (run), nodes != NULL ? goban_selection_ref (nodes) : NULL };
  if (n > FEW_NODES)
    goban_coalescing_worker_ask (self->sums, many);
  else
    goban_coalescing_worker_ask_now (self->sums, many);
}

/* --- moving what is selected ------------------------------------------------------------------ */

static void
move_cb (GtkButton *button, GobanInspector *self)
{
  g_autoptr (GobanEdit) edit = goban_edit_new (self->session, GOBAN_EDIT_MOVE,
                                               goban_session_get_selection (self->session));

  edit->device = (GobanDeviceId) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "device"));
  goban_session_edit_async (self->session, edit, NULL, NULL, NULL);
}

static void
add_device (GobanInspector *self, guint device)
{
  const char *name = goban_cluster_get_device (self->cluster, (GobanDeviceId) device)->name;
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_END, 0.0);
  g_autofree char *help = g_strdup_printf (_ ("Move the selection to %s"), name);
  g_autofree char *tooltip
      = device < 10 ? g_strdup_printf ("%s (D, %u)", help, device) : g_strdup (help);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), name);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (label), 5);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box),
                  goban_swatch_new_for_device (goban_theme_of (GTK_WIDGET (self)), device, 12, 12));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  goban_set_tooltip (button, tooltip);
  goban_set_accessible_label (button, help);
  g_object_set_data (G_OBJECT (button), "device", GUINT_TO_POINTER (device));
  g_signal_connect (button, "clicked", G_CALLBACK (move_cb), self);
  gtk_flow_box_append (GTK_FLOW_BOX (self->devices), button);
  gtk_widget_set_focusable (gtk_widget_get_parent (button), FALSE);
}

/* The devices of the current plan; not while a step of another is shown, which is read-only. */
static void
show_moves (GobanInspector *self, gboolean has_selection)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  GobanCluster *cluster = run != NULL ? goban_run_get_cluster (run) : NULL;
  guint n = cluster != NULL ? goban_cluster_get_n_devices (cluster) : 0;

  gtk_widget_set_visible (self->moves, has_selection && n > 1
                                           && run == goban_session_get_shown_run (self->session));
  if (cluster == self->cluster || !gtk_widget_get_visible (self->moves))
    return;

  g_clear_pointer (&self->cluster, goban_cluster_unref);
  self->cluster = goban_cluster_ref (cluster);
  for (GtkWidget *child; (child = gtk_widget_get_first_child (self->devices)) != NULL;)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->devices), child);
  for (guint device = 0; device < n; device++)
    add_device (self, device);
}

/* --- following -------------------------------------------------------------------------------- */

/* @run: (nullable) */
static void
show_shares (GobanInspector *self, GobanRun *run)
{
  gtk_widget_set_visible (self->shares, run != NULL);
  goban_time_shares_view_set_runs (GOBAN_TIME_SHARES_VIEW (self->shares), run, NULL);
}

static void
update (GobanInspector *self)
{
  GobanGraph *graph = goban_session_get_graph (self->session);
  GobanCostModel *costs = goban_session_get_costs (self->session);
  GobanSelection *selection = goban_session_get_selection (self->session);
  const GobanNodeId *ids;
  guint n;

  self->is_stale = FALSE;
  if (graph == NULL || costs == NULL)
    {
      goban_coalescing_worker_forget (self->sums);
      show_rows (self, "", NULL);
      show_shares (self, NULL);
      show_moves (self, FALSE);
      return;
    }

  ids = goban_selection_get_ids (selection, &n);
  show_moves (self, n > 0);
  show_shares (self, n == 0 ? goban_session_get_shown_run (self->session) : NULL);
  if (n == 1)
    {
      goban_coalescing_worker_forget (self->sums);
      show_rows (self, goban_graph_get_node (graph, ids[0])->name,
                 goban_inspector_rows_for_node (costs, goban_session_get_shown_run (self->session),
                                                ids[0]));
    }
  else
    {
      show_sums (self, n > 0 ? selection : NULL, n > 0 ? n : goban_graph_get_n_nodes (graph));
    }
}

static gboolean
update_cb (gpointer user_data)
{
  GobanInspector *self = user_data;

  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* After the next frame, and once however much has changed: the pictures come first. Behind the page
 * of compared plans it waits until it is seen again. */
static void
update_later (GobanInspector *self)
{
  self->is_stale = TRUE;
  if (self->update_id == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->update_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 10, update_cb, self, NULL);
}

/* Swatches are of a theme. */
static void
theme_changed_cb (GobanInspector *self)
{
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  update_later (self);
}

/* At once: links of rows lead to nodes of the graph that was. */
static void
graph_changed_cb (GobanInspector *self)
{
  g_clear_handle_id (&self->update_id, g_source_remove);
  goban_coalescing_worker_forget (self->sums);
  show_rows (self, "", NULL);
  update (self);
}

/* Getters run a pending update first. */
static void
update_now (GobanInspector *self)
{
  if (!self->is_stale)
    return;
  g_clear_handle_id (&self->update_id, g_source_remove);
  update (self);
}

static void
goban_inspector_map (GtkWidget *widget)
{
  update_now (GOBAN_INSPECTOR (widget));

  GTK_WIDGET_CLASS (goban_inspector_parent_class)->map (widget);
}

static void
goban_inspector_dispose (GObject *object)
{
  GobanInspector *self = GOBAN_INSPECTOR (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->sums, goban_coalescing_worker_free);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_object (&self->shares);
  g_clear_object (&self->session);
  g_clear_pointer (&self->name, g_free);

  G_OBJECT_CLASS (goban_inspector_parent_class)->dispose (object);
}

static void
goban_inspector_class_init (GobanInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_inspector_dispose;
  widget_class->map = goban_inspector_map;
  gtk_widget_class_set_css_name (widget_class, "inspector");
  goban_template_set (widget_class, "panels/inspector.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanInspector, title, copy, scroller, moves, devices,
                           grid);
}

static void
set_copy_menu (GobanInspector *self)
{
  static const char *const rows[] = { "copy-text", "copy-lua" };
  g_autoptr (GMenu) menu = g_menu_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const GobanActionInfo *info = goban_action_find (rows[i]);
      g_autofree char *name = goban_action_detailed_name (info);

      g_menu_append (menu, _ (info->label), name);
    }
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->copy), G_MENU_MODEL (menu));
}

static void
goban_inspector_init (GobanInspector *self)
{
  self->sums = goban_coalescing_worker_new (&adding_up, self);
  goban_template_init (GTK_WIDGET (self));
  self->shares = g_object_ref_sink (goban_time_shares_view_new ());
  gtk_widget_set_hexpand (self->shares, TRUE);
  set_copy_menu (self);
}

GtkWidget *
goban_inspector_new (GobanSession *session)
{
  GobanInspector *self = g_object_new (GOBAN_TYPE_INSPECTOR, NULL);

  self->session = g_object_ref (session);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::shown-run", update_later, self);
  GOBAN_CONNECT (session, "notify::selection", update_later, self);
  GOBAN_CONNECT (session, "notify::cluster", update_later, self);
  goban_theme_connect (GTK_WIDGET (self), self, G_CALLBACK (theme_changed_cb));
  update (self);

  return GTK_WIDGET (self);
}

char *
goban_inspector_dup_text (GobanInspector *self)
{
  GString *text;

  g_return_val_if_fail (GOBAN_IS_INSPECTOR (self), NULL);

  update_now (self);
  text = g_string_new (self->name);
  g_string_append_c (text, '\n');
  for (guint i = 0; self->rows != NULL && i < self->rows->len; i++)
    {
      const GobanInspectorRow *row = &g_array_index (self->rows, GobanInspectorRow, i);
      g_autofree char *value = g_strdup (row->value != NULL ? row->value : "");

      if (row->value == NULL)
        g_string_append_printf (text, "\n%s\n", row->key);
      else
        g_string_append_printf (text, "%s\t%s\n", row->key, g_strdelimit (value, "\n\t", ' '));
    }

  return g_string_free (text, FALSE);
}

char *
goban_inspector_dup_lua (GobanInspector *self)
{
  GobanGraph *graph;
  const GobanNodeId *ids;
  guint n;
  g_autofree char *name = NULL;
  GobanRun *run;

  g_return_val_if_fail (GOBAN_IS_INSPECTOR (self), NULL);

  graph = goban_session_get_graph (self->session);
  run = goban_session_get_current_run (self->session);
  ids = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  if (graph == NULL || n == 0)
    return g_strdup ("g");
  if (n > 1)
    return goban_set_description_to_lua (
        goban_view_get_words (goban_session_get_view (self->session)), graph,
        goban_session_get_selection (self->session),
        run != NULL ? goban_run_get_source (run) : NULL);
  name = goban_lua_text_quote (goban_graph_get_node (graph, ids[0])->name);
  return g_strdup_printf ("g:node %s", name);
}
