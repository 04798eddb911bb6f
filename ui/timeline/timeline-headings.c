/* timeline-headings.c: layout of the lanes in the view, and the headings of devices for keys and
 * screen readers: a child over each that takes the focus, while the pointer reaches the picture
 * below.
 *
 * All are one stop of the Tab key; Up and Down go from one to the next, Left, Right and Space close
 * and open the sub-rows.
 */
#include "ui/timeline/timeline-view-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view.h"
#include "ui/draw/timeline/timeline-scene.h"
#include "ui/widgets/signals.h"
#include "ui/widgets/text.h"

#include <math.h>

static GtkWidget *
get_button (GobanTimelineView *self, guint i)
{
  return g_ptr_array_index (self->headings.buttons, i);
}

/* The index of the lane of a heading; GOBAN_NO_LANE after the scene is gone. */
static guint
lane_of (GobanTimelineView *self, GtkWidget *button)
{
  const GobanTimelineScene *scene = self->scenes.scene;
  guint at;

  g_ptr_array_find (self->headings.buttons, button, &at);
  for (guint i = 0; scene != NULL && i < scene->n_lanes; i++)
    if (scene->lanes[scene->order[i]].kind == GOBAN_LANE_DEVICE && at-- == 0)
      return scene->order[i];
  return GOBAN_NO_LANE;
}

static void
set_current (GobanTimelineView *self, guint current)
{
  self->headings.current = current;
  for (guint i = 0; i < self->headings.buttons->len; i++)
    gtk_widget_set_focusable (get_button (self, i), i == current);
}

/* Scrolls the heading into sight. */
static void
focus_heading (GobanTimelineView *self, guint i)
{
  const GobanLane *lane = &self->scenes.scene->lanes[lane_of (self, get_button (self, i))];
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double top = goban_timeline_view_get_lane_top (self, lane);
  double below = top + lane->height * ui - goban_picture_get_height (GOBAN_PICTURE (self));
  double above = GOBAN_TIMELINE_AXIS * ui - top;

  set_current (self, i);
  if (above > 0 || below > 0)
    GOBAN_PICTURE_GET_CLASS (self)->pan (GOBAN_PICTURE (self), 0, above > 0 ? above : -below);
  gtk_widget_grab_focus (get_button (self, i));
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType modifiers,
        GobanTimelineView *self)
{
  GtkWidget *button = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  guint n = self->headings.buttons->len;
  guint at = 0;

  if ((modifiers & gtk_accelerator_get_default_mod_mask ()) != 0 || self->scenes.scene == NULL
      || !g_ptr_array_find (self->headings.buttons, button, &at))
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      if (keyval == GDK_KEY_Up ? at > 0 : at + 1 < n)
        focus_heading (self, keyval == GDK_KEY_Up ? at - 1 : at + 1);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      goban_timeline_view_fold_lane (self, lane_of (self, button), keyval == GDK_KEY_Right);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
clicked_cb (GobanTimelineView *self, GtkWidget *button)
{
  guint lane = lane_of (self, button);

  if (lane != GOBAN_NO_LANE)
    goban_timeline_view_fold_lane (self, lane,
                                   self->scenes.scene->lanes[lane].place.fold == GOBAN_FOLD_CLOSED);
}

static GtkWidget *
add_button (GobanTimelineView *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_add_css_class (button, "lane-heading");
  gtk_widget_set_can_target (button, FALSE);
  GOBAN_CONNECT (button, "clicked", clicked_cb, self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (button, keys);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  g_ptr_array_add (self->headings.buttons, button);
  return button;
}

/* "gpu:0, 34 percent busy, closed" */
static void
describe_heading (GtkWidget *button, const GobanLane *lane)
{
  const char *state = lane->place.fold == GOBAN_FOLD_NONE   ? NULL
                      : lane->place.fold == GOBAN_FOLD_OPEN ? _ ("open")
                                                            : _ ("closed");
  char n[GOBAN_QUANTITY_LEN];
  g_autofree char *use
      = isfinite (lane->busy)
            ? g_strdup_printf (_ ("%d percent busy"), (int) (100 * lane->busy + 0.5))
            : g_strdup_printf (goban_i18n_get_plural ("%s op", "%s ops", lane->n_slices),
                               goban_format_grouped (n, lane->n_slices));
  g_autofree char *label = state != NULL ? g_strdup_printf ("%s, %s, %s", lane->name, use, state)
                                         : g_strdup_printf ("%s, %s", lane->name, use);

  goban_set_accessible_label (button, label);
  if (state != NULL)
    gtk_accessible_update_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_EXPANDED,
                                 lane->place.fold == GOBAN_FOLD_OPEN, -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_STATE_EXPANDED);
}

/* --- the lanes ------------------------------------------------------------------------------- */

void
goban_timeline_view_get_heights (GobanTimelineView *self, gboolean is_roomy, int *least,
                                 int *wanted, int *rows)
{
  const GobanTimelineScene *scene;
  GobanRun *run;
  double ui, bars;
  guint n_devices;

  g_return_if_fail (GOBAN_IS_TIMELINE_VIEW (self));

  scene = self->scenes.scene;
  run = goban_session_get_shown_run (self->session);
  ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self))
       / gtk_widget_get_scale_factor (GTK_WIDGET (self));
  n_devices = run != NULL ? goban_cluster_get_n_devices (goban_run_get_cluster (run)) : 1;
  bars = goban_view_get_lanes (goban_session_get_view (self->session))->is_strips
             ? n_devices * GOBAN_BAR_STRIP_PITCH
             : goban_bars_get_wanted_height (n_devices, is_roomy);
  *least = (int) ceil ((GOBAN_TIMELINE_AXIS + goban_bars_get_least_height (n_devices)) * ui);
  *rows = scene != NULL ? (int) (scene->rows_height * ui) : 0;
  *wanted
      = (int) ceil ((GOBAN_TIMELINE_AXIS + bars + (scene != NULL ? scene->rows_height : 0)) * ui);
  *least = MIN (*least, *wanted);
}

