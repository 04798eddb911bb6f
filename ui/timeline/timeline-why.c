/* timeline-why.c: explanation of a gap: the chain of causes as text with links, and on the
 * lanes.
 *
 * Decision U51 (ui/NOTES.md).
 */
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/timeline-view.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/text.h"

#include <math.h>

#define MAX_HEIGHT 320
/* A run of 80,000 ops has chains of 40,000 causes: the nearest say enough, and a widget for each
 * would take the window minutes. */
#define MAX_ROWS 60

void
goban_timeline_view_forget_why (GobanTimelineView *self)
{
  if (self->why.popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->why.popover));
  g_clear_pointer (&self->why.chain, g_array_unref);
  g_clear_pointer (&self->why.causes, goban_causes_free);
  goban_picture_invalidate_overlay (GOBAN_PICTURE (self));
}

/* --- following ----------------------------------------------------------------------------- */

/* The op, or the producer of the transferred tensor; GOBAN_NO_NODE if a cause is about neither. */
static GobanNodeId
node_of_cause (GobanTrace *trace, const GobanCause *cause)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  guint n;

  if (cause->kind == GOBAN_CAUSE_DONE || cause->kind == GOBAN_CAUSE_NEVER)
    return GOBAN_NO_NODE;
  if (!cause->step.is_transfer)
    return cause->step.index;
  return goban_graph_get_tensor (graph,
                                 goban_trace_get_transfers (trace, &n)[cause->step.index].tensor)
      ->producer;
}

void
goban_timeline_view_follow_cause (GobanTimelineView *self, guint i)
{
  g_autoptr (GobanSelection) selection = NULL;
  const GobanCause *cause;
  GobanNodeId node;
  guint n;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self) && self->why.causes != NULL);

  cause = &goban_causes_get (self->why.causes, &n)[i];
  node = i < n ? node_of_cause (goban_timeline_view_get_trace (self), cause) : GOBAN_NO_NODE;
  if (node == GOBAN_NO_NODE)
    return;

  selection = goban_selection_new (&node, 1);
  goban_session_set_selection (self->session, selection);
  goban_timeline_view_reveal (self, cause->start_us, cause->finish_us);
}

/* A key's click comes a quarter of a second later, when the causes may be gone. */
static void
follow_cb (GtkButton *button, GobanTimelineView *self)
{
  if (self->why.causes != NULL)
    goban_timeline_view_follow_cause (
        self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "goban-cause")));
}

/* --- the popover ---------------------------------------------------------------------------- */

/* Columns of a row of the chain: when, what, where, why not before, for how long. */
enum
{
  COLUMN_START,
  COLUMN_STEP,
  COLUMN_PLACE,
  COLUMN_WAIT,
  COLUMN_TIME,
  N_COLUMNS
};

/* %FALSE if a cause is not about one op or transfer; it then has only a sentence. */
static gboolean
describe_columns (GobanTimelineView *self, const GobanCause *cause, char *texts[N_COLUMNS])
{
  GobanTrace *trace = goban_timeline_view_get_trace (self);
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));
  const char *to = goban_cluster_get_device (cluster, cause->device)->name;
  char start[GOBAN_QUANTITY_LEN], time[GOBAN_QUANTITY_LEN];
  guint n;

  if (cause->kind != GOBAN_CAUSE_STEP && cause->kind != GOBAN_CAUSE_RUNNING)
    return FALSE;

  goban_format_time (time, cause->finish_us - cause->start_us);
  texts[COLUMN_START] = g_strdup (goban_format_time (start, cause->start_us));
  texts[COLUMN_STEP] = g_strdup (goban_graph_get_node (graph, node_of_cause (trace, cause))->name);
  texts[COLUMN_WAIT] = goban_describe_wait (trace, &cause->step);
  texts[COLUMN_TIME]
      = g_strdup_printf (cause->step.is_transfer ? _ ("travels %s") : _ ("runs %s"), time);
  if (cause->step.is_transfer)
    {
      const GobanTransfer *transfer = &goban_trace_get_transfers (trace, &n)[cause->step.index];

      texts[COLUMN_PLACE] = g_strdup_printf (
          "%s → %s", goban_cluster_get_device (cluster, transfer->from)->name, to);
    }
  else
    texts[COLUMN_PLACE] = g_strdup (to);
  return TRUE;
}

