/* graph-view-pointer.c: clicks, rectangles and hovers; and the keys that open and close groups. */
#include "ui/graph/graph-view-private.h"

#include "engine/core/quantity.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/context-menu.h"
#include "ui/widgets/text.h"

#include <math.h>
#include <stdlib.h>

#define REACH_PX 6.0
/* Half the least size of a selected item for the pointer. */
#define SELECTED_REACH_PX 8.0
/* Heads that are lower cannot be read, and are not hit. */
#define LEAST_HEAD 11.0
/* Devices that a line about a group names. */
#define MOST_SHARES 3

static double
ui_scale (GobanGraphView *self)
{
  return goban_picture_get_ui_scale (goban_graph_view_picture (self));
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

static gboolean
is_marked (const GobanOutlineMarks *marks, guint32 item)
{
  return bsearch (&item, marks->items, marks->n_whole, sizeof item, compare_items) != NULL
         || bsearch (&item, marks->items + marks->n_whole, marks->n - marks->n_whole, sizeof item,
                     compare_items)
                != NULL;
}

/* The nearest selected item, however small it is: what one has selected, one can take. */
static guint32
find_selected (GobanGraphView *self, GobanPoint at)
{
  const GobanOutlineMarks *marks = goban_graph_view_get_marks (self);
  double reach = SELECTED_REACH_PX * ui_scale (self);
  GobanBox around = { at.x - reach, at.y - reach, at.x + reach, at.y + reach };
  g_autofree guint32 *items = NULL;
  double nearest = G_MAXDOUBLE;
  guint32 found = GOBAN_NO_ITEM;
  guint n;

  if (marks->n == 0)
    return found;
  items
      = goban_pick_inside (self->plots.pick, goban_camera_box_to_world (&self->camera, around), &n);
  for (guint i = 0; i < n; i++)
    {
      GobanBox box = goban_camera_box_to_screen (
          &self->camera, goban_layout_node_box (self->plots.layout, items[i]));
      double dx = fabs ((box.x0 + box.x1) / 2 - at.x);
      double dy = fabs ((box.y0 + box.y1) / 2 - at.y);

      if (dx > MAX ((box.x1 - box.x0) / 2, reach) || dy > MAX ((box.y1 - box.y0) / 2, reach)
          || hypot (dx, dy) >= nearest || !is_marked (marks, items[i]))
        continue;
      nearest = hypot (dx, dy);
      found = items[i];
    }
  return found;
}

GobanGraphHit
goban_graph_view_hit (GobanGraphView *self, GobanPoint at)
{
  GobanGraphHit hit = { GOBAN_NO_ITEM, GOBAN_NO_ITEM };
  guint32 hull;

  if (self->plots.pick == NULL || self->plots.morph.tick_id != 0)
    return hit;

  hull = goban_pick_hull_at (self->plots.pick, &self->camera, at);
  if (hull != GOBAN_NO_ITEM
      && GOBAN_HEAD_HEIGHT * self->camera.scale >= LEAST_HEAD * ui_scale (self)
      && goban_pick_is_on_head (self->plots.pick, &self->camera, hull, at, 0))
    hit.hull = hull;
  else
    hit.item = find_selected (self, at);
  if (hit.hull == GOBAN_NO_ITEM && hit.item == GOBAN_NO_ITEM)
    hit.item = goban_pick_at (self->plots.pick, &self->camera, at, REACH_PX * ui_scale (self));
  return hit;
}

static gboolean
is_group (GobanGraphView *self, guint32 item)
{
  return self->plots.plot->outline->items[item].group != GOBAN_NO_GROUP;
}

/* --- selecting -------------------------------------------------------------------------------- */

static gboolean
is_all_in (const GobanSelection *part, const GobanSelection *whole)
{
  g_autoptr (GobanSelection) rest = goban_selection_difference (part, whole);
  guint n;

  goban_selection_get_ids (rest, &n);
  return n == 0;
}

/* With Ctrl or Shift a click toggles the selection. */
static void
select_nodes (GobanGraphView *self, GobanSelection *fresh, gboolean is_one,
              GdkModifierType modifiers)
{
  GobanSelection *old = goban_session_get_selection (self->session);
  g_autoptr (GobanSelection) result = NULL;

  if ((modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) == 0)
    result = goban_selection_ref (fresh);
  else if (is_one && is_all_in (fresh, old))
    result = goban_selection_difference (old, fresh);
  else
    result = goban_selection_union (old, fresh);
  goban_session_set_selection (self->session, result);
}

GobanSelection *
goban_graph_view_dup_hit_nodes (GobanGraphView *self, GobanGraphHit hit)
{
  if (hit.hull != GOBAN_NO_ITEM)
    return goban_outline_dup_hull_nodes (self->plots.plot->outline, hit.hull);
  if (hit.item != GOBAN_NO_ITEM)
    return goban_outline_dup_item_nodes (self->plots.plot->outline, hit.item);

  return goban_selection_new (NULL, 0);
}

/* The triangle of a head. */
static gboolean
is_on_triangle (GobanGraphView *self, guint32 hull, GobanPoint at)
{
  GobanBox box = goban_camera_box_to_screen (&self->camera, self->plots.plot->layout->hulls[hull]);

  return at.x < box.x0 + 26 * ui_scale (self);
}

/* Opens or closes a group, and keeps its point at @pointer (nullable) in place. */
static void
open_group (GobanGraphView *self, const char *path, gboolean open, const GobanPoint *pointer)
{
  GobanAnchor *anchor = &self->plots.anchor;
  g_autofree char *group = g_strdup (path);

  g_free (anchor->group);
  *anchor = (GobanAnchor){ .group = g_strdup (group), .has_pointer = pointer != NULL };
  if (pointer != NULL)
    anchor->pointer = *pointer;
  goban_view_expand (goban_session_get_view (self->session), group, open);
}

static void
open_hit (GobanGraphView *self, GobanGraphHit hit, GobanPoint at)
{
  const GobanOutline *outline = self->plots.plot->outline;

  if (hit.hull != GOBAN_NO_ITEM)
    open_group (self, goban_outline_get_hull_group (outline, hit.hull)->path, FALSE, &at);
  else if (is_group (self, hit.item))
    open_group (self, goban_outline_get_item_group (outline, hit.item)->path, TRUE, &at);
  else if (self->leader != NULL
           || !gtk_widget_activate_action (GTK_WIDGET (self), "win.draw-edit", NULL))
    goban_graph_view_show_selection (self);
}

void
goban_graph_view_click (GobanPicture *base, GobanPoint at, int n_press, GdkModifierType modifiers)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  gboolean is_adding = (modifiers & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0;
  g_autoptr (GobanSelection) nodes = NULL;
  gboolean is_nothing;
  GobanGraphHit hit;

  hit = goban_graph_view_hit (self, at);
  is_nothing = hit.item == GOBAN_NO_ITEM && hit.hull == GOBAN_NO_ITEM;
  if (!is_nothing
      && (n_press > 1 || (hit.hull != GOBAN_NO_ITEM && is_on_triangle (self, hit.hull, at))))
    {
      open_hit (self, hit, at);
      return;
    }
  if (is_nothing && (is_adding || self->plots.plot == NULL))
    return;
  if (is_nothing && n_press > 1 && self->leader == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.draw-op", NULL);
  nodes = goban_graph_view_dup_hit_nodes (self, hit);
  select_nodes (self, nodes, TRUE, modifiers);
}

void
goban_graph_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  g_autoptr (GobanSelection) nodes = NULL;
  g_autofree guint32 *items = NULL;
  guint n;

  if (self->plots.pick == NULL || self->plots.morph.tick_id != 0)
    return;

  items = goban_pick_inside (self->plots.pick, goban_camera_box_to_world (&self->camera, box), &n);
  nodes = goban_outline_dup_items_nodes (self->plots.plot->outline, items, n);
  select_nodes (self, nodes, FALSE, modifiers & GDK_SHIFT_MASK);
}

/* --- hovering --------------------------------------------------------------------------------- */

/* "decoder/layer_3  ·  1 234 ops  ·  5.6 ms  ·  gpu:0 62 %, gpu:1 38 %". */
static char *
describe_group (const GobanGraphScene *scene, const GobanSceneGroup *group, const char *path)
{
  g_autoptr (GString) text = g_string_new (path);
  g_autofree guint8 *is_told = g_malloc0 (MAX (scene->groups.n_shares, 1));
  char number[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, "  ·  %s %s", goban_format_grouped (number, group->n_nodes),
                          group->n_nodes == 1 ? "op" : "ops");
  if (isfinite (group->time_us))
    g_string_append_printf (text, "  ·  %s", goban_format_time (number, group->time_us));
  for (guint k = 0; k < MIN (scene->n_devices, MOST_SHARES); k++)
    {
      guint most = scene->n_devices;

      for (guint d = 0; d < scene->n_devices; d++)
        if (!is_told[d] && group->shares[d] > 0
            && (most == scene->n_devices || group->shares[d] > group->shares[most]))
          most = d;
      if (most == scene->n_devices)
        break;
      is_told[most] = TRUE;
      g_string_append_printf (text, "%s%s %.0f %%", k == 0 ? "  ·  " : ", ",
                              scene->devices[most].name, (double) group->shares[most] * 100);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_hit (GobanGraphView *self, GobanGraphHit hit)
{
  const GobanGraphScene *scene = goban_graph_view_get_scene (self);
  const GobanOutline *outline = self->plots.plot->outline;

  if (hit.hull != GOBAN_NO_ITEM)
    return describe_group (scene, &scene->groups.hulls[hit.hull],
                           goban_outline_get_hull_group (outline, hit.hull)->path);
  if (is_group (self, hit.item))
    return describe_group (scene, goban_graph_scene_get_group (scene, hit.item),
                           goban_outline_get_item_group (outline, hit.item)->path);

  return goban_describe_node (goban_session_get_graph (self->session),
                              goban_graph_view_get_run (self), outline->items[hit.item].first);
}

/* By a control. */
static gboolean
is_covered (GobanGraphView *self, GobanPoint at)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  return self->controls != NULL && gtk_widget_get_visible (self->controls)
         && gtk_widget_pick (self->controls, at.x / scale, at.y / scale, GTK_PICK_DEFAULT) != NULL;
}

void
goban_graph_view_hover (GobanPicture *base, const GobanPoint *at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  GobanGraphHit hit = { GOBAN_NO_ITEM, GOBAN_NO_ITEM };
  gboolean is_nothing;
  g_autofree char *text = NULL;

  if (at != NULL && !is_covered (self, *at))
    hit = goban_graph_view_hit (self, *at);
  if (hit.item == self->hover.item && hit.hull == self->hover.hull)
    return;

  self->hover.item = hit.item;
  self->hover.hull = hit.hull;
  is_nothing = hit.item == GOBAN_NO_ITEM && hit.hull == GOBAN_NO_ITEM;
  if (!is_nothing)
    text = describe_hit (self, hit);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), is_nothing ? NULL : "pointer");
  goban_set_tooltip_lines (GTK_WIDGET (self), text);
  goban_picture_hint (base, text != NULL ? text : "");
  goban_picture_invalidate_overlay (base);
}

