#include "ui/compare/breakdown-list.h"

#include "engine/core/i18n.h"
#include "engine/session/session-marks.h"
#include "engine/study/analysis/difference/difference.h"
#include "ui/draw/charts/waterfall.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <string.h>

#define BAR_WIDTH 80
#define ROW_HEIGHT 16

/* --- a bar ------------------------------------------------------------------------------------ */

#define GOBAN_TYPE_BREAKDOWN_BAR (goban_breakdown_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanBreakdownBar, goban_breakdown_bar, GOBAN, BREAKDOWN_BAR, GtkWidget)

struct _GobanBreakdownBar
{
  GtkWidget parent;

  GobanWaterfall *waterfall; /* (nullable), the list's */
  guint row;
};

G_DEFINE_FINAL_TYPE (GobanBreakdownBar, goban_breakdown_bar, GTK_TYPE_WIDGET)

static void
goban_breakdown_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? BAR_WIDTH : ROW_HEIGHT;
}

static void
goban_breakdown_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanBreakdownBar *self = GOBAN_BREAKDOWN_BAR (widget);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GobanTextCache) text = NULL;
  g_autoptr (GobanPen) pen = NULL;
  cairo_t *cr;

  if (self->waterfall == NULL)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  text = goban_text_cache_new ();
  pen = goban_pen_new_for_cairo (cr, width, height, text);
  goban_waterfall_paint_bar (self->waterfall, self->row, pen, (GobanBox){ 0, 0, width, height },
                             goban_theme_of (widget));
  cairo_destroy (cr);
}

static void
goban_breakdown_bar_class_init (GobanBreakdownBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = goban_breakdown_bar_measure;
  widget_class->snapshot = goban_breakdown_bar_snapshot;
  gtk_widget_class_set_css_name (widget_class, "breakdownbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
goban_breakdown_bar_init (GobanBreakdownBar *self)
{
}

/* --- the list --------------------------------------------------------------------------------- */

#define GROUP_INDENT 20
#define LEAST_WIDTH 240

struct _GobanBreakdownList
{
  GtkWidget parent;

  GobanSession *session;
  GobanAttributor *attributor;
  GobanDifference *difference; /* (nullable) */
  GobanRun *pair[2];           /* (nullable): of two graphs */
  GobanWaterfall *waterfall;   /* (nullable): the visible rows */
  gboolean is_folded;          /* groups are hidden */
  GtkWidget *box;
  GtkWidget *progress;
  GtkWidget *stop;
  GtkWidget *list;
  GtkWidget *note;
  GtkSizeGroup *notes; /* bold ones are wider */
  guint n_rows;
};

G_DEFINE_FINAL_TYPE (GobanBreakdownList, goban_breakdown_list, GTK_TYPE_WIDGET)

/* Widgets of a row, in the order of its box. */
typedef struct
{
  GtkWidget *label;
  GtkWidget *value;
  GtkWidget *bar;
  GtkWidget *note;
  GtkWidget *button;
} Row;

/* --- trying ----------------------------------------------------------------------------------- */

/* Tries the plan without the i-th bar. */
static void
try_without (GobanBreakdownList *self, guint i)
{
  GobanDifference *difference;
  const GobanBreakdown *found;
  GobanRevertKind kind;
  g_autofree char *label = NULL;
  GobanRevert revert;

  found = goban_attributor_get_found (self->attributor);
  difference = goban_attributor_get_difference (self->attributor);
  if (found == NULL || i >= found->n_bars || !goban_bar_get_change (&found->bars[i], &kind))
    return;
  label = g_strdup (found->bars[i].label);
  revert = (GobanRevert){ .before = difference->before,
                          .after = difference->after,
                          .listed = goban_difference_get_unmatched (difference),
                          .kind = kind,
                          .nodes = found->bars[i].nodes,
                          .label = label };
  goban_session_try_revert (self->session, &revert);
}

/* The bar of a row of the list. */
static guint
bar_of_row (GobanBreakdownList *self, int row)
{
  return goban_waterfall_get_row (self->waterfall, (guint) row)->bar;
}

static void
try_cb (GtkButton *button, GobanBreakdownList *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW);

  if (row != NULL && self->waterfall != NULL)
    try_without (self, bar_of_row (self, gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row))));
}