static GtkWidget *
new_short (GobanKeep keep, int max_chars, const char *text)
{
  GtkWidget *label = goban_short_label_new (keep, 0);

  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (label), max_chars);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (label), text);
  gtk_widget_set_has_tooltip (label, FALSE); /* the status line has the sentence */
  return label;
}

static GtkWidget *
new_whole (const char *text, float xalign)
{
  GtkWidget *label = goban_new_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  return label;
}

static GtkWidget *
new_columns (char *const texts[N_COLUMNS], GtkSizeGroup *const groups[N_COLUMNS])
{
  static const char *const classes[N_COLUMNS] = { "time", "name", "place", "wait", "time" };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      /* Names differ at their ends, sentences at their beginnings. */
      GtkWidget *label = i == COLUMN_STEP   ? new_short (GOBAN_KEEP_END, 28, texts[i])
                         : i == COLUMN_WAIT ? new_short (GOBAN_KEEP_START, 48, texts[i])
                                            : new_whole (texts[i], i == COLUMN_START ? 1.0 : 0.0);

      gtk_widget_add_css_class (label, classes[i]);
      gtk_size_group_add_widget (groups[i], label);
      gtk_box_append (GTK_BOX (box), label);
    }
  return box;
}

static void
enter_cb (GtkEventController *controller, double x, double y, GobanTimelineView *self)
{
  GtkWidget *row = gtk_event_controller_get_widget (controller);

  goban_picture_hint (GOBAN_PICTURE (self), g_object_get_data (G_OBJECT (row), "goban-sentence"));
}

static void
focus_cb (GtkEventController *controller, GobanTimelineView *self)
{
  enter_cb (controller, 0, 0, self);
}

static void
leave_cb (GtkEventController *controller, GobanTimelineView *self)
{
  goban_picture_hint (GOBAN_PICTURE (self), "");
}

/* The whole sentence of a row, of which columns show what fits, is in the status line while the
 * pointer or the focus is there. It is no tooltip: GTK 4.8 holds on to a popover whose tooltip it
 * waits to show, and complains of it half a second after the window has gone. */
static void
tell_sentence (GobanTimelineView *self, GtkWidget *row, const char *sentence)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  g_object_set_data_full (G_OBJECT (row), "goban-sentence", g_strdup (sentence), g_free);
  g_signal_connect (motion, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (row, motion);
  gtk_widget_add_controller (row, focus);
}

static GtkWidget *
new_cause (GobanTimelineView *self, guint i, GtkSizeGroup *const groups[N_COLUMNS])
{
  guint n;
  const GobanCause *cause = &goban_causes_get (self->why.causes, &n)[i];
  g_autofree char *text = goban_causes_describe (self->why.causes, i);
  char *texts[N_COLUMNS] = { NULL };
  GtkWidget *child = describe_columns (self, cause, texts)
                         ? new_columns (texts, groups)
                         : new_short (GOBAN_KEEP_START, 104, text);
  GtkWidget *button;

  for (guint column = 0; column < N_COLUMNS; column++)
    g_free (texts[column]);
  if (node_of_cause (goban_timeline_view_get_trace (self), cause) == GOBAN_NO_NODE)
    {
      tell_sentence (self, child, text);
      return child;
    }

  button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), child);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, i == 0 ? "first-cause" : "cause");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data (G_OBJECT (button), "goban-cause", GUINT_TO_POINTER (i));
  tell_sentence (self, button, text);
  g_signal_connect (button, "clicked", G_CALLBACK (follow_cb), self);
  return button;
}

static GtkWidget *
new_rest (guint n)
{
  char count[32];
  g_autofree char *text = g_strdup_printf (_ ("and %s before; run:why in the console has them all"),
                                           goban_format_grouped (count, n));
  GtkWidget *label = goban_new_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_add_css_class (label, "note");
  return label;
}

static GtkWidget *
new_list (GobanTimelineView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSizeGroup *groups[N_COLUMNS];
  guint n;

  for (guint i = 0; i < N_COLUMNS; i++)
    groups[i] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  goban_causes_get (self->why.causes, &n);
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    gtk_box_append (GTK_BOX (box), new_cause (self, i, groups));
  for (guint i = 0; i < N_COLUMNS; i++)
    g_object_unref (groups[i]);
  if (n > MAX_ROWS)
    gtk_box_append (GTK_BOX (box), new_rest (n - MAX_ROWS));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MAX_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  return scroller;
}

