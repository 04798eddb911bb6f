#include "ui/compare/compare-pane.h"
#include "ui/graph/graph-view-follower.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/companions.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "engine/study/report/report.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <string.h>

/* Characters of a graph's name behind that of its run. */
#define LONGEST_GRAPH 22
/* Characters of what stands in the head of a pane, if that is narrow or wide. */
#define SHORTEST_NAME 10
#define LONGEST_NAME 48

struct _GobanComparePane
{
  GtkWidget parent;

  GobanSession *session;
  GobanCompareSet *set; /* the session's */
  guint place;

  GtkWidget *box;
  GtkWidget *letter;
  GtkWidget *runs;
  GtkWidget *warning; /* shown if the plan is not valid */
  GtkWidget *makespan;
  GtkWidget *change;
  GtkWidget *view;
  GtkWidget *own_view; /* (nullable): of a run of another graph than the open one, in its place */
  GobanSession *companion; /* (nullable): that it is of */
  gboolean has_graph;
  gboolean following; /* the choice follows the set, not people */
};

G_DEFINE_FINAL_TYPE (GobanComparePane, goban_compare_pane, GTK_TYPE_WIDGET)

char *
goban_compare_describe_change (GobanRun *first, GobanRun *run)
{
  double before_us = goban_run_get_makespan_us (first);
  double after_us = goban_run_get_makespan_us (run);
  char change[GOBAN_QUANTITY_LEN];

  if (!isfinite (after_us / before_us))
    return g_strdup ("");
  if (after_us == before_us)
    return g_strdup (_ ("as the first"));
  return g_strdup_printf ("%s %s", goban_format_percent_change (change, before_us, after_us),
                          after_us < before_us ? "▼" : "▲");
}

/* --- the head ------------------------------------------------------------------------------- */

/* With the end of the name of another graph, in which two trainings differ. */
static char *
name_of_run (GobanRunRow *row)
{
  GobanRun *run = goban_run_row_get_run (row);
  const char *graph = goban_compare_row_get_graph (row);
  glong n = graph != NULL ? g_utf8_strlen (graph, -1) : 0;

  if (graph == NULL)
    return g_strdup (goban_run_get_name (run));
  return g_strdup_printf ("%s · %s%s", goban_run_get_name (run), n > LONGEST_GRAPH ? "…" : "",
                          g_utf8_offset_to_pointer (graph, MAX (n - LONGEST_GRAPH, 0)));
}

static void
setup_name_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = goban_short_label_new (GOBAN_KEEP_START, 0);

  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (label), SHORTEST_NAME);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), LONGEST_NAME);
  gtk_list_item_set_child (item, label);
}

static void
bind_name_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  g_autofree char *name = name_of_run (gtk_list_item_get_item (item));

  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_list_item_get_child (item)), name);
}

/* The name gives way to the makespan, which goes before the change; the list has it whole. */
static void
let_name_shrink (GtkDropDown *runs)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_name_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_name_cb), NULL);
  gtk_drop_down_set_list_factory (runs, gtk_drop_down_get_factory (runs));
  gtk_drop_down_set_factory (runs, factory);
  g_object_unref (factory);
}

/* --- a graph of its own ----------------------------------------------------------------------- */

static void
show_graphs (GobanComparePane *self)
{
  gtk_widget_set_visible (self->view, self->has_graph && self->own_view == NULL);
  if (self->own_view != NULL)
    gtk_widget_set_visible (self->own_view, self->has_graph);
}

static void
drop_own_view (GobanComparePane *self)
{
  g_clear_pointer (&self->own_view, gtk_widget_unparent);
  g_clear_object (&self->companion);
}

/* Nodes that are in this graph alone are marked like search results. */
static void
mark_unmatched (GobanComparePane *self, GobanGraphView *view)
{
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (self->set);
  GobanRun *run = goban_compare_set_get_run (self->set, self->place);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) nodes = NULL;
  guint before = 0, after = 1, side;

  goban_compare_set_get_pair (self->set, &before, &after);
  if (matching == NULL || (self->place != before && self->place != after))
    {
      goban_graph_view_set_matches (view, NULL);
      return;
    }
  side = self->place == after;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (goban_run_get_graph (run)); v++)
    if (goban_graph_matching_get (matching, side, v) == GOBAN_MATCH_NONE)
      g_array_append_val (found, v);
  nodes = goban_selection_new ((const GobanNodeId *) (gconstpointer) found->data, found->len);
  goban_graph_view_set_matches (view, nodes);
}

