#include "ui/panels/plan-list.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/edit.h"
#include "engine/session/session-runs.h"
#include "engine/study/analysis/moments/force.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "ui/widgets/context-menu.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

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
  GPtrArray *bound;   /* GtkListItem, borrowed: those that show a run */
  GPtrArray *chosen;  /* GobanRun: those to compare, in the order of their clicks */
  GtkWidget *compare;
};

G_DEFINE_FINAL_TYPE (GobanPlanList, goban_plan_list, GTK_TYPE_WIDGET)

static int
compare_runs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return goban_run_compare (goban_run_row_get_run ((gpointer) a),
                            goban_run_row_get_run ((gpointer) b));
}

/* --- choosing some to compare ------------------------------------------------------------- */

static void
show_chosen (GobanPlanList *self)
{
  guint n = self->chosen->len;
  g_autofree char *text = g_strdup_printf (_ ("Compare %u plans"), n);

  gtk_widget_set_visible (self->compare, n > 0);
  gtk_button_set_label (GTK_BUTTON (self->compare), n > 1 ? text : _ ("Ctrl+click another one"));
  gtk_widget_set_sensitive (self->compare, n > 1);
}

static void
mark_row (GobanPlanList *self, GtkWidget *row)
{
  GobanRun *run = g_object_get_data (G_OBJECT (row), "goban-run");

  if (g_ptr_array_find (self->chosen, run, NULL))
    gtk_widget_add_css_class (row, "chosen");
  else
    gtk_widget_remove_css_class (row, "chosen");
}

/* Before the list, which would show the plan. */
static void
row_pressed_cb (GtkGesture *press, int n_press, double x, double y, GobanPlanList *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (press));
  GdkModifierType held
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (press));
  GobanRun *run = g_object_get_data (G_OBJECT (row), "goban-run");

  if ((held & GDK_CONTROL_MASK) == 0 || run == NULL)
    {
      gtk_gesture_set_state (press, GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (press, GTK_EVENT_SEQUENCE_CLAIMED);
  goban_plan_list_choose (self, run);
  mark_row (self, row);
}

static const char *const of_plan[]
    = { "scene-add",   "", "save-plan",   "export-plan", "export-timeline",
        "export-film", "", "remove-plan", NULL };

/* Menu of the clicked plan, which becomes the current one. */
static void
row_menu_cb (GtkGesture *press, int n_press, double x, double y, GobanPlanList *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (press));
  GobanRun *run = g_object_get_data (G_OBJECT (row), "goban-run");
  double at_x, at_y;

  if (run == NULL || !gtk_widget_translate_coordinates (row, GTK_WIDGET (self), x, y, &at_x, &at_y))
    return;
  gtk_gesture_set_state (press, GTK_EVENT_SEQUENCE_CLAIMED);
  goban_session_set_current_run (self->session, run);
  goban_context_menu_open (GTK_WIDGET (self), of_plan,
                           &(GdkRectangle){ (int) at_x, (int) at_y, 1, 1 });
}

/* By a key, of the plan that is shown. */
static void
open_menu (GtkWidget *widget)
{
  if (goban_session_get_current_run (GOBAN_PLAN_LIST (widget)->session) != NULL)
    goban_context_menu_open (widget, of_plan, &(GdkRectangle){ 24, 24, 1, 1 });
}

static void
forget_chosen (GobanPlanList *self)
{
  if (self->chosen->len == 0)
    return;
  g_ptr_array_set_size (self->chosen, 0);
  show_chosen (self);
}

static void
compare (GobanPlanList *self)
{
  g_autoptr (GPtrArray) chosen = goban_run_array_copy (self->chosen);

  forget_chosen (self);
  goban_compare_set_show (goban_session_get_compare_set (self->session),
                          (GobanRun *const *) chosen->pdata, chosen->len);
}

/* --- rows ------------------------------------------------------------------------------- */

static GtkWidget *
new_cell (const char *css_class)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0);

  gtk_widget_set_has_tooltip (label, FALSE); /* the row's says more */
  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* Computed on query, because setting a tooltip makes GTK query the pointer. */