/* Above the gap, or the op, at the top of the pane: the lanes show the chain, and are not to be
 * covered. */
static GdkRectangle
find_place (GobanTimelineView *self)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double left = GOBAN_TIMELINE_HEADER * ui;
  double right = goban_picture_get_width (GOBAN_PICTURE (self));
  double from = left + goban_time_camera_to_x (&self->camera, self->why.gap.from_us);
  double to = left + goban_time_camera_to_x (&self->camera, self->why.gap.to_us);

  return goban_timeline_view_to_widget (
      self, (GobanBox){ CLAMP (from, left, right), 0, CLAMP (to, left, right), 2 * ui });
}

static void
show_causes (GobanTimelineView *self, GobanCauses *causes, const GobanTimelineHit *about)
{
  GdkRectangle place;

  goban_timeline_view_forget_why (self);
  self->why.causes = causes;
  self->why.gap = *about;
  self->why.chain = goban_timeline_chain_new (goban_timeline_view_get_scene (self), causes);
  if (self->why.popover == NULL)
    {
      self->why.popover = gtk_popover_new ();
      gtk_widget_add_css_class (self->why.popover, "choices");
      gtk_widget_add_css_class (self->why.popover, "why");
      gtk_popover_set_position (GTK_POPOVER (self->why.popover), GTK_POS_TOP);
      gtk_widget_set_parent (self->why.popover, GTK_WIDGET (self));
    }
  /* A popover without one of its own would show its parent's. */
  goban_set_tooltip_lines (GTK_WIDGET (self), NULL);
  gtk_popover_set_child (GTK_POPOVER (self->why.popover), new_list (self));
  place = find_place (self);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->why.popover), &place);
  gtk_popover_popup (GTK_POPOVER (self->why.popover));
  goban_picture_invalidate_overlay (GOBAN_PICTURE (self));
}

/* --- subject of the question ---------------------------------------------------------------- */

/* The transfer after a gap of a link explains the gap. */
static GobanCauses *
explain_link (GobanTrace *trace, const GobanLane *lane, double time_us)
{
  guint next = lane->n_rows > 0 ? goban_lane_find (lane, 0, time_us) : lane->n_slices;

  if (next >= lane->row_first[1])
    return NULL;
  return goban_causes_new_for_transfer (trace, lane->slices[next].transfer);
}

void
goban_timeline_view_explain_hit (GobanTimelineView *self, const GobanTimelineHit *hit)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanLane *lane = &scene->lanes[hit->lane];
  GobanTrace *trace = goban_timeline_view_get_trace (self);
  GobanCauses *causes = NULL;

  if (goban_trace_get_ops (trace) == NULL)
    return;
  if (lane->kind == GOBAN_LANE_DEVICE)
    causes = goban_causes_new_for_device (trace, lane->device, fmax (hit->time_us, 0));
  else if (lane->kind == GOBAN_LANE_LINK)
    causes = explain_link (trace, lane, hit->time_us);
  if (causes != NULL)
    show_causes (self, causes, hit);
}

static gboolean
explain_selected (GobanTimelineView *self)
{
  GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanTimelineHit about = { .kind = GOBAN_HIT_SLICE };
  GobanSlicePlace place;
  const GobanSlice *slice;
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_session_get_selection (self->session), &n);

  if (n == 0)
    return FALSE;

  place = goban_timeline_scene_find_op (scene, ids[0]);
  if (place.lane == GOBAN_NO_LANE)
    return FALSE;

  slice = &scene->lanes[place.lane].slices[place.slice];
  about.lane = place.lane;
  about.from_us = slice->start_us;
  about.to_us = slice->finish_us;
  goban_timeline_view_reveal (self, slice->start_us, slice->finish_us);
  show_causes (self, goban_causes_new_for_node (goban_timeline_view_get_trace (self), ids[0]),
               &about);
  return TRUE;
}

gboolean
goban_timeline_view_explain (GobanTimelineView *self)
{
  GobanPoint at;
  GobanTimelineHit hit = { .kind = GOBAN_HIT_NOTHING };

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  if (goban_timeline_view_get_scene (self) == NULL)
    return FALSE;
  if (goban_picture_get_pointer (GOBAN_PICTURE (self), &at))
    hit = goban_timeline_view_hit (self, at);
  if (hit.kind != GOBAN_HIT_GAP)
    return explain_selected (self);

  goban_timeline_view_explain_hit (self, &hit);
  return self->why.causes != NULL;
}