static void
announce_heights (GobanTimelineView *self)
{
  int least, wanted, rows;

  goban_timeline_view_get_heights (self, TRUE, &least, &wanted, &rows);
  if (wanted == self->headings.wanted_height)
    return;
  self->headings.wanted_height = wanted;
  g_signal_emit_by_name (self, "heights-changed");
}

static void
update_headings (GobanTimelineView *self)
{
  const GobanTimelineScene *scene = self->scenes.scene;
  guint n = 0;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[scene->order[i]];

      if (lane->kind != GOBAN_LANE_DEVICE)
        continue;
      describe_heading (n < self->headings.buttons->len ? get_button (self, n) : add_button (self),
                        lane);
      n++;
    }
  self->headings.n_allocated = MIN (self->headings.n_allocated, n);
  while (self->headings.buttons->len > n)
    g_ptr_array_remove_index (self->headings.buttons, n);
  set_current (self, MIN (self->headings.current, MAX (n, 1) - 1));
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  announce_heights (self);
}

void
goban_timeline_view_arrange (GobanTimelineView *self)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double height = goban_picture_get_height (GOBAN_PICTURE (self)) / ui;
  double room = height > 0 ? MAX (height - GOBAN_TIMELINE_AXIS, 0) : (double) INFINITY;

  if (self->scenes.scene == NULL)
    return;
  goban_timeline_scene_arrange (
      self->scenes.scene, goban_view_get_lanes (goban_session_get_view (self->session)), room);
  if (self->scenes.ghost != NULL)
    goban_timeline_scene_follow (self->scenes.ghost, self->scenes.scene);
  if (self->preview.scene != NULL)
    goban_timeline_scene_follow (self->preview.scene, self->scenes.scene);
  update_headings (self);
}

void
goban_timeline_view_allocate_headings (GobanTimelineView *self)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  int width = (int) (GOBAN_TIMELINE_HEADER * ui / scale) - 1;

  self->headings.scroll_y = self->camera.scroll_y;
  self->headings.n_allocated = self->scenes.scene != NULL ? self->headings.buttons->len : 0;
  for (guint l = 0, n = 0; n < self->headings.n_allocated; l++)
    {
      const GobanLane *lane = &self->scenes.scene->lanes[self->scenes.scene->order[l]];
      float y = (float) (goban_timeline_view_get_lane_top (self, lane) / scale);
      int height = (int) (lane->height * ui / scale);
      GtkWidget *button;

      if (lane->kind != GOBAN_LANE_DEVICE)
        continue;
      button = get_button (self, n++);
      gtk_widget_measure (button, GTK_ORIENTATION_VERTICAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_allocate (button, width, MAX (height, 1), -1,
                           gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT (0, y)));
    }
}
