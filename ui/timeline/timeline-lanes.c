/* timeline-lanes.c: order of lanes and visibility of sub-rows: headings can be dragged and have a
 * menu. */
#include "ui/timeline/timeline-view-private.h"

#include "engine/core/i18n.h"
#include "engine/session/view.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>
#include <string.h>

static GobanView *
view_of (GobanTimelineView *self)
{
  return goban_session_get_view (self->session);
}

double
goban_timeline_view_get_lane_top (GobanTimelineView *self, const GobanLane *lane)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));

  return (GOBAN_TIMELINE_AXIS + goban_lane_get_top (lane, self->camera.scroll_y / ui)) * ui;
}

/* --- moving ----------------------------------------------------------------------------------- */

/* Lanes that can change places: devices that are as pinned as each other, or sub-rows of one
 * device. */
static gboolean
are_siblings (const GobanLane *a, const GobanLane *b)
{
  gboolean is_device = a->kind == GOBAN_LANE_DEVICE;

  if (is_device != (b->kind == GOBAN_LANE_DEVICE))
    return FALSE;
  return is_device ? a->place.is_pinned == b->place.is_pinned : a->device == b->device;
}

/* The place in the order before which a lane dropped at @y would go. */
static guint
find_insertion (GobanTimelineView *self, guint dragged, double y)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  guint place = 0;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[scene->order[i]];

      if (!are_siblings (lane, &scene->lanes[dragged]) || lane->height <= 0)
        continue;
      if (y < goban_timeline_view_get_lane_top (self, lane) + lane->height * ui / 2)
        return i;
      place = i + 1;
    }
  return place;
}

double
goban_timeline_view_insert_y (GobanTimelineView *self, double y)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanLane *dragged = &scene->lanes[self->drag.lane];
  guint place = find_insertion (self, self->drag.lane, y);
  double scroll_y = self->camera.scroll_y / goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  const GobanLane *lane;

  if (place < scene->n_lanes && are_siblings (&scene->lanes[scene->order[place]], dragged))
    return goban_lane_get_top (&scene->lanes[scene->order[place]], scroll_y) - 2;
  lane = &scene->lanes[scene->order[MAX (place, 1) - 1]];
  return goban_lane_get_top (lane, scroll_y) + lane->height + 2;
}

/* Stores the order of the lane's siblings and of what was listed besides: those of another plan
 * may have other links. */
static void
move_before (GobanTimelineView *self, guint lane, guint place)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanLane *moved = &scene->lanes[lane];
  GobanLanes lanes = *goban_view_get_lanes (view_of (self));
  gboolean is_pinned = moved->place.is_pinned && moved->kind == GOBAN_LANE_DEVICE;
  const char *const *old = is_pinned ? lanes.pinned : lanes.order;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i <= scene->n_lanes; i++)
    {
      if (i == place)
        g_ptr_array_add (names, moved->id);
      if (i < scene->n_lanes && scene->order[i] != lane
          && are_siblings (&scene->lanes[scene->order[i]], moved))
        g_ptr_array_add (names, scene->lanes[scene->order[i]].id);
    }
  for (guint i = 0; old[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (names, old[i], g_str_equal, NULL))
      g_ptr_array_add (names, (gpointer) old[i]);
  g_ptr_array_add (names, NULL);
  if (is_pinned)
    lanes.pinned = (const char *const *) names->pdata;
  else
    lanes.order = (const char *const *) names->pdata;
  goban_view_set_lanes (view_of (self), &lanes);
}

void
goban_timeline_view_move_lane (GobanTimelineView *self, guint lane, double y)
{
  move_before (self, lane, find_insertion (self, lane, y));
}

/* The lane under the pointer; else that of the first selected op's device. */
static guint
find_meant (GobanTimelineView *self)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanTimelinePicture described = goban_timeline_view_describe (self);
  GobanPoint at;
  guint n;
  const GobanNodeId *ids;

  if (scene == NULL)
    return GOBAN_NO_LANE;
  if (goban_picture_get_pointer (GOBAN_PICTURE (self), &at)
      && goban_timeline_lane_at (&described, at.y) != GOBAN_NO_LANE)
    return goban_timeline_lane_at (&described, at.y);
  ids = goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  return n > 0 ? goban_timeline_scene_find_op (scene, ids[0]).lane : GOBAN_NO_LANE;
}

