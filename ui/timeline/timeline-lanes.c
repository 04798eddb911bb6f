/* timeline-lanes.c: order and visibility of lanes: headers can be dragged and have a menu. */
#include "ui/timeline/timeline-view-private.h"

#include "engine/core/i18n.h"
#include "engine/session/view-lanes.h"

#include <math.h>
#include <string.h>

void
goban_timeline_view_arrange (GobanTimelineView *self, GobanTimelineScene *scene)
{
  const GobanLanes *lanes = goban_view_get_lanes (goban_session_get_view (self->session));
  const GobanLaneWishes wishes = { lanes->pinned, lanes->hidden, lanes->order };

  goban_timeline_scene_arrange (scene, &wishes);
}

/* --- lists of names ------------------------------------------------------------------------- */

/* (transfer container): the names, without one, to be changed. */
static GPtrArray *
copy_without (const char *const *names, const char *dropped)
{
  GPtrArray *copy = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], dropped))
      g_ptr_array_add (copy, (gpointer) names[i]);
  return copy;
}

static const char *const *
finish_list (GPtrArray *names)
{
  g_ptr_array_add (names, NULL);
  return (const char *const *) names->pdata;
}

/* --- moving ----------------------------------------------------------------------------------- */

/* The place in the order, among lanes that are as pinned as the dragged one, before which it would
 * go. */
static guint
find_insertion (GobanTimelineView *self, gboolean is_pinned, double y)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double at = (y - GOBAN_TIMELINE_AXIS * ui + (is_pinned ? 0 : self->camera.scroll_y)) / ui;
  guint place = 0;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[scene->order[i]];

      if (lane->is_pinned != is_pinned)
        {
          if (lane->is_pinned)
            place = i + 1;
          continue;
        }
      if (lane->height > 0 && at < lane->y + lane->height / 2)
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
  guint place = find_insertion (self, dragged->is_pinned, y);
  double scroll_y = dragged->is_pinned ? self->camera.scroll_y : 0;
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  const GobanLane *lane;

  if (place < scene->n_lanes && scene->lanes[scene->order[place]].is_pinned == dragged->is_pinned)
    return scene->lanes[scene->order[place]].y - 2 + scroll_y / ui;

  lane = &scene->lanes[scene->order[MAX (place, 1) - 1]];
  return lane->y + lane->height + 2 + scroll_y / ui;
}

void
goban_timeline_view_move_lane (GobanTimelineView *self, guint lane, double y)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanView *view = goban_session_get_view (self->session);
  GobanLanes lanes = *goban_view_get_lanes (view);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  gboolean is_pinned = scene->lanes[lane].is_pinned;
  guint place = find_insertion (self, is_pinned, y);

  /* The whole order is stored, because the lane after a moved one may be hidden or gone another
   * time. */
  for (guint i = 0; i <= scene->n_lanes; i++)
    {
      if (i == place)
        g_ptr_array_add (names, scene->lanes[lane].id);
      if (i < scene->n_lanes && scene->order[i] != lane
          && (!is_pinned || scene->lanes[scene->order[i]].is_pinned))
        g_ptr_array_add (names, scene->lanes[scene->order[i]].id);
    }
  if (is_pinned)
    lanes.pinned = finish_list (names);
  else
    lanes.order = finish_list (names);
  goban_view_set_lanes (view, &lanes);
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
  const GobanLane *other = NULL;
  double ui, scroll_y;
  guint lane;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  lane = find_meant (self);
  scene = goban_timeline_view_get_scene (self);
  if (lane == GOBAN_NO_LANE)
    return FALSE;
  /* The nearest that is seen and as pinned, above or below. */
  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *there = &scene->lanes[i];
      const GobanLane *own = &scene->lanes[lane];

      if (i == lane || there->height <= 0 || there->is_pinned != own->is_pinned
          || (there->y < own->y) != (by < 0))
        continue;
      if (other == NULL || fabs (there->y - own->y) < fabs (other->y - own->y))
        other = there;
    }
  if (other == NULL)
    return FALSE;
  ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  scroll_y = other->is_pinned ? 0 : self->camera.scroll_y;
  goban_timeline_view_move_lane (
      self, lane, (GOBAN_TIMELINE_AXIS + other->y + (by < 0 ? 0 : other->height)) * ui - scroll_y);
  return TRUE;
}