/* --- keys ------------------------------------------------------------------------------------- */

static gboolean
open_selected (GobanGraphView *self)
{
  const GobanOutlineMarks *marks;
  GobanView *view;
  g_autoptr (GPtrArray) paths = NULL;
  const char *const *open;

  view = goban_session_get_view (self->session);
  marks = goban_graph_view_get_marks (self);
  open = goban_view_get_expanded (view);
  paths = g_ptr_array_new ();
  for (guint i = 0; i < marks->n; i++)
    if (is_group (self, marks->items[i]))
      g_ptr_array_add (paths, (gpointer) goban_outline_get_item_group (self->plots.plot->outline,
                                                                       marks->items[i])
                                  ->path);
  if (paths->len == 0)
    return FALSE;

  if (paths->len == 1)
    {
      open_group (self, g_ptr_array_index (paths, 0), TRUE, NULL);
      return TRUE;
    }
  for (guint i = 0; open[i] != NULL; i++)
    g_ptr_array_add (paths, (gpointer) open[i]);
  g_ptr_array_add (paths, NULL);
  goban_view_set_expanded (view, (const char *const *) paths->pdata);
  return TRUE;
}

/* The innermost open group around the selection; without a selection, around the visible part. */
static guint32
find_inner_hull (GobanGraphView *self)
{
  GobanPoint middle = { goban_picture_get_width (goban_graph_view_picture (self)) / 2,
                        goban_picture_get_height (goban_graph_view_picture (self)) / 2 };

  return goban_graph_view_get_marks (self)->n > 0
             ? goban_graph_view_find_hull_of_selection (self)
             : goban_pick_hull_at (self->plots.pick, &self->camera, middle);
}

