#include "ui/timeline/time-area.h"
#include "ui/widgets/text.h"

#include "engine/study/analysis/span-totals.h"
#include "engine/study/analysis/time-shares.h"

#include <math.h>

void
goban_time_area_init (GobanTimeArea *self, GtkWidget *parent)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->from_us = NAN;
  self->panel = gtk_frame_new (NULL);
  self->text = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->text), 0.0);
  gtk_label_set_selectable (GTK_LABEL (self->text), TRUE);
  gtk_widget_set_can_focus (self->text, FALSE);
  gtk_widget_add_css_class (self->text, "numeric");
  gtk_widget_add_css_class (self->panel, "timeline-totals");
  gtk_widget_set_visible (self->panel, FALSE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->text);
  gtk_frame_set_child (GTK_FRAME (self->panel), scroller);
  gtk_widget_set_parent (self->panel, parent);
}

void
goban_time_area_clear (GobanTimeArea *self)
{
  self->from_us = NAN;
  g_clear_pointer (&self->lanes, g_free);
  goban_set_label_text (self->text, "");
  gtk_widget_set_visible (self->panel, FALSE);
}

void
goban_time_area_end (GobanTimeArea *self)
{
  g_clear_pointer (&self->lanes, g_free);
  g_clear_pointer (&self->panel, gtk_widget_unparent);
}

gboolean
goban_time_area_is_marked (const GobanTimeArea *self)
{
  return isfinite (self->from_us) && self->to_us > self->from_us;
}

GobanSelection *
goban_time_area_find_nodes (const GobanTimeArea *self, const GobanTimelineScene *scene)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint l = 0; l < scene->n_lanes; l++)
    for (guint r = 0; self->lanes[l] && r < scene->lanes[l].n_rows; r++)
      {
        const GobanLane *lane = &scene->lanes[l];

        for (guint s = goban_lane_find (lane, r, self->from_us);
             s < lane->row_first[r + 1] && lane->slices[s].start_us < self->to_us; s++)
          g_array_append_val (ids, lane->slices[s].node);
      }
  return goban_selection_new ((const GobanNodeId *) (gpointer) ids->data, ids->len);
}

void
goban_time_area_show_totals (GobanTimeArea *self, const GobanTimelineScene *scene,
                             GobanTrace *trace)
{
  guint8 devices[GOBAN_MAX_DEVICES] = { 0 };
  g_autoptr (GobanSpanTotals) totals = NULL;
  g_autoptr (GobanTimeShares) shares = NULL;
  g_autofree char *text = NULL;
  g_autofree char *parts = NULL;
  g_autofree char *all = NULL;

  for (guint l = 0; l < scene->n_lanes; l++)
    devices[scene->lanes[l].device] |= self->lanes[l];
  totals = goban_span_totals_new (trace, self->from_us, self->to_us, devices);
  text = g_strchomp (goban_span_totals_describe (totals, trace));
  shares = goban_time_shares_new (trace, self->from_us, self->to_us);
  parts = g_strchomp (goban_time_shares_describe (shares, trace, devices));
  all = g_strconcat (text, "\n", parts, NULL);
  goban_set_label_text (self->text, all);
  gtk_widget_set_visible (self->panel, TRUE);
}
