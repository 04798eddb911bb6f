#include "ui/shell/plan-list.h"

#include "engine/base/quantity.h"
#include "engine/base/words.h"
#include "engine/session/edit.h"
#include "engine/session/report.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Only of a search it is worth saying how many plans it has tried. */
#define MIN_TRIED 10

struct _GobanPlanList
{
  GtkWidget parent;

  GobanSession *session;
  GtkSingleSelection *model; /* over the sorted runs */
  GtkWidget *stack;          /* "plans" or "empty" */
  GtkWidget *view;
  gboolean following; /* the selection follows the session, not the user */
};

G_DEFINE_FINAL_TYPE (GobanPlanList, goban_plan_list, GTK_TYPE_WIDGET)

static int
compare_runs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return goban_run_compare (a, b);
}

/* --- rows ------------------------------------------------------------------------------- */

static GtkWidget *
new_cell (float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *row = gtk_grid_new ();
  GtkWidget *mark = gtk_image_new ();
  GtkWidget *name = new_cell (0.0, "plan-name");
  GtkWidget *time = new_cell (1.0, "numeric");
  GtkWidget *note = new_cell (0.0, "note");

  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (time), PANGO_ELLIPSIZE_NONE);
  gtk_grid_set_column_spacing (GTK_GRID (row), 7);
  gtk_grid_attach (GTK_GRID (row), mark, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), name, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), time, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), note, 1, 1, 2, 1);
  gtk_list_item_set_child (item, row);
}

static char *
describe_run (GobanRun *run, gboolean is_best)
{
  GobanTrace *trace = goban_run_get_trace (run);
  double ratio = goban_run_get_ratio (run);
  const char *policy = goban_plan_get_policy (goban_run_get_plan (run));
  guint64 evaluations = goban_run_get_evaluations (run);
  g_autoptr (GString) text = g_string_new (NULL);
  char count[GOBAN_QUANTITY_LEN];

  if (!goban_trace_is_valid (trace))
    return g_strdup (goban_trace_get_why (trace));

  /* Here and not in the name, whose end a narrow list cuts off. */
  if (goban_edit_is_by_hand (run))
    g_string_append (text, "by hand");
  if (isfinite (ratio))
    g_string_append_printf (text, _ ("%s%.2f\xc3\x97 bound"), text->len > 0 ? " · " : "", ratio);
  /* The star says it too, where the line is full. */
  if (is_best && evaluations < MIN_TRIED)
    g_string_append_printf (text, _ ("%sbest"), text->len > 0 ? " · " : "");
  if (evaluations >= MIN_TRIED)
    g_string_append_printf (text, _ ("%s%s tried"), text->len > 0 ? " · " : "",
                            goban_format_grouped (count, evaluations));
  if (*policy != '\0' && !g_str_equal (policy, goban_run_get_name (run)))
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", policy);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *row = gtk_list_item_get_child (item);
  GobanRun *run = gtk_list_item_get_item (item);
  gboolean is_valid = goban_trace_is_valid (goban_run_get_trace (run));
  gboolean is_best = is_valid && gtk_list_item_get_position (item) == 0;
  GtkWidget *mark = gtk_grid_get_child_at (GTK_GRID (row), 0, 0);
  g_autofree char *note = describe_run (run, is_best);
  g_autofree char *tooltip = goban_report_run_sentence (run);
  g_autofree char *origin = goban_edit_dup_origin (run);
  char time[GOBAN_QUANTITY_LEN];

  gtk_image_set_from_icon_name (GTK_IMAGE (mark), !is_valid ? "dialog-warning-symbolic"
                                                  : is_best ? "starred-symbolic"
                                                            : "object-select-symbolic");
  gtk_widget_set_css_classes (mark, (const char *[]){ !is_valid ? "warning"
                                                      : is_best ? "accent"
                                                                : "dim-label",
                                                      NULL });
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (row), 1, 0)),
                      origin != NULL ? origin : goban_run_get_name (run));
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (row), 2, 0)),
                      goban_format_makespan (time, run));
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (row), 1, 1)), note);
  gtk_widget_set_tooltip_text (row, g_strstrip (tooltip));
}

