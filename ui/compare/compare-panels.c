#include "ui/compare/compare-panels.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanComparePanels
{
  GtkWidget parent;

  GobanSession *session;
  GtkWidget *pages; /* of a stack */
  GtkWidget *reasons_page;
  GtkWidget *moves_page;
  GtkWidget *changes_page;
  GtkWidget *shares_page;
  GtkWidget *shares;
  GtkWidget *moves;
  GtkWidget *breakdown;
  GtkWidget *sentence;
  GtkWidget *changes;
  GtkWidget *n_changes;
  gboolean is_waiting; /* something else comes first */
  guint take_id;       /* while parts are yet to take the difference, else 0 */
  guint n_taken;       /* parts that have */
};

G_DEFINE_FINAL_TYPE (GobanComparePanels, goban_compare_panels, GTK_TYPE_WIDGET)

static GobanCompareSet *
set_of (GobanComparePanels *self)
{
  return goban_session_get_compare_set (self->session);
}

/* --- following the set ------------------------------------------------------------------------ */

static void
rows_cb (GobanComparePanels *self)
{
  char number[GOBAN_QUANTITY_LEN];
  guint n;
  g_autofree char *text = NULL;

  goban_node_model_get_nodes (goban_node_columns_get_model (GOBAN_NODE_COLUMNS (self->changes)),
                              &n);
  text
      = g_strdup_printf (n == 1 ? _ ("%s node") : _ ("%s nodes"), goban_format_grouped (number, n));
  goban_set_label_text (self->n_changes, text);
}

/* By the letters of the panes. (transfer full) */
static char *
describe_matching (GobanComparePanels *self, const GobanGraphMatching *matching)
{
  guint before = 0, after = 1;

  goban_compare_set_get_pair (set_of (self), &before, &after);
  return goban_graph_matching_describe (
      matching, (const char *const[]){ (const char[]){ (char) ('A' + before), '\0' },
                                       (const char[]){ (char) ('A' + after), '\0' } });
}

/* The difference in one sentence, and how it was found. */
static void
found_cb (GobanComparePanels *self)
{
  GobanBreakdownList *list = GOBAN_BREAKDOWN_LIST (self->breakdown);
  const GobanBreakdown *found
      = goban_attributor_get_found (goban_breakdown_list_get_attributor (list));
  g_autofree char *words = goban_breakdown_list_dup_sentence (list);
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (set_of (self));
  g_autofree char *matched = matching != NULL ? describe_matching (self, matching) : NULL;
  g_autofree char *sentence = matched != NULL && *words != '\0'
                                  ? g_strdup_printf ("%s\n%s", words, matched)
                                  : g_strdup (words);
  g_autofree char *method = found != NULL ? goban_breakdown_describe_method (found) : NULL;
  g_autofree char *tip = g_strdup_printf ("%s\n%s", sentence, method != NULL ? method : "");

  goban_set_label_text (self->sentence, sentence);
  goban_set_tooltip (self->sentence, method != NULL ? tip : NULL);
}

/* Only while they are seen: of large runs they take some time. */
static void
show_shares (GobanComparePanels *self)
{
  GobanDifference *difference = goban_compare_set_get_difference (set_of (self));
  gboolean is_seen = gtk_stack_get_visible_child (GTK_STACK (self->pages)) == self->shares_page;

  if (difference == NULL || !is_seen)
    goban_time_shares_view_set_runs (GOBAN_TIME_SHARES_VIEW (self->shares), NULL, NULL);
  else
    goban_time_shares_view_set_runs (GOBAN_TIME_SHARES_VIEW (self->shares), difference->before,
                                     difference->after);
}

/* Pages about single nodes have nothing to show of two graphs. */
static void
show_reasons (GobanComparePanels *self, GobanDifference *difference)
{
  GobanCompareSet *set = set_of (self);
  GtkStack *stack = GTK_STACK (self->pages);
  GtkWidget *const of_nodes[] = { self->moves_page, self->changes_page, self->shares_page };
  gboolean has_two = goban_compare_set_has_two_graphs (set);
  guint i = 0, j = 0;
  GobanRun *pair[2];

  for (guint k = 0; k < G_N_ELEMENTS (of_nodes); k++)
    gtk_stack_page_set_visible (gtk_stack_get_page (stack, of_nodes[k]), !has_two);
  if (has_two)
    gtk_stack_set_visible_child (stack, self->reasons_page);
  if (has_two && goban_compare_set_get_pair (set, &i, &j))
    {
      pair[0] = goban_compare_set_get_run (set, i);
      pair[1] = goban_compare_set_get_run (set, j);
    }
  goban_breakdown_list_set_difference (GOBAN_BREAKDOWN_LIST (self->breakdown), difference,
                                       has_two ? pair : NULL);
}