/* --- rows ------------------------------------------------------------------------------------- */

static void
add_row (GobanBreakdownList *self)
{
  GtkWidget *grid = gtk_grid_new ();
  Row *row = g_new0 (Row, 1);

  row->label = goban_short_label_new (GOBAN_KEEP_START, 0);
  goban_short_label_set_min_chars (GOBAN_SHORT_LABEL (row->label), 10);
  gtk_widget_set_hexpand (row->label, TRUE);
  gtk_widget_set_has_tooltip (row->label, FALSE); /* the row's says it, too */
  row->value = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->value), 1);
  gtk_label_set_width_chars (GTK_LABEL (row->value), 11);
  gtk_widget_add_css_class (row->value, "numeric");
  gtk_widget_add_css_class (row->value, "delta");
  row->bar = g_object_new (GOBAN_TYPE_BREAKDOWN_BAR, NULL);
  gtk_widget_set_hexpand (row->bar, TRUE);
  /* Labels and bars give way to numbers. */
  row->note = goban_new_label (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->note), 0);
  gtk_widget_add_css_class (row->note, "note");
  row->button = gtk_button_new_with_label (_ ("Try"));
  gtk_widget_set_valign (row->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (row->button, "try");
  g_signal_connect_object (row->button, "clicked", G_CALLBACK (try_cb), self, 0);
  gtk_size_group_add_widget (self->notes, row->note);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  gtk_grid_attach (GTK_GRID (grid), row->label, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), row->value, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), row->bar, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), row->note, 1, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), row->button, 2, 0, 1, 2);
  gtk_list_box_append (GTK_LIST_BOX (self->list), grid);
  g_object_set_data_full (
      G_OBJECT (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) self->n_rows)),
      "goban-row", row, g_free);
  self->n_rows++;
}

static GtkListBoxRow *
row_at (GobanBreakdownList *self, guint i)
{
  return gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i);
}

/* Rows are kept and filled anew: thirty times a second at most. */
static void
set_n_rows (GobanBreakdownList *self, guint n)
{
  while (self->n_rows < n)
    add_row (self);
  while (self->n_rows > n)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row_at (self, --self->n_rows)));
}