static gboolean
query_tooltip_cb (GtkWidget *row, int x, int y, gboolean is_by_key, GtkTooltip *tooltip,
                  gpointer user_data)
{
  GobanRun *run = g_object_get_data (G_OBJECT (row), "goban-run");
  g_autofree char *text = run != NULL ? goban_report_run_sentence (run) : NULL;
  g_autofree char *shown = NULL;

  if (text == NULL)
    return FALSE;
  shown = goban_cut_long (g_strstrip (text), GOBAN_KEEP_START, GOBAN_MAX_TIP_CHARS);
  gtk_tooltip_set_text (tooltip, shown);
  return TRUE;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkGesture *press = gtk_gesture_click_new ();
  GtkGesture *menu = gtk_gesture_click_new ();
  GtkWidget *row = gtk_grid_new ();
  GtkWidget *mark = gtk_image_new ();
  GtkWidget *name = new_cell ("plan-name");
  GtkWidget *time = gtk_label_new ("");
  GtkWidget *note = new_cell ("note");

  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_xalign (GTK_LABEL (time), 1.0);
  gtk_widget_add_css_class (time, "numeric");
  gtk_grid_set_column_spacing (GTK_GRID (row), 7);
  gtk_grid_attach (GTK_GRID (row), mark, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), name, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), time, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), note, 1, 1, 2, 1);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect (press, "pressed", G_CALLBACK (row_pressed_cb), user_data);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (press));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect (menu, "pressed", G_CALLBACK (row_menu_cb), user_data);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (menu));
  gtk_widget_set_has_tooltip (row, TRUE);
  g_signal_connect (row, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  gtk_list_item_set_child (item, row);
}

static char *
describe_run (GobanRun *run, gboolean is_best)
{
  GobanTrace *trace = goban_run_get_trace (run);
  double ratio = goban_run_get_ratio (run);
  const char *policy = goban_plan_get_policy (goban_run_get_plan (run));
  guint64 evaluations = goban_run_get_origin (run)->evaluations;
  g_autoptr (GString) text = g_string_new (NULL);
  char count[GOBAN_QUANTITY_LEN];

  if (!goban_trace_is_valid (trace))
    return g_strdup (goban_trace_get_why (trace));

  if (goban_run_is_recorded (run))
    g_string_append (text, _ ("measured"));
  /* Here and not in the name, whose end a narrow list cuts off. */
  if (goban_edit_is_by_hand (run))
    g_string_append (text, _ ("by hand"));
  if (goban_fork_find_origin (goban_run_get_name (run)) != NULL)
    g_string_append (text, goban_fork_find_origin (goban_run_get_name (run)) + strlen (", "));
  if (goban_trace_is_fused (trace) && isfinite (ratio))
    g_string_append_printf (text, _ ("%s%.2f\xc3\x97 bound, %.2f\xc3\x97 fused"),
                            text->len > 0 ? " · " : "", goban_run_get_unfused_ratio (run), ratio);
  else if (isfinite (ratio))
    g_string_append_printf (text, _ ("%s%.2f\xc3\x97 bound"), text->len > 0 ? " · " : "", ratio);
  /* The star says it too, if the line is full. */
  if (is_best && evaluations < MIN_TRIED)
    g_string_append_printf (text, _ ("%sbest"), text->len > 0 ? " · " : "");
  if (evaluations >= MIN_TRIED)
    g_string_append_printf (text, _ ("%s%s tried"), text->len > 0 ? " · " : "",
                            goban_format_grouped (count, evaluations));
  if (*policy != '\0' && !g_str_equal (policy, goban_run_get_name (run))
      && goban_fork_find_origin (goban_run_get_name (run)) == NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", policy);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_best (GtkListItem *item)
{
  GobanRun *run = goban_run_row_get_run (gtk_list_item_get_item (item));

  return gtk_list_item_get_position (item) == 0 && goban_trace_is_valid (goban_run_get_trace (run));
}

/* Updates the parts that depend on the row's position. */
static void
show_place (GtkListItem *item)
{
  GtkWidget *row = gtk_list_item_get_child (item);
  GobanRun *run = goban_run_row_get_run (gtk_list_item_get_item (item));
  gboolean is_valid = goban_trace_is_valid (goban_run_get_trace (run));
  GtkWidget *mark = gtk_grid_get_child_at (GTK_GRID (row), 0, 0);
  g_autofree char *note = describe_run (run, is_best (item));

  gtk_image_set_from_icon_name (GTK_IMAGE (mark), !is_valid        ? "dialog-warning-symbolic"
                                                  : is_best (item) ? "starred-symbolic"
                                                                   : "object-select-symbolic");
  gtk_widget_set_css_classes (mark, (const char *[]){ !is_valid        ? "warning"
                                                      : is_best (item) ? "accent"
                                                                       : "dim-label",
                                                      NULL });
  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_grid_get_child_at (GTK_GRID (row), 1, 1)),
                              note);
  g_object_set_data (G_OBJECT (row), "goban-best", GINT_TO_POINTER (is_best (item)));
}