/* One part a turn, and frames in between: pictures of the same change go first. */
static gboolean
take_cb (gpointer user_data)
{
  GobanComparePanels *self = user_data;
  GobanDifference *difference = goban_compare_set_get_difference (set_of (self));

  self->n_taken++;
  if (self->n_taken == 1)
    {
      goban_moves_table_set_difference (GOBAN_MOVES_TABLE (self->moves), difference);
      show_shares (self);
    }
  else if (self->n_taken == 2)
    goban_change_list_set_difference (GOBAN_CHANGE_LIST (self->changes), difference);
  else
    show_reasons (self, difference);
  if (self->n_taken < 3)
    return G_SOURCE_CONTINUE;
  self->take_id = 0;
  return G_SOURCE_REMOVE;
}

static void
difference_cb (GobanComparePanels *self)
{
  self->n_taken = 0;
  if (self->is_waiting || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    g_clear_handle_id (&self->take_id, g_source_remove);
  else if (self->take_id == 0)
    self->take_id = g_idle_add (take_cb, self);
}

void
goban_compare_panels_set_waiting (GobanComparePanels *self, gboolean is_waiting)
{
  g_return_if_fail (GOBAN_IS_COMPARE_PANELS (self));

  if (self->is_waiting == is_waiting)
    return;

  self->is_waiting = is_waiting;
  difference_cb (self);
}

static void
goban_compare_panels_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_compare_panels_parent_class)->map (widget);
  difference_cb (GOBAN_COMPARE_PANELS (widget));
}

static void
goban_compare_panels_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (goban_compare_panels_parent_class)->unmap (widget);
  difference_cb (GOBAN_COMPARE_PANELS (widget));
}

static void
goban_compare_panels_dispose (GObject *object)
{
  GobanComparePanels *self = GOBAN_COMPARE_PANELS (object);

  g_clear_handle_id (&self->take_id, g_source_remove);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_compare_panels_parent_class)->dispose (object);
}

static void
goban_compare_panels_class_init (GobanComparePanelsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_compare_panels_dispose;
  widget_class->map = goban_compare_panels_map;
  widget_class->unmap = goban_compare_panels_unmap;
  gtk_widget_class_set_css_name (widget_class, "comparepanels");
  goban_template_set (widget_class, "compare/compare-panels.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanComparePanels, pages, reasons_page, moves_page,
                           changes_page, shares_page, n_changes, sentence);
}

static void
goban_compare_panels_init (GobanComparePanels *self)
{
  goban_template_init (GTK_WIDGET (self));
}

static GtkWidget *
fill_panel (GtkWidget *panel, GtkWidget *content)
{
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (panel), content);
  return content;
}

GtkWidget *
goban_compare_panels_new (GobanSession *session)
{
  GobanComparePanels *self = g_object_new (GOBAN_TYPE_COMPARE_PANELS, NULL);
  GobanCompareSet *set = goban_session_get_compare_set (session);

  self->session = g_object_ref (session);
  self->moves = fill_panel (self->moves_page, goban_moves_table_new (session));
  self->shares = goban_time_shares_view_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->shares_page), self->shares);
  GOBAN_CONNECT (self->pages, "notify::visible-child", show_shares, self);
  self->breakdown = fill_panel (self->reasons_page, goban_breakdown_list_new (session));
  self->changes = fill_panel (self->changes_page, goban_change_list_new (session));
  rows_cb (self);
  found_cb (self);
  GOBAN_CONNECT (self->breakdown, "changed", found_cb, self);
  GOBAN_CONNECT (set, "notify::difference", difference_cb, self);
  GOBAN_CONNECT (goban_node_columns_get_model (GOBAN_NODE_COLUMNS (self->changes)), "changed",
                 rows_cb, self);
  return GTK_WIDGET (self);
}

GobanTimeSharesView *
goban_compare_panels_show_shares (GobanComparePanels *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PANELS (self), NULL);

  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "shares");
  return GOBAN_TIME_SHARES_VIEW (self->shares);
}

GobanChangeList *
goban_compare_panels_get_changes (GobanComparePanels *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PANELS (self), NULL);

  return GOBAN_CHANGE_LIST (self->changes);
}
