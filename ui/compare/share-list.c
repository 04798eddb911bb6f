#include "ui/compare/share-list.h"

#include "engine/base/i18n.h"
#include "engine/base/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <math.h>

#define BAR_WIDTH 56
#define BAR_HEIGHT 9

/* --- a bar ------------------------------------------------------------------------------------ */

/* From the middle to the left for time gained, to the right for time lost, in the colour of its
 * text. */
#define GOBAN_TYPE_SHARE_BAR (goban_share_bar_get_type ())
G_DECLARE_FINAL_TYPE (GobanShareBar, goban_share_bar, GOBAN, SHARE_BAR, GtkWidget)

struct _GobanShareBar
{
  GtkWidget parent;

  double part; /* -1..1 */
};

G_DEFINE_FINAL_TYPE (GobanShareBar, goban_share_bar, GTK_TYPE_WIDGET)

static void
goban_share_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? BAR_WIDTH : BAR_HEIGHT;
}

static void
goban_share_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GobanShareBar *self = GOBAN_SHARE_BAR (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  float middle = floorf (width / 2);
  float length = ceilf (fabsf ((float) self->part) * middle);
  GdkRGBA color, rule;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  rule = color;
  rule.alpha *= 0.35f;
  gtk_snapshot_append_color (
      snapshot, &color,
      &GRAPHENE_RECT_INIT (self->part < 0 ? middle - length : middle, 0, length, height));
  gtk_snapshot_append_color (snapshot, &rule, &GRAPHENE_RECT_INIT (middle, 0, 1, height));
}

static void
goban_share_bar_class_init (GobanShareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = goban_share_bar_measure;
  widget_class->snapshot = goban_share_bar_snapshot;
  gtk_widget_class_set_css_name (widget_class, "sharebar");
}

static void
goban_share_bar_init (GobanShareBar *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

static void
set_part (GtkWidget *bar, double part)
{
  GOBAN_SHARE_BAR (bar)->part = part;
  gtk_widget_queue_draw (bar);
}

/* --- the list --------------------------------------------------------------------------------- */

struct _GobanShareList
{
  GtkWidget parent;

  GobanSession *session;
  GobanAttributor *attributor;
  GobanRun *before; /* (nullable) */
  GobanRun *after;  /* (nullable) */
  GtkWidget *progress;
  GtkWidget *stop;
  GtkWidget *list;
  GtkWidget *note;
  guint n_rows; /* there are, the last of them the remainder's */
};

G_DEFINE_FINAL_TYPE (GobanShareList, goban_share_list, GTK_TYPE_WIDGET)

/* What a row is made of; in the order of its box. */
typedef struct
{
  GtkWidget *delta;
  GtkWidget *bar;
  GtkWidget *label;
  GtkWidget *nodes;
  GtkWidget *button;
} Row;

/* --- trying ----------------------------------------------------------------------------------- */

void
goban_share_list_try (GobanShareList *self, guint i)
{
  const GobanAttribution *found;
  GobanRevert revert;

  g_return_if_fail (GOBAN_IS_SHARE_LIST (self));

  found = goban_attributor_get_found (self->attributor);
  if (found == NULL || i >= found->n_shares)
    return;
  revert = (GobanRevert){ goban_attributor_get_before (self->attributor),
                          goban_attributor_get_after (self->attributor), found->shares[i].kind,
                          found->shares[i].nodes, found->shares[i].label };
  goban_session_try_revert (self->session, &revert);
}

static int
find_row (GtkWidget *child)
{
  GtkWidget *row = gtk_widget_get_ancestor (child, GTK_TYPE_LIST_BOX_ROW);

  return row != NULL ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)) : -1;
}

static void
try_cb (GtkButton *button, GobanShareList *self)
{
  int i = find_row (GTK_WIDGET (button));

  if (i >= 0)
    goban_share_list_try (self, (guint) i);
}