static void
set_class (GtkWidget *widget, const char *name, gboolean has_it)
{
  if (has_it)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static char *
make_label (GobanBreakdownList *self, const GobanBreakdown *found, const GobanWaterfallRow *row)
{
  if (row->kind == GOBAN_BAR_GROUP)
    return g_strdup (row->label);
  if (row->kind == GOBAN_BAR_PLACEMENT && found->n_groups > 1)
    return g_strdup_printf ("%s %s", self->is_folded ? "▸" : "▾", row->label);
  return g_strdup (row->label);
}

static void
fill_button (Row *row, const GobanBar *bar)
{
  GobanRevertKind kind;
  gboolean can_try = goban_bar_get_change (bar, &kind);
  g_autofree char *help
      = can_try ? g_strdup_printf (_ ("Add the second plan without %s"), bar->label) : NULL;

  gtk_widget_set_opacity (row->button, can_try ? 1 : 0);
  gtk_widget_set_sensitive (row->button, can_try);
  goban_set_tooltip (row->button, help);
  if (help != NULL)
    goban_set_accessible_label (row->button, help);
}

static const char *
explain (GobanBarKind kind)
{
  switch (kind)
    {
    case GOBAN_BAR_PLACEMENT:
      return _ ("The first plan with the devices of the second: click for its groups");
    case GOBAN_BAR_GROUP:
      return _ ("Mean of what these moves add, over the orders in which groups can be moved");
    case GOBAN_BAR_ORDER:
      return _ ("The first plan with the priorities and the order of the second");
    case GOBAN_BAR_FUSION:
      return _ ("The first plan with the fused kernels of the second");
    case GOBAN_BAR_INTERACTION:
      return _ ("What placement, order and fusion do only together");
    case GOBAN_BAR_TIES:
      return _ ("Ties at the same instant go by device numbers, which the comparison exchanges");
    case GOBAN_BAR_CAUSE:
      return _ ("Mean time of a device on this, in the second plan against the first");
    case GOBAN_BAR_CLUSTER:
      return _ ("The first plan on the cluster of the second");
    default:
      return NULL;
    }
}

static void
fill_row (GobanBreakdownList *self, const GobanBreakdown *found, guint i)
{
  GtkListBoxRow *list_row = row_at (self, i);
  Row *row = g_object_get_data (G_OBJECT (list_row), "goban-row");
  const GobanWaterfallRow *shown = goban_waterfall_get_row (self->waterfall, i);
  const GobanBar *bar = &found->bars[shown->bar];
  gboolean is_plan = bar->kind == GOBAN_BAR_BEFORE || bar->kind == GOBAN_BAR_AFTER;
  g_autofree char *label = make_label (self, found, shown);
  g_autofree char *words = goban_waterfall_describe_row (self->waterfall, i);
  const char *meaning = explain (bar->kind);
  g_autofree char *tip = meaning != NULL ? g_strdup_printf ("%s\n%s", words, meaning) : NULL;

  goban_short_label_set_text (GOBAN_SHORT_LABEL (row->label), label);
  goban_short_label_set_keep (GOBAN_SHORT_LABEL (row->label),
                              bar->kind == GOBAN_BAR_GROUP ? GOBAN_KEEP_END : GOBAN_KEEP_START);
  gtk_widget_set_margin_start (row->label, bar->kind == GOBAN_BAR_GROUP ? GROUP_INDENT : 0);
  goban_set_label_text (row->value, shown->value);
  goban_set_label_text (row->note, shown->note);
  set_class (row->value, "better", shown->sense < 0);
  set_class (row->value, "worse", shown->sense > 0);
  set_class (row->label, "delta", is_plan);
  GOBAN_BREAKDOWN_BAR (row->bar)->waterfall = self->waterfall;
  GOBAN_BREAKDOWN_BAR (row->bar)->row = i;
  gtk_widget_queue_draw (row->bar);
  fill_button (row, bar);
  goban_set_tooltip (GTK_WIDGET (list_row), tip != NULL ? tip : words);
  goban_set_accessible_label (GTK_WIDGET (list_row), words);
  gtk_list_box_row_set_activatable (list_row, bar->n_nodes > 0);
}

/* The letters that head the panes. */
static void
name_plans (GobanBreakdownList *self, char letters[2][2])
{
  GobanCompareSet *set = goban_session_get_compare_set (self->session);
  guint before = 0, after = 1;

  goban_compare_set_get_pair (set, &before, &after);
  for (guint i = 0; i < 2; i++)
    {
      letters[i][0] = (char) ('A' + (i == 0 ? before : after));
      letters[i][1] = '\0';
    }
}

static void
forget_waterfall (GobanBreakdownList *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    {
      Row *row = g_object_get_data (G_OBJECT (row_at (self, i)), "goban-row");

      GOBAN_BREAKDOWN_BAR (row->bar)->waterfall = NULL;
    }
  g_clear_pointer (&self->waterfall, goban_waterfall_free);
}

static void
fill_rows (GobanBreakdownList *self, const GobanBreakdown *found)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  char letters[2][2];

  forget_waterfall (self);
  name_plans (self, letters);
  before = g_strdup_printf ("%s: %s", letters[0], found->bars[0].label);
  after = g_strdup_printf ("%s: %s", letters[1], found->bars[found->n_bars - 1].label);
  self->waterfall
      = goban_waterfall_new (found, (const char *const[]){ before, after }, !self->is_folded);
  set_n_rows (self, self->waterfall->rows->len);
  for (guint i = 0; i < self->n_rows; i++)
    fill_row (self, found, i);
}