static gboolean
close_around_selected (GobanGraphView *self)
{
  guint32 hull = find_inner_hull (self);

  if (hull == 0 || hull == GOBAN_NO_ITEM)
    return FALSE;
  open_group (self, goban_outline_get_hull_group (self->plots.plot->outline, hull)->path, FALSE,
              NULL);
  return TRUE;
}

gboolean
goban_graph_view_open_selection (GobanGraphView *self, gboolean open)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  if (self->plots.plot == NULL)
    return FALSE;
  return open ? open_selected (self) : close_around_selected (self);
}

/* --- the menu --------------------------------------------------------------------------------- */

/* Commands for the selection, or for the whole graph if nothing is selected. */
static void
open_menu (GobanGraphView *self, GdkRectangle at)
{
  static const char *const of_nodes[]
      = { "zoom-selection", "open-group", "close-group", "",         "device-key", "fuse", "pin",
          "hide",           "",           "copy-text",   "copy-lua", NULL };
  static const char *const of_graph[]
      = { "fit", "close-groups", "unhide", "select-all", "", "scene-add", "export-graph", NULL };
  guint n;

  goban_selection_get_ids (goban_session_get_selection (self->session), &n);
  goban_context_menu_open (GTK_WIDGET (self), n > 0 ? of_nodes : of_graph, &at);
}

/* An item that is not selected is selected first. */
void
goban_graph_view_menu (GobanPicture *base, GobanPoint at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanSelection) rest = NULL;
  guint n, n_rest;

  if (self->plots.plot == NULL)
    return;
  nodes = goban_graph_view_dup_hit_nodes (self, goban_graph_view_hit (self, at));
  goban_selection_get_ids (nodes, &n);
  rest = goban_selection_difference (nodes, goban_session_get_selection (self->session));
  goban_selection_get_ids (rest, &n_rest);
  if (n == 0 || n_rest > 0)
    goban_session_set_selection (self->session, nodes);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  open_menu (self, (GdkRectangle){ (int) (at.x / scale), (int) (at.y / scale), 1, 1 });
}

void
goban_graph_view_open_menu (GtkWidget *widget)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (widget);

  if (self->plots.plot != NULL)
    open_menu (self, (GdkRectangle){ gtk_widget_get_width (widget) / 2,
                                     gtk_widget_get_height (widget) / 2, 1, 1 });
}