gboolean
goban_timeline_view_shift_lane (GobanTimelineView *self, int by)
{
  const GobanTimelineScene *scene;
  guint place = GOBAN_NO_LANE, lane;
  gboolean is_past = FALSE;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  lane = find_meant (self);
  scene = goban_timeline_view_get_scene (self);
  if (lane == GOBAN_NO_LANE)
    return FALSE;
  /* The nearest sibling that is seen, before or after. */
  for (guint i = 0; i < scene->n_lanes && !(by > 0 && place != GOBAN_NO_LANE); i++)
    {
      const GobanLane *other = &scene->lanes[scene->order[i]];

      if (scene->order[i] == lane)
        is_past = TRUE;
      else if (other->height > 0 && are_siblings (other, &scene->lanes[lane])
               && is_past == (by > 0))
        place = by > 0 ? i + 1 : i;
    }
  if (place == GOBAN_NO_LANE)
    return FALSE;
  move_before (self, lane, place);
  return TRUE;
}

/* --- sub-rows --------------------------------------------------------------------------------- */

/* Closes the sub-rows of one device; what is open of all devices stays so of the others. */
static void
close_device (GobanTimelineView *self, const GobanLane *device)
{
  static const char *const words[] = { GOBAN_LANES_MEMORY, GOBAN_LANES_LINKS };
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanLanes lanes = *goban_view_get_lanes (view_of (self));
  g_autofree char *own = g_strconcat (device->id, "/", NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; lanes.open[i] != NULL; i++)
    if (!g_str_equal (lanes.open[i], device->id) && !g_str_has_prefix (lanes.open[i], own)
        && !g_str_equal (lanes.open[i], words[0]) && !g_str_equal (lanes.open[i], words[1]))
      g_ptr_array_add (names, g_strdup (lanes.open[i]));
  for (guint w = 0; w < G_N_ELEMENTS (words); w++)
    for (guint l = 0; goban_lanes_have (lanes.open, words[w]) && l < scene->n_lanes; l++)
      if (scene->lanes[l].kind == GOBAN_LANE_DEVICE && &scene->lanes[l] != device)
        g_ptr_array_add (names, g_strconcat (scene->lanes[l].id, "/", words[w], NULL));
  g_ptr_array_add (names, NULL);
  lanes.open = (const char *const *) names->pdata;
  goban_view_set_lanes (view_of (self), &lanes);
}

/* The lane of the device that a lane belongs to, if it has sub-rows; (nullable). */
static const GobanLane *
find_folder (GobanTimelineView *self, guint lane)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);

  guint device = scene != NULL && lane < scene->n_lanes
                     ? goban_timeline_scene_find_device (scene, scene->lanes[lane].device)
                     : GOBAN_NO_LANE;

  return device != GOBAN_NO_LANE && scene->lanes[device].place.fold != GOBAN_FOLD_NONE
             ? &scene->lanes[device]
             : NULL;
}

gboolean
goban_timeline_view_fold_lane (GobanTimelineView *self, guint lane, gboolean is_open)
{
  const GobanLane *device = find_folder (self, lane);

  if (device == NULL || (device->place.fold == GOBAN_FOLD_OPEN) == is_open)
    return FALSE;
  if (is_open)
    goban_view_set_lanes_open (view_of (self), device->id, TRUE);
  else
    close_device (self, device);
  return TRUE;
}

gboolean
goban_timeline_view_fold (GobanTimelineView *self, gboolean is_open)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return goban_timeline_view_fold_lane (self, find_meant (self), is_open);
}

/* --- the menu --------------------------------------------------------------------------------- */

static const GobanLane *
lane_of_menu (GobanTimelineView *self)
{
  return &goban_timeline_view_get_scene (self)->lanes[self->menus.lane];
}