/* The name without the parts that the note repeats: by whose hand, or from which step. (transfer
 * full) */
static char *
dup_title (GobanRun *run)
{
  const char *name = goban_run_get_name (run);
  const char *origin = goban_fork_find_origin (name);

  if (origin != NULL)
    return g_strndup (name, (gsize) (origin - name));
  return goban_edit_is_by_hand (run) ? goban_edit_dup_origin (run) : g_strdup (name);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanPlanList *self)
{
  GtkWidget *row = gtk_list_item_get_child (item);
  GobanRun *run = goban_run_row_get_run (gtk_list_item_get_item (item));
  g_autofree char *title = dup_title (run);
  char time[GOBAN_QUANTITY_LEN];

  g_object_set_data_full (G_OBJECT (row), "goban-run", goban_run_ref (run),
                          (GDestroyNotify) goban_run_unref);
  g_ptr_array_add (self->bound, item);
  mark_row (self, row);
  show_place (item);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_grid_get_child_at (GTK_GRID (row), 1, 0)),
                              title);
  goban_set_label_text (gtk_grid_get_child_at (GTK_GRID (row), 2, 0),
                        goban_format_makespan (time, run));
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, GobanPlanList *self)
{
  if (self->bound != NULL)
    g_ptr_array_remove_fast (self->bound, item);
  g_object_set_data (G_OBJECT (gtk_list_item_get_child (item)), "goban-run", NULL);
}

/* --- following the session ------------------------------------------------------------ */

static void
follow_session (GobanPlanList *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  gboolean is_empty = g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0;
  guint at = GTK_INVALID_LIST_POSITION;

  goban_run_list_find (G_LIST_MODEL (self->model), run, &at);
  self->following = TRUE;
  gtk_single_selection_set_selected (self->model, at);
  self->following = FALSE;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), is_empty ? "empty" : "plans");
  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", at);
}

/* The mark of the best plan depends on the position, for which GTK does not bind a row again. */
static void
items_changed_cb (GobanPlanList *self)
{
  GListModel *runs = goban_session_get_runs (self->session);

  for (guint i = self->chosen->len; i > 0; i--)
    if (!goban_run_list_find (runs, g_ptr_array_index (self->chosen, i - 1), NULL))
      g_ptr_array_remove_index (self->chosen, i - 1);
  show_chosen (self);
  for (guint i = 0; i < self->bound->len; i++)
    {
      GtkListItem *item = g_ptr_array_index (self->bound, i);
      gpointer was_best
          = g_object_get_data (G_OBJECT (gtk_list_item_get_child (item)), "goban-best");

      if (was_best != GINT_TO_POINTER (is_best (item)))
        show_place (item);
    }
  follow_session (self);
}

static void
selected_cb (GobanPlanList *self)
{
  GobanRun *run = goban_run_row_get_run (gtk_single_selection_get_selected_item (self->model));

  if (!self->following && run != NULL)
    goban_session_set_current_run (self->session, run);
}

static void
goban_plan_list_dispose (GObject *object)
{
  GobanPlanList *self = GOBAN_PLAN_LIST (object);

  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->bound, g_ptr_array_unref);
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  g_clear_object (&self->model);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_plan_list_parent_class)->dispose (object);
}

static void
goban_plan_list_class_init (GobanPlanListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_plan_list_dispose;
  gtk_widget_class_set_css_name (widget_class, "planlist");
  goban_template_set (widget_class, "panels/plan-list.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanPlanList, stack, view, compare);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, setup_cb, bind_cb, unbind_cb, compare);
}

static void
goban_plan_list_init (GobanPlanList *self)
{
  self->bound = g_ptr_array_new ();
  self->chosen = goban_run_array_new ();
  goban_context_menu_add_keys (GTK_WIDGET (self), open_menu);
  goban_template_init (GTK_WIDGET (self));
  show_chosen (self);
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
  goban_focus_group_make_list (self->view);

  GOBAN_CONNECT (self->model, "notify::selected-item", selected_cb, self);
  g_signal_connect_object (self->model, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  GOBAN_CONNECT (session, "notify::current-run", follow_session, self);
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

gboolean
goban_plan_list_choose (GobanPlanList *self, GobanRun *run)
{
  g_return_val_if_fail (GOBAN_IS_PLAN_LIST (self), FALSE);

  if (!g_ptr_array_remove (self->chosen, run) && self->chosen->len < GOBAN_COMPARE_MAX)
    g_ptr_array_add (self->chosen, goban_run_ref (run));
  show_chosen (self);
  return g_ptr_array_find (self->chosen, run, NULL);
}