/* --- the menu --------------------------------------------------------------------------------- */

static void
pin_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  GobanView *view = goban_session_get_view (self->session);
  GobanLanes lanes = *goban_view_get_lanes (view);
  const GobanLane *lane = &goban_timeline_view_get_scene (self)->lanes[self->menus.lane];
  g_autoptr (GPtrArray) pinned = copy_without (lanes.pinned, lane->id);

  if (!lane->is_pinned)
    g_ptr_array_add (pinned, lane->id);
  lanes.pinned = finish_list (pinned);
  goban_view_set_lanes (view, &lanes);
}

static void
hide_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  GobanView *view = goban_session_get_view (self->session);
  GobanLanes lanes = *goban_view_get_lanes (view);
  const GobanLane *lane = &goban_timeline_view_get_scene (self)->lanes[self->menus.lane];
  g_autoptr (GPtrArray) hidden = copy_without (lanes.hidden, lane->id);

  g_ptr_array_add (hidden, lane->id);
  lanes.hidden = finish_list (hidden);
  goban_view_set_lanes (view, &lanes);
}

static gboolean
is_alike (const GobanLane *lane, GobanLaneKind kind, guint device)
{
  return lane->kind == kind && (kind != GOBAN_LANE_LINK || lane->device == device);
}

/* "Hide all memory" and the like: a lane's siblings go with it. */
static void
hide_kind_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  GobanView *view = goban_session_get_view (self->session);
  GobanLanes lanes = *goban_view_get_lanes (view);
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  const GobanLane *lane = &scene->lanes[self->menus.lane];
  g_autoptr (GPtrArray) hidden = copy_without (lanes.hidden, lane->id);

  for (guint l = 0; l < scene->n_lanes; l++)
    if (is_alike (&scene->lanes[l], lane->kind, lane->device)
        && (!g_strv_contains (lanes.hidden, scene->lanes[l].id) || l == self->menus.lane))
      g_ptr_array_add (hidden, scene->lanes[l].id);
  lanes.hidden = finish_list (hidden);
  goban_view_set_lanes (view, &lanes);
}

static void
show_all_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;
  GobanView *view = goban_session_get_view (self->session);
  GobanLanes lanes = *goban_view_get_lanes (view);

  lanes.hidden = NULL;
  goban_view_set_lanes (view, &lanes);
}

static void
reset_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GobanTimelineView *self = user_data;

  goban_view_set_lanes (goban_session_get_view (self->session), &(GobanLanes){ NULL });
}

static void
add_actions (GobanTimelineView *self)
{
  static const GActionEntry entries[] = {
    { .name = "pin", .activate = pin_cb },
    { .name = "hide", .activate = hide_cb },
    { .name = "hide-kind", .activate = hide_kind_cb },
    { .name = "show-all", .activate = show_all_cb },
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
  g_autofree char *hide = g_strdup_printf (_ ("_Hide %s"), lane->id);
  g_autofree char *owner = dup_owner (lane->id);
  g_autofree char *change = g_strdup_printf (_ ("_Change %s…"), owner);
  g_autoptr (GMenuItem) devices = g_menu_item_new (change, NULL);

  g_menu_append (one, lane->is_pinned ? _ ("_Unpin") : _ ("_Pin to the top"), "lane.pin");
  g_menu_append (one, hide, "lane.hide");
  if (lane->kind == GOBAN_LANE_MEMORY)
    g_menu_append (one, _ ("Hide all _memory"), "lane.hide-kind");
  if (lane->kind == GOBAN_LANE_LINK)
    g_menu_append (one, _ ("Hide all _links of this device"), "lane.hide-kind");
  g_menu_item_set_action_and_target (devices, "win.devices", "s", owner);
  g_menu_append_item (one, devices);
  g_menu_append (all, _ ("_Show all lanes"), "lane.show-all");
  g_menu_append (all, _ ("_Original order"), "lane.reset");
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
  if (hit.kind != GOBAN_HIT_HEADER)
    return;

  self->menus.lane = hit.lane;
  menu = make_menu (&goban_timeline_view_get_scene (self)->lanes[hit.lane]);
  if (self->menus.of_lane == NULL)
    add_actions (self);
  goban_timeline_view_show_menu (self, &self->menus.of_lane, menu, at);
}