static void
activated_cb (GobanShareList *self, GtkListBoxRow *row)
{
  const GobanAttribution *found = goban_attributor_get_found (self->attributor);
  guint i = (guint) gtk_list_box_row_get_index (row);

  if (found != NULL && i < found->n_shares && found->shares[i].n_nodes > 0)
    goban_session_set_selection (self->session, found->shares[i].nodes);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void
add_row (GobanShareList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  Row *row = g_new0 (Row, 1);

  row->delta = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->delta), 1);
  gtk_label_set_width_chars (GTK_LABEL (row->delta), 11);
  gtk_widget_add_css_class (row->delta, "numeric");
  gtk_widget_add_css_class (row->delta, "delta");
  row->bar = g_object_new (GOBAN_TYPE_SHARE_BAR, NULL);
  row->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row->label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (row->label, TRUE);
  row->nodes = gtk_label_new (NULL);
  gtk_widget_add_css_class (row->nodes, "note");
  row->button = gtk_button_new_with_label (_ ("Try"));
  gtk_widget_add_css_class (row->button, "try");
  g_signal_connect_object (row->button, "clicked", G_CALLBACK (try_cb), self, 0);
  gtk_box_append (GTK_BOX (box), row->delta);
  gtk_box_append (GTK_BOX (box), row->bar);
  gtk_box_append (GTK_BOX (box), row->label);
  gtk_box_append (GTK_BOX (box), row->nodes);
  gtk_box_append (GTK_BOX (box), row->button);
  gtk_list_box_append (GTK_LIST_BOX (self->list), box);
  g_object_set_data_full (
      G_OBJECT (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) self->n_rows)),
      "goban-row", row, g_free);
  self->n_rows++;
}

/* Rows are kept and filled anew: thirty times a second at most. */
static void
set_n_rows (GobanShareList *self, guint n)
{
  while (self->n_rows < n)
    add_row (self);
  while (self->n_rows > n)
    gtk_list_box_remove (GTK_LIST_BOX (self->list),
                         GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list),
                                                                    (int) --self->n_rows)));
}

static Row *
get_row (GobanShareList *self, guint i)
{
  return g_object_get_data (
      G_OBJECT (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i)), "goban-row");
}

static void
set_sense (GtkWidget *widget, double delta_us)
{
  gtk_widget_remove_css_class (widget, "better");
  gtk_widget_remove_css_class (widget, "worse");
  if (delta_us < 0)
    gtk_widget_add_css_class (widget, "better");
  else if (delta_us > 0)
    gtk_widget_add_css_class (widget, "worse");
}

static void
fill_delta (Row *row, double delta_us, double largest_us)
{
  char buffer[GOBAN_QUANTITY_LEN + 1];
  gboolean is_none = isnan (delta_us) || fabs (delta_us) <= 1e-9 * largest_us;
  g_autofree char *text = g_strdup_printf ("%s%s",
                                           is_none        ? ""
                                           : delta_us < 0 ? "▼ "
                                                          : "▲ ",
                                           goban_format_change (buffer, delta_us, largest_us));

  gtk_label_set_text (GTK_LABEL (row->delta), text);
  set_sense (row->delta, is_none ? 0 : delta_us);
  set_sense (row->bar, is_none ? 0 : delta_us);
  set_part (row->bar, is_none || largest_us <= 0 ? 0 : CLAMP (delta_us / largest_us, -1, 1));
}

static char *
describe_need (const GobanShare *share)
{
  if (isnan (share->delta_us))
    return g_strdup (_ ("Cannot be reverted separately"));
  return share->is_valid
             ? g_strdup_printf (_ ("Add the plan without %s"), share->label)
             : g_strdup_printf (_ ("Add the plan without %s, which memory does not suffice for"),
                                share->label);
}

static void
fill_share (Row *row, const GobanShare *share, double largest_us)
{
  g_autofree char *nodes
      = share->n_nodes == 0
            ? g_strdup ("")
            : g_strdup_printf (share->n_nodes == 1 ? "%u node%s" : "%u nodes%s", share->n_nodes,
                               share->is_valid || isnan (share->delta_us) ? "" : " ⚠");
  g_autofree char *help = describe_need (share);

  fill_delta (row, share->delta_us, largest_us);
  gtk_label_set_text (GTK_LABEL (row->label), share->label);
  gtk_widget_set_tooltip_text (row->label, share->label);
  gtk_label_set_text (GTK_LABEL (row->nodes), nodes);
  gtk_widget_remove_css_class (row->label, "note");
  gtk_widget_set_opacity (row->button, 1);
  gtk_widget_set_sensitive (row->button, !isnan (share->delta_us));
  gtk_widget_set_tooltip_text (row->button, help);
  goban_set_accessible_label (row->button, help);
}

static void
fill_remainder (Row *row, const GobanAttribution *found, double largest_us)
{
  gboolean is_whole = found->n_shares == found->n_groups;

  fill_delta (row, found->remainder_us, largest_us);
  gtk_label_set_text (GTK_LABEL (row->label), is_whole
                                                  ? _ ("remainder: only together")
                                                  : _ ("not yet looked at, and the remainder"));
  gtk_widget_set_tooltip_text (row->label, _ ("Difference not explained by single changes"));
  gtk_widget_add_css_class (row->label, "note");
  gtk_label_set_text (GTK_LABEL (row->nodes), "");
  gtk_widget_set_sensitive (row->button, FALSE);
  gtk_widget_set_opacity (row->button, 0);
}