/* --- following the session ------------------------------------------------------------ */

static guint
find_run (GobanPlanList *self, GobanRun *run)
{
  GListModel *model = G_LIST_MODEL (self->model);
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GobanRun) item = g_list_model_get_item (model, i);

      if (item == run)
        return i;
    }

  return GTK_INVALID_LIST_POSITION;
}

static void
follow_session (GobanPlanList *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  gboolean is_empty = g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0;
  guint at = run != NULL ? find_run (self, run) : GTK_INVALID_LIST_POSITION;

  self->following = TRUE;
  gtk_single_selection_set_selected (self->model, at);
  self->following = FALSE;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), is_empty ? "empty" : "plans");
  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", at);
}

/* The mark of the best plan depends on the position, which GTK does not bind again. */
static void
items_changed_cb (GobanPlanList *self)
{
  GtkListItemFactory *factory
      = g_object_ref (gtk_list_view_get_factory (GTK_LIST_VIEW (self->view)));

  gtk_list_view_set_factory (GTK_LIST_VIEW (self->view), NULL);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->view), factory);
  g_object_unref (factory);
  follow_session (self);
}

static void
selected_cb (GobanPlanList *self)
{
  GobanRun *run = gtk_single_selection_get_selected_item (self->model);

  if (!self->following && run != NULL)
    goban_session_set_current_run (self->session, run);
}

static void
goban_plan_list_dispose (GObject *object)
{
  GobanPlanList *self = GOBAN_PLAN_LIST (object);

  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->model);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_plan_list_parent_class)->dispose (object);
}

static void
goban_plan_list_class_init (GobanPlanListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_plan_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "planlist");
}

static void
goban_plan_list_init (GobanPlanList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *empty = gtk_label_new (_ ("No plan yet. Choose a policy from \xe2\x80\x9cPlace\xe2\x80"
                                       "\x9d above, or drop a plan file here."));
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *invitation = gtk_scrolled_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  self->view = gtk_list_view_new (NULL, factory);
  gtk_widget_add_css_class (self->view, "navigation-sidebar");
  goban_set_accessible_label (self->view, _ ("Plans"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);

  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_label_set_xalign (GTK_LABEL (empty), 0.0);
  gtk_label_set_max_width_chars (GTK_LABEL (empty), 20);
  gtk_widget_set_valign (empty, GTK_ALIGN_START);
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_widget_add_css_class (empty, "pane-text");

  /* How high wrapped text is must not move the panes. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (invitation), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (invitation), empty);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), invitation, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), scroller, "plans");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

GtkWidget *
goban_plan_list_new (GobanSession *session)
{
  GobanPlanList *self = g_object_new (GOBAN_TYPE_PLAN_LIST, NULL);
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare_runs, NULL, NULL));
  GListModel *runs = g_object_ref (goban_session_get_runs (session));

  self->session = g_object_ref (session);
  self->model = gtk_single_selection_new (G_LIST_MODEL (gtk_sort_list_model_new (runs, sorter)));
  gtk_single_selection_set_autoselect (self->model, FALSE);
  gtk_single_selection_set_can_unselect (self->model, TRUE);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->view), GTK_SELECTION_MODEL (self->model));

  g_signal_connect_object (self->model, "notify::selected-item", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (session, "notify::current-run", G_CALLBACK (follow_session), self,
                           G_CONNECT_SWAPPED);
  follow_session (self);

  return GTK_WIDGET (self);
}

void
goban_plan_list_step (GobanPlanList *self, int steps)
{
  guint selected, n;
  gint64 next;

  g_return_if_fail (GOBAN_IS_PLAN_LIST (self));

  selected = gtk_single_selection_get_selected (self->model);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  next = selected == GTK_INVALID_LIST_POSITION ? 0 : (gint64) selected + steps;
  if (next >= 0 && next < n)
    gtk_single_selection_set_selected (self->model, (guint) next);
}

GListModel *
goban_plan_list_get_model (GobanPlanList *self)
{
  g_return_val_if_fail (GOBAN_IS_PLAN_LIST (self), NULL);

  return G_LIST_MODEL (self->model);
}
