#include "tests/ui/gui-compare.h"

#include "tests/ui/gui.h"
#include "ui/compare/compare-timeline-private.h"
#include "ui/widgets/short-label.h"

static GtkWidget *
find_legend (GtkWidget *root)
{
  GtkWidget *found = NULL;

  if (GOBAN_IS_SHORT_LABEL (root) && gtk_widget_has_css_class (root, "spare"))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_legend (child);
  return found;
}

const char *
gui_compare_get_legend (GobanComparePage *page)
{
  return gui_get_text (find_legend (GTK_WIDGET (page)));
}

guint
gui_compare_count_lanes (GobanCompareTimeline *timeline)
{
  GobanCompareLanes *lanes = timeline->lanes;
  guint n = 0;

  for (guint l = 0; lanes != NULL && l < lanes->scene->n_lanes; l++)
    n += lanes->scene->lanes[l].height > 0;
  return n;
}

gboolean
gui_compare_locate (GobanCompareTimeline *timeline, GobanNodeId node, gboolean is_after,
                    GobanPoint *at)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (timeline));
  GobanCompareLanes *lanes = timeline->lanes;

  if (lanes != NULL && !is_after)
    node += lanes->first_node;
  for (guint l = is_after; lanes != NULL && l < lanes->scene->n_lanes; l += 2)
    for (guint i = 0; i < lanes->scene->lanes[l].n_slices; i++)
      {
        const GobanLane *lane = &lanes->scene->lanes[l];
        const GobanSlice *slice = &lane->slices[i];

        if (slice->node != node)
          continue;
        at->x = GOBAN_TIMELINE_HEADER * ui
                + goban_time_camera_to_x (&timeline->camera,
                                          (slice->start_us + slice->finish_us) / 2);
        at->y = (GOBAN_TIMELINE_AXIS + lane->y + lane->height / 2) * ui - timeline->camera.scroll_y;
        return TRUE;
      }
  return FALSE;
}