static void
fill_rows (GobanShareList *self, const GobanAttribution *found)
{
  double largest_us = 0;

  /* The remainder may dwarf them all, and then its bar is merely full. */
  for (guint i = 0; i < found->n_shares; i++)
    if (!isnan (found->shares[i].delta_us))
      largest_us = MAX (largest_us, fabs (found->shares[i].delta_us));
  if (found->n_shares == 0)
    largest_us = fabs (found->remainder_us);
  set_n_rows (self, found->n_shares + 1);
  for (guint i = 0; i < found->n_shares; i++)
    fill_share (get_row (self, i), &found->shares[i], largest_us);
  fill_remainder (get_row (self, found->n_shares), found, largest_us);
  gtk_list_box_row_set_activatable (
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) found->n_shares), FALSE);
}

static void
found_cb (GobanShareList *self)
{
  const GobanAttribution *found = goban_attributor_get_found (self->attributor);
  const char *trouble = goban_attributor_get_trouble (self->attributor);
  gboolean is_running = goban_attributor_is_running (self->attributor);
  gboolean is_partial = found == NULL || found->n_shares < found->n_groups;

  gtk_widget_set_visible (self->progress, is_running);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 goban_attributor_get_fraction (self->attributor));
  gtk_button_set_label (GTK_BUTTON (self->stop), is_running ? _ ("Stop") : _ ("Find all"));
  gtk_widget_set_visible (self->stop, self->after != NULL && is_partial && trouble == NULL);
  gtk_widget_set_visible (self->note, trouble != NULL);
  gtk_label_set_text (GTK_LABEL (self->note), trouble != NULL ? trouble : "");
  if (found != NULL)
    fill_rows (self, found);
  else
    set_n_rows (self, 0);
}

/* --- looking for them ------------------------------------------------------------------------- */

static void
start (GobanShareList *self)
{
  if (self->before != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    goban_attributor_start (self->attributor, self->before, self->after);
}

static void
stop_cb (GobanShareList *self)
{
  if (goban_attributor_is_running (self->attributor))
    goban_attributor_stop (self->attributor);
  else
    start (self);
}

void
goban_share_list_set_runs (GobanShareList *self, GobanRun *before, GobanRun *after)
{
  g_return_if_fail (GOBAN_IS_SHARE_LIST (self));

  if (self->before == before && self->after == after)
    return;
  goban_run_set (&self->before, before);
  goban_run_set (&self->after, after);
  goban_attributor_clear (self->attributor);
  start (self);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
goban_share_list_map (GtkWidget *widget)
{
  GobanShareList *self = GOBAN_SHARE_LIST (widget);

  GTK_WIDGET_CLASS (goban_share_list_parent_class)->map (widget);
  if (goban_attributor_get_after (self->attributor) == NULL)
    start (self);
}

static void
goban_share_list_unmap (GtkWidget *widget)
{
  GobanShareList *self = GOBAN_SHARE_LIST (widget);

  goban_attributor_stop (self->attributor);
  GTK_WIDGET_CLASS (goban_share_list_parent_class)->unmap (widget);
}

static void
goban_share_list_dispose (GObject *object)
{
  GobanShareList *self = GOBAN_SHARE_LIST (object);

  goban_template_dispose (GTK_WIDGET (self));
  g_clear_object (&self->attributor);
  g_clear_pointer (&self->before, goban_run_unref);
  g_clear_pointer (&self->after, goban_run_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_share_list_parent_class)->dispose (object);
}

static void
goban_share_list_class_init (GobanShareListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_share_list_dispose;
  widget_class->map = goban_share_list_map;
  widget_class->unmap = goban_share_list_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "sharelist");
  goban_template_set (widget_class, "compare/share-list.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanShareList, progress);
  gtk_widget_class_bind_template_child (widget_class, GobanShareList, stop);
  gtk_widget_class_bind_template_child (widget_class, GobanShareList, note);
  gtk_widget_class_bind_template_child (widget_class, GobanShareList, list);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
goban_share_list_init (GobanShareList *self)
{
  goban_template_init (GTK_WIDGET (self));
  self->attributor = goban_attributor_new ();
  g_signal_connect_object (self->attributor, "changed", G_CALLBACK (found_cb), self,
                           G_CONNECT_SWAPPED);
  found_cb (self);
}

GtkWidget *
goban_share_list_new (GobanSession *session)
{
  GobanShareList *self = g_object_new (GOBAN_TYPE_SHARE_LIST, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

GobanAttributor *
goban_share_list_get_attributor (GobanShareList *self)
{
  g_return_val_if_fail (GOBAN_IS_SHARE_LIST (self), NULL);

  return self->attributor;
}