static void
pin_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  const GobanLane *lane = lane_of_menu (user_data);

  goban_view_set_lane_pinned (view_of (user_data), lane->id, !lane->place.is_pinned);
}

static void
fold_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  const GobanLane *device = find_folder (self, self->menus.lane);

  goban_timeline_view_fold_lane (self, self->menus.lane,
                                 device != NULL && device->place.fold == GOBAN_FOLD_CLOSED);
}

static void
reset_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  goban_view_set_lanes (view_of (user_data), &(GobanLanes){ NULL });
}

static void
add_actions (GobanTimelineView *self)
{
  static const GActionEntry entries[] = {
    { .name = "pin", .activate = pin_cb },
    { .name = "fold", .activate = fold_cb },
    { .name = "reset", .activate = reset_cb },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "lane", G_ACTION_GROUP (group));
}

/* Name in the panel of devices: "gpu:0" for its memory too, "gpu:0–gpu:1" for a link either way.
 * (transfer full) */
static char *
dup_owner (const char *id)
{
  g_auto (GStrv) ends = g_strsplit (id, ">", 2);

  if (ends[0] != NULL && ends[1] != NULL)
    return strcmp (ends[0], ends[1]) < 0 ? g_strdup_printf ("%s–%s", ends[0], ends[1])
                                         : g_strdup_printf ("%s–%s", ends[1], ends[0]);
  return g_strndup (id, strcspn (id, "/"));
}

static GMenuModel *
make_menu (const GobanLane *lane)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) one = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();
  g_autofree char *owner = dup_owner (lane->id);
  g_autofree char *change = g_strdup_printf (_ ("_Change %s…"), owner);
  g_autoptr (GMenuItem) devices = g_menu_item_new (change, NULL);

  if (lane->place.fold != GOBAN_FOLD_NONE)
    g_menu_append (one,
                   lane->place.fold == GOBAN_FOLD_OPEN ? _ ("C_lose Memory and Links")
                                                       : _ ("_Open memory and links"),
                   "lane.fold");
  if (lane->kind == GOBAN_LANE_DEVICE)
    g_menu_append (one, lane->place.is_pinned ? _ ("_Unpin") : _ ("_Pin to the top"), "lane.pin");
  else
    g_menu_append (one, lane->place.is_pinned ? _ ("_Unpin") : _ ("_Keep when others close"),
                   "lane.pin");
  g_menu_item_set_action_and_target (devices, "win.devices", "s", owner);
  g_menu_append_item (one, devices);
  g_menu_append (all, _ ("_Original Order"), "lane.reset");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (one));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  return G_MENU_MODEL (menu);
}

void
goban_timeline_view_show_menu (GobanTimelineView *self, GtkWidget **popover, GMenuModel *menu,
                               GobanPoint at)
{
  GdkRectangle place
      = goban_timeline_view_to_widget (self, (GobanBox){ at.x, at.y, at.x + 1, at.y + 1 });

  if (*popover == NULL)
    {
      *popover = gtk_popover_menu_new_from_model (menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (*popover), FALSE);
      gtk_widget_set_halign (*popover, GTK_ALIGN_START);
      gtk_widget_set_parent (*popover, GTK_WIDGET (self));
    }
  else
    {
      gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (*popover), menu);
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (*popover), &place);
  gtk_popover_popup (GTK_POPOVER (*popover));
}

void
goban_timeline_view_menu (GobanPicture *base, GobanPoint at)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanTimelineHit hit = goban_timeline_view_hit (self, at);
  g_autoptr (GMenuModel) menu = NULL;

  if (hit.kind == GOBAN_HIT_AXIS)
    goban_timeline_view_marks_menu (self, at);
  if (hit.kind != GOBAN_HIT_HEADER && hit.kind != GOBAN_HIT_FOLD)
    return;

  self->menus.lane = hit.lane;
  menu = make_menu (&goban_timeline_view_get_scene (self)->lanes[hit.lane]);
  if (self->menus.of_lane == NULL)
    add_actions (self);
  goban_timeline_view_show_menu (self, &self->menus.of_lane, menu, at);
}