static void
found_cb (GobanBreakdownList *self)
{
  const GobanBreakdown *found = goban_attributor_get_found (self->attributor);
  const char *trouble = goban_attributor_get_trouble (self->attributor);
  gboolean is_running = goban_attributor_is_running (self->attributor);
  gboolean is_partial = found == NULL || !found->is_complete;

  goban_show_progress (self->progress,
                       is_running ? goban_attributor_get_fraction (self->attributor) : -1, NULL);
  gtk_button_set_label (GTK_BUTTON (self->stop), is_running ? _ ("Stop") : _ ("Find all"));
  gtk_widget_set_visible (self->stop, self->difference != NULL && is_partial && trouble == NULL);
  gtk_widget_set_visible (self->note, trouble != NULL);
  goban_set_label_text (self->note, trouble != NULL ? trouble : "");
  if (found != NULL)
    {
      fill_rows (self, found);
    }
  else
    {
      set_n_rows (self, 0);
      forget_waterfall (self);
    }
  g_signal_emit_by_name (self, "changed");
}

static void
activated_cb (GobanBreakdownList *self, GtkListBoxRow *row)
{
  const GobanBreakdown *found = goban_attributor_get_found (self->attributor);
  const GobanBar *bar;

  if (found == NULL || self->waterfall == NULL)
    return;
  bar = &found->bars[bar_of_row (self, gtk_list_box_row_get_index (row))];
  if (bar->n_nodes > 0)
    goban_session_set_selection (self->session, bar->nodes);
  if (bar->kind != GOBAN_BAR_PLACEMENT || found->n_groups < 2)
    return;
  self->is_folded = !self->is_folded;
  found_cb (self);
}

/* --- looking for it --------------------------------------------------------------------------- */

static void
start (GobanBreakdownList *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->difference != NULL)
    goban_attributor_start (self->attributor, self->difference);
  else if (self->pair[0] != NULL)
    goban_attributor_start_causes (self->attributor, self->pair[0], self->pair[1]);
}

static void
stop_cb (GobanBreakdownList *self)
{
  if (goban_attributor_is_running (self->attributor))
    goban_attributor_stop (self->attributor);
  else
    start (self);
}

static gboolean
are_of_same_runs (const GobanDifference *a, const GobanDifference *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return a->before == b->before && a->after == b->after
         && goban_difference_get_unmatched (a) == goban_difference_get_unmatched (b);
}

void
goban_breakdown_list_set_difference (GobanBreakdownList *self, GobanDifference *difference,
                                     GobanRun *const pair[2])
{
  gboolean is_same;

  g_return_if_fail (GOBAN_IS_BREAKDOWN_LIST (self));

  is_same = are_of_same_runs (self->difference, difference);
  for (guint i = 0; i < 2; i++)
    is_same &= !goban_run_set (&self->pair[i], pair != NULL ? pair[i] : NULL);
  if (difference != NULL)
    goban_difference_ref (difference);
  g_clear_pointer (&self->difference, goban_difference_unref);
  self->difference = difference;
  if (is_same)
    return;
  goban_attributor_clear (self->attributor);
  start (self);
}

static void
goban_breakdown_list_map (GtkWidget *widget)
{
  GobanBreakdownList *self = GOBAN_BREAKDOWN_LIST (widget);

  GTK_WIDGET_CLASS (goban_breakdown_list_parent_class)->map (widget);
  if (goban_attributor_get_found (self->attributor) == NULL)
    start (self);
}