static void
update_graph (GobanComparePane *self, GobanRun *run)
{
  GobanSession *companion = goban_companion_for (self->session, run);

  if (companion == self->session)
    drop_own_view (self);
  else if (companion != self->companion)
    {
      drop_own_view (self);
      self->companion = g_object_ref (companion);
      self->own_view = goban_graph_view_new (companion);
      goban_graph_view_set_refusal (
          GOBAN_GRAPH_VIEW (self->own_view),
          _ ("This plan is of another graph: to move its nodes, open that one"));
      gtk_widget_set_vexpand (self->own_view, TRUE);
      gtk_widget_set_hexpand (self->own_view, TRUE);
      gtk_widget_set_size_request (self->own_view, 160, 90);
      gtk_box_append (GTK_BOX (self->box), self->own_view);
    }
  mark_unmatched (self, GOBAN_GRAPH_VIEW (self->own_view != NULL ? self->own_view : self->view));
  show_graphs (self);
}

/* (nullable) */
static GobanRun *
chosen_run (GobanComparePane *self)
{
  return goban_run_row_get_run (gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->runs)));
}

static void
chosen_cb (GobanComparePane *self)
{
  GobanRun *run = chosen_run (self);

  if (!self->following && run != NULL && self->place < goban_compare_set_get_n_runs (self->set))
    goban_compare_set_replace (self->set, self->place, run);
}

static guint
find_run (GobanComparePane *self, GobanRun *run)
{
  guint place = GTK_INVALID_LIST_POSITION;

  goban_run_list_find (gtk_drop_down_get_model (GTK_DROP_DOWN (self->runs)), run, &place);
  return place;
}

static gboolean
is_of_pair (GobanComparePane *self, gboolean is_after)
{
  guint before, after;

  return goban_compare_set_get_pair (self->set, &before, &after)
         && (is_after ? after : before) == self->place;
}

/* For people who do not see it: what a pane is, and how it stands to the first. */
static void
describe_to_people (GobanComparePane *self, GobanRun *run, const char *change)
{
  g_autofree char *sentence = goban_report_run_sentence (run);
  g_autofree char *label
      = g_strdup_printf (_ ("Plan %c of %u that are compared: %s%s%s"), 'A' + (int) self->place,
                         goban_compare_set_get_n_runs (self->set), goban_run_get_name (run),
                         *change != '\0' ? ", against the first: " : "", change);
  GtkWidget *view;

  view = self->own_view != NULL ? self->own_view : self->view;
  goban_set_accessible_label (view, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  g_strstrip (sentence), -1);
  goban_set_accessible_label (self->runs, label);
  goban_set_tooltip (self->runs, sentence);
}

static gboolean
is_valid (GobanRun *run)
{
  return goban_trace_is_valid (goban_run_get_trace (run));
}

/* A run out of memory has a time, but not one that could be reached. */
static void
show_validity (GobanComparePane *self, GobanRun *run)
{
  const char *why = is_valid (run) ? NULL : goban_trace_get_why (goban_run_get_trace (run));

  gtk_widget_set_visible (self->warning, why != NULL);
  goban_set_tooltip (self->warning, why);
  if (why != NULL)
    goban_set_accessible_label (self->warning, why);
}

static const char *
judge (GobanRun *first, GobanRun *run, const char *change)
{
  if (!is_valid (first) || !is_valid (run))
    return "same";
  return strstr (change, "▼") != NULL ? "better" : strstr (change, "▲") != NULL ? "worse" : "same";
}