static void
goban_breakdown_list_unmap (GtkWidget *widget)
{
  GobanBreakdownList *self = GOBAN_BREAKDOWN_LIST (widget);

  goban_attributor_stop (self->attributor);
  GTK_WIDGET_CLASS (goban_breakdown_list_parent_class)->unmap (widget);
}

static void
goban_breakdown_list_dispose (GObject *object)
{
  GobanBreakdownList *self = GOBAN_BREAKDOWN_LIST (object);

  if (self->box != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->attributor, self);
      forget_waterfall (self);
    }
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->notes);
  g_clear_object (&self->attributor);
  g_clear_pointer (&self->difference, goban_difference_unref);
  for (guint i = 0; i < 2; i++)
    goban_run_set (&self->pair[i], NULL);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_breakdown_list_parent_class)->dispose (object);
}

static void
goban_breakdown_list_class_init (GobanBreakdownListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_breakdown_list_dispose;
  widget_class->map = goban_breakdown_list_map;
  widget_class->unmap = goban_breakdown_list_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "breakdownlist");
  goban_signal_add (klass, "changed", 0);
}

static GtkWidget *
build_head (GobanBreakdownList *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  goban_set_accessible_label (self->progress, _ ("Groups measured"));
  self->stop = gtk_button_new_with_label (_ ("Stop"));
  gtk_widget_set_halign (self->stop, GTK_ALIGN_END);
  gtk_widget_add_css_class (self->stop, "try");
  gtk_box_append (GTK_BOX (head), self->progress);
  gtk_box_append (GTK_BOX (head), self->stop);
  gtk_widget_add_css_class (head, "breakdownhead");
  return head;
}

static void
goban_breakdown_list_init (GobanBreakdownList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->notes = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->is_folded = TRUE; /* the parts and their interaction are in sight first */
  self->note = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "note");
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  goban_set_accessible_label (self->list, _ ("What makes the difference"));
  /* Rows of a narrow pane are scrolled rather than cut. */
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), LEAST_WIDTH);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), build_head (self));
  gtk_box_append (GTK_BOX (self->box), self->note);
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));

  self->attributor = goban_attributor_new ();
  GOBAN_CONNECT (self->attributor, "changed", found_cb, self);
  GOBAN_CONNECT (self->stop, "clicked", stop_cb, self);
  GOBAN_CONNECT (self->list, "row-activated", activated_cb, self);
}

GtkWidget *
goban_breakdown_list_new (GobanSession *session)
{
  GobanBreakdownList *self = g_object_new (GOBAN_TYPE_BREAKDOWN_LIST, NULL);

  self->session = g_object_ref (session);
  found_cb (self);
  return GTK_WIDGET (self);
}

GobanAttributor *
goban_breakdown_list_get_attributor (GobanBreakdownList *self)
{
  g_return_val_if_fail (GOBAN_IS_BREAKDOWN_LIST (self), NULL);

  return self->attributor;
}

char *
goban_breakdown_list_dup_sentence (GobanBreakdownList *self)
{
  const GobanBreakdown *found;
  GobanDeviceMatching *matching;
  g_autofree char *sentence = NULL;
  g_autofree char *renamed = NULL;
  char letters[2][2];

  g_return_val_if_fail (GOBAN_IS_BREAKDOWN_LIST (self), NULL);

  found = goban_attributor_get_found (self->attributor);
  if (found == NULL)
    return g_strdup ("");
  name_plans (self, letters);
  sentence = goban_breakdown_to_sentence (found, (const char *const[]){ letters[0], letters[1] });
  if (self->difference == NULL)
    return g_steal_pointer (&sentence);
  matching = self->difference->matching;
  if (matching != NULL)
    renamed = goban_device_matching_describe (matching, letters[1]);
  return renamed != NULL ? g_strdup_printf ("%s  ·  %s", sentence, renamed)
                         : g_steal_pointer (&sentence);
}