void
goban_compare_pane_update (GobanComparePane *self)
{
  GobanRun *run, *first;
  g_autofree char *change = NULL;
  char time[GOBAN_QUANTITY_LEN];
  gboolean is_there, is_hidden;

  g_return_if_fail (GOBAN_IS_COMPARE_PANE (self));

  if (self->set == NULL)
    return; /* disposed, by the session's last reference too */
  is_there = self->place < goban_compare_set_get_n_runs (self->set);
  gtk_widget_set_visible (GTK_WIDGET (self), is_there);
  if (!is_there)
    {
      goban_graph_view_set_run (GOBAN_GRAPH_VIEW (self->view), NULL);
      drop_own_view (self);
      return;
    }

  run = goban_compare_set_get_run (self->set, self->place);
  first = goban_compare_set_get_run (self->set, 0);
  change = self->place > 0 ? goban_compare_describe_change (first, run) : g_strdup ("");
  self->following = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->runs), find_run (self, run));
  self->following = FALSE;
  update_graph (self, run);
  show_validity (self, run);
  is_hidden = goban_compare_set_is_racing (self->set);
  goban_set_label_text (self->makespan, is_hidden ? "?" : goban_format_makespan (time, run));
  goban_set_label_text (self->change, change);
  gtk_widget_set_css_classes (
      self->change, (const char *[]){ "numeric", "change", judge (first, run, change), NULL });
  gtk_widget_set_visible (self->change, *change != '\0' && !is_hidden);
  if (is_of_pair (self, FALSE) || is_of_pair (self, TRUE))
    gtk_widget_add_css_class (self->letter, "pair");
  else
    gtk_widget_remove_css_class (self->letter, "pair");
  if (!is_hidden)
    describe_to_people (self, run, change);
}

void
goban_compare_pane_set_has_graph (GobanComparePane *self, gboolean has_graph)
{
  g_return_if_fail (GOBAN_IS_COMPARE_PANE (self));

  self->has_graph = has_graph;
  show_graphs (self);
  gtk_widget_set_vexpand (GTK_WIDGET (self), has_graph);
}

GobanGraphView *
goban_compare_pane_get_view (GobanComparePane *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PANE (self), NULL);

  return GOBAN_GRAPH_VIEW (self->view);
}

static void
goban_compare_pane_dispose (GObject *object)
{
  GobanComparePane *self = GOBAN_COMPARE_PANE (object);

  if (self->runs != NULL)
    g_signal_handlers_disconnect_by_data (self->runs, self);
  self->runs = NULL;
  drop_own_view (self);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->set);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_compare_pane_parent_class)->dispose (object);
}

static void
goban_compare_pane_class_init (GobanComparePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_compare_pane_dispose;
  gtk_widget_class_set_css_name (widget_class, "comparepane");
  goban_template_set (widget_class, "compare/compare-pane.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanComparePane, box, letter, runs, warning, makespan,
                           change);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, name_of_run, chosen_cb);
}

static void
goban_compare_pane_init (GobanComparePane *self)
{
  goban_template_init (GTK_WIDGET (self));
  let_name_shrink (GTK_DROP_DOWN (self->runs));
}

/* The list has changed under the choice: GTK has chosen another one meanwhile. */
static void
items_changed_cb (GobanComparePane *self)
{
  goban_compare_pane_update (self);
}

static void
will_change_cb (GobanComparePane *self)
{
  self->following = TRUE;
}

GtkWidget *
goban_compare_pane_new (GobanSession *session, GobanGraphView *leader, GobanGraphScenes *scenes,
                        guint place)
{
  GobanComparePane *self = g_object_new (GOBAN_TYPE_COMPARE_PANE, NULL);
  GListStore *lists = g_list_store_new (G_TYPE_LIST_MODEL);
  GListModel *runs = G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (lists)));
  const char letter[] = { (char) ('A' + place), '\0' };

  self->session = g_object_ref (session);
  self->set = g_object_ref (goban_session_get_compare_set (session));
  self->place = place;
  self->has_graph = TRUE;
  g_list_store_append (lists, goban_session_get_runs (session));
  g_list_store_append (lists, goban_compare_set_get_others (self->set));
  /* Connected twice, to run before and after the drop-down's own handler. */
  GOBAN_CONNECT (runs, "items-changed", will_change_cb, self);
  goban_set_label_text (self->letter, letter);
  self->following = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->runs), runs);
  self->following = FALSE;
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (items_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_object_unref (runs);
  self->view = goban_graph_view_new_follower (leader, scenes);
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_set_hexpand (self->view, TRUE);
  gtk_widget_set_size_request (self->view, 160, 90);
  gtk_box_append (GTK_BOX (self->box), self->view);
  return GTK_WIDGET (self);
}
