/* graph-drag.c: drags over the graph: moving nodes to a device, or drawing a lasso.
 *
 * A drag that begins on what is highlighted under the pointer, or on something selected, moves
 * nodes to a device; from anywhere else it pans. Devices are offered in a row over the graph, and
 * where else the window shows them, such as in the legend (graph-targets.h, "find"). The layout
 * never changes.
 * While a target is highlighted, the session's preview shows the result, here and in all other
 * panes.
 */
#include "ui/graph/graph-drag.h"
#include "ui/graph/graph-targets.h"
#include "ui/graph/graph-view-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-marks.h"
#include "ui/widgets/text.h"

#include <math.h>

/* Points of a lasso are so far apart. */
#define LASSO_STEP 3.0
/* From the border of an op's box inwards, edges begin. */
#define EDGE_REACH 7.0
/* Above this size, counting the dragged nodes takes longer than a frame may. */
#define MOST_COUNTED 20000

static GobanPicture *
picture (GobanGraphView *self)
{
  return GOBAN_PICTURE (self);
}

static double
ui_scale (GobanGraphView *self)
{
  return goban_picture_get_ui_scale (picture (self));
}

static GobanGraphTargets *
targets (GobanGraphView *self)
{
  return GOBAN_GRAPH_TARGETS (self->targets);
}

/* --- dragged nodes ---------------------------------------------------------------------------- */

/* The edit that dropping on a device would be. (transfer full) */
static GobanEdit *
new_move (GobanGraphView *self, guint device)
{
  GobanEdit *edit = goban_edit_new (self->session, GOBAN_EDIT_MOVE, self->drag.moved);

  edit->device = (GobanDeviceId) device;
  return edit;
}

/* "conv1", "decoder, 1 234 nodes", "12 nodes". (transfer full) */
static char *
name_moved (GobanGraphView *self, const char *group)
{
  char number[GOBAN_QUANTITY_LEN];
  guint n;

  goban_selection_get_ids (self->drag.moved, &n);
  if (n == 1 || group == NULL)
    return n == 1 ? goban_edit_describe_nodes (goban_session_get_graph (self->session),
                                               self->drag.moved)
                  : g_strdup_printf (_ ("%s nodes"), goban_format_grouped (number, n));
  return g_strdup_printf (_ ("%s, %s nodes"), group, goban_format_grouped (number, n));
}

/* The present devices of most of the dragged nodes, by number of nodes. */
static void
find_devices (GobanGraphView *self)
{
  GobanRun *run = goban_session_get_current_run (self->session);
  guint n_devices = goban_cluster_get_n_devices (goban_run_get_cluster (run));
  g_autofree guint *counts = g_new0 (guint, n_devices);
  GobanPlan *plan = goban_run_get_plan (run);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (self->drag.moved, &n);

  for (guint i = 0; i < n; i++)
    if (goban_plan_get_device (plan, ids[i]) < n_devices)
      counts[goban_plan_get_device (plan, ids[i])]++;
  for (self->drag.n_devices = 0; self->drag.n_devices < GOBAN_CHIP_DEVICES; self->drag.n_devices++)
    {
      guint most = 0;

      for (guint d = 1; d < n_devices; d++)
        if (counts[d] > counts[most])
          most = d;
      if (counts[most] == 0)
        break;
      counts[most] = 0;
      self->drag.devices[self->drag.n_devices] = most;
    }
}

/* @moved: (transfer full); @group: (nullable): their common name. */
static void
lift (GobanGraphView *self, GobanSelection *moved, const char *group)
{
  g_autoptr (GobanEdit) edit = NULL;

  self->drag.kind = GOBAN_GRAPH_DRAG_NODES;
  self->drag.moved = moved;
  self->drag.title = name_moved (self, group);
  find_devices (self);
  edit = new_move (self, 0);
  goban_graph_view_update_controls (self);
  goban_graph_targets_open (targets (self), edit, self->drag.title,
                            goban_picture_get_theme (picture (self)));
}

static gboolean
can_move (GobanGraphView *self)
{
  GobanRun *run
      = self->leader != NULL ? self->compared.run : goban_session_get_current_run (self->session);

  /* A decision step is read-only. */
  return run != NULL && self->plots.plot != NULL
         && goban_session_get_current_run (self->session)
                == goban_session_get_shown_run (self->session)
         && goban_cluster_get_n_devices (goban_run_get_cluster (run)) > 1;
}

static const char *
find_group_name (GobanGraphView *self, GobanGraphHit hit)
{
  const GobanOutline *outline = self->plots.plot->outline;
  const GobanGroup *group = hit.hull != GOBAN_NO_ITEM
                                ? goban_outline_get_hull_group (outline, hit.hull)
                                : goban_outline_get_item_group (outline, hit.item);

  return group != NULL ? group->name : NULL;
}

/* TRUE if the item under the point can be dragged: with the whole selection if it is part of
 * that. */
static gboolean
lift_at (GobanGraphView *self, GobanPoint at)
{
  GobanSelection *selection = goban_session_get_selection (self->session);
  GobanGraphHit hit = goban_graph_view_hit (self, at);
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanSelection) outside = NULL;
  guint n, n_outside;

  if (!can_move (self))
    return FALSE;
  nodes = goban_graph_view_dup_hit_nodes (self, hit);
  goban_selection_get_ids (nodes, &n);
  if (n == 0)
    return FALSE;

  outside = goban_selection_difference (nodes, selection);
  goban_selection_get_ids (outside, &n_outside);
  if (!goban_graph_view_adopt_run (self))
    return FALSE;
  if (n_outside == 0)
    {
      lift (self, goban_selection_ref (selection),
            goban_selection_equal (nodes, selection) ? find_group_name (self, hit) : NULL);
      return TRUE;
    }
  goban_session_set_selection (self->session, nodes);
  lift (self, goban_selection_ref (nodes), find_group_name (self, hit));
  return TRUE;
}

/* --- aiming ----------------------------------------------------------------------------------- */

static void
update_note (GobanGraphView *self)
{
  guint target = goban_graph_targets_get_aim (targets (self));
  g_autoptr (GobanEdit) edit = NULL;
  g_autofree char *effect = NULL;
  g_autofree char *hint = NULL;
  const char *name;

  g_clear_pointer (&self->drag.note, g_free);
  if (self->drag.kind != GOBAN_GRAPH_DRAG_NODES || target == GOBAN_NO_TARGET)
    return;

  edit = new_move (self, target);
  effect = goban_preview_describe (self->preview, edit);
  name = goban_cluster_get_device (goban_run_get_cluster (edit->base), edit->device)->name;
  self->drag.note = g_strdup_printf (_ ("to %s: %s"), name, effect);
  hint = g_strdup_printf ("%s %s", self->drag.title, self->drag.note);
  goban_picture_hint (picture (self), hint);
}

static void
aim (GobanGraphView *self, guint target)
{
  if (target != goban_graph_targets_get_aim (targets (self)))
    {
      goban_graph_targets_aim (targets (self), target);
      if (target != GOBAN_NO_TARGET)
        {
          g_autoptr (GobanEdit) edit = new_move (self, target);

          goban_preview_ask (self->preview, edit);
        }
      else
        {
          goban_preview_drop (self->preview);
        }
    }
  update_note (self);
  goban_picture_invalidate_overlay (picture (self));
}

static void
drop_on (GobanGraphView *self, guint target)
{
  g_autoptr (GobanEdit) edit = new_move (self, target);

  /* The preview is committed first, because dropping the drag drops its result. */
  goban_preview_commit (self->preview, self->session, edit);
  goban_graph_view_forget_drag (self);
}

/* (nullable): the previewed result of an edit of this run. */
static GobanRun *
find_preview (const GobanComparedRun *self, GobanPreview *preview)
{
  const GobanEdit *edit = goban_preview_get_edit (preview);
  GobanRun *run = goban_preview_get_run (preview);

  return edit != NULL && run != NULL && self->run != NULL && edit->base == self->run
                 && run != self->run && goban_run_get_graph (run) == goban_run_get_graph (self->run)
             ? run
             : NULL;
}

/* The preview of the change is shown instead of the plan, until the drop. */
void
goban_graph_view_preview_changed (GobanGraphView *self)
{
  GobanRun *run = goban_preview_get_run (self->preview);
  gboolean had_one = self->preview_run != NULL;

  if (self->leader != NULL)
    run = find_preview (&self->compared, self->preview);
  else if (run == goban_session_get_current_run (self->session)
           || (run != NULL && goban_run_get_graph (run) != goban_session_get_graph (self->session)))
    run = NULL;
  goban_run_set (&self->preview_run, run);
  update_note (self);
  /* A dropped change may soon be committed: the next frame asks for the present state. */
  self->scenes.is_stale = self->scenes.is_stale || had_one;
  if (run != NULL && self->leader == NULL)
    goban_graph_view_want_scene (self);
  else if (run != NULL || had_one)
    goban_picture_invalidate (picture (self));
  goban_picture_invalidate_overlay (picture (self));
}

/* --- lasso ------------------------------------------------------------------------------------ */

/* Items whose middle is inside. (transfer full) */
static guint32 *
find_inside (GobanGraphView *self, guint *n)
{
  GobanLasso *lasso = self->drag.lasso;
  guint32 *items = goban_pick_inside (
      self->plots.pick, goban_camera_box_to_world (&self->camera, goban_lasso_get_box (lasso)), n);
  guint n_inside = 0;

  for (guint i = 0; i < *n; i++)
    {
      GobanPoint middle
          = { (double) self->plots.layout->x[items[i]], (double) self->plots.layout->y[items[i]] };

      if (goban_lasso_contains (lasso, goban_camera_to_screen (&self->camera, middle)))
        items[n_inside++] = items[i];
    }
  *n = n_inside;
  return items;
}

static void
count_inside (GobanGraphView *self)
{
  g_autofree guint32 *items = NULL;
  char number[GOBAN_QUANTITY_LEN];
  guint n, n_nodes = 0;

  g_clear_pointer (&self->drag.title, g_free);
  if (self->plots.plot->outline->n_items > MOST_COUNTED)
    return;

  items = find_inside (self, &n);
  for (guint i = 0; i < n; i++)
    n_nodes += self->plots.plot->outline->items[items[i]].n_nodes;
  self->drag.title
      = g_strdup_printf ("%s%s %s", self->drag.is_adding ? "+ " : "",
                         goban_format_grouped (number, n_nodes), n_nodes == 1 ? "node" : "nodes");
  goban_picture_hint (picture (self), self->drag.title);
}

static void
select_inside (GobanGraphView *self)
{
  GobanSelection *old = goban_session_get_selection (self->session);
  g_autofree guint32 *items = NULL;
  g_autoptr (GobanSelection) inside = NULL;
  g_autoptr (GobanSelection) all = NULL;
  guint n;

  items = find_inside (self, &n);
  inside = goban_outline_dup_items_nodes (self->plots.plot->outline, items, n);
  all = self->drag.is_adding ? goban_selection_union (old, inside) : goban_selection_ref (inside);
  goban_session_set_selection (self->session, all);
}

/* --- edges of a drawn graph ------------------------------------------------------------------- */

/* The node under @at, or GOBAN_NO_NODE. */
static GobanNodeId
find_node (GobanGraphView *self, GobanPoint at)
{
  GobanGraphHit hit = goban_graph_view_hit (self, at);

  return hit.item != GOBAN_NO_ITEM
                 && self->plots.plot->outline->items[hit.item].group == GOBAN_NO_GROUP
             ? self->plots.plot->outline->items[hit.item].first
             : GOBAN_NO_NODE;
}

/* An edge begins within a few pixels of the border of an op's box; a small box is moved. */
static gboolean
begin_edge (GobanGraphView *self, GobanPoint from)
{
  GobanGraphHit hit = goban_graph_view_hit (self, from);
  GobanNodeId tail = find_node (self, from);
  double reach = EDGE_REACH * ui_scale (self);
  GobanBox box;

  if (tail == GOBAN_NO_NODE || self->leader != NULL || !goban_session_is_drawing (self->session))
    return FALSE;
  box = goban_camera_box_to_screen (&self->camera,
                                    goban_layout_node_box (self->plots.layout, hit.item));
  if (MIN (box.x1 - box.x0, box.y1 - box.y0) < 3 * reach
      || (from.x > box.x0 + reach && from.x < box.x1 - reach && from.y > box.y0 + reach
          && from.y < box.y1 - reach))
    return FALSE;
  self->drag.kind = GOBAN_GRAPH_DRAG_EDGE;
  self->drag.tail = tail;
  self->drag.from = from;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "crosshair");
  return TRUE;
}

static void
end_edge (GobanGraphView *self, GobanPoint at)
{
  GobanNodeId head = find_node (self, at);

  if (head != GOBAN_NO_NODE && head != self->drag.tail)
    g_signal_emit_by_name (self, "connect", self->drag.tail, head);
}

static void
paint_edge (GobanGraphView *self, GobanPen *pen)
{
  GobanRgb rgb = goban_palette_get (goban_picture_get_theme (picture (self)))->selection;
  GobanStroke stroke = { rgb, GOBAN_OPAQUE, 2.5 * ui_scale (self) };

  goban_pen_line (pen, self->drag.from, self->drag.at, &stroke);
}

/* --- the gesture ------------------------------------------------------------------------------ */

gboolean
goban_graph_view_drag_begin (GobanPicture *base, GobanPoint from, GobanPoint at,
                             GdkModifierType modifiers)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);

  goban_graph_view_forget_drag (self);
  if (self->plots.pick == NULL || self->plots.morph.tick_id != 0)
    return FALSE;

  if ((modifiers & GDK_SHIFT_MASK) != 0)
    {
      self->drag.kind = GOBAN_GRAPH_DRAG_LASSO;
      self->drag.is_adding = (modifiers & GDK_CONTROL_MASK) != 0;
      self->drag.lasso = goban_lasso_new ();
      goban_lasso_add (self->drag.lasso, from, 0);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "crosshair");
    }
  else if ((modifiers & GDK_CONTROL_MASK) != 0
           || (!begin_edge (self, from) && !lift_at (self, from)))
    {
      return FALSE;
    }
  else if (self->drag.kind == GOBAN_GRAPH_DRAG_NODES)
    {
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }

  self->drag.at = at;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  return TRUE;
}

void
goban_graph_view_drag_update (GobanPicture *base, GobanPoint at)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  self->drag.at = at;
  if (self->drag.kind == GOBAN_GRAPH_DRAG_NODES)
    aim (self,
         goban_graph_targets_at (targets (self), GTK_WIDGET (self), at.x / scale, at.y / scale));
  else if (self->drag.kind == GOBAN_GRAPH_DRAG_LASSO
           && goban_lasso_add (self->drag.lasso, at, LASSO_STEP * ui_scale (self)))
    count_inside (self);
  goban_picture_invalidate_overlay (base);
}

void
goban_graph_view_drag_end (GobanPicture *base, GobanPoint at, gboolean is_cancelled)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  guint target;

  if (!is_cancelled && self->drag.kind != GOBAN_GRAPH_DRAG_NOTHING)
    goban_graph_view_drag_update (base, at);
  target = goban_graph_targets_get_aim (targets (self));
  if (self->drag.kind == GOBAN_GRAPH_DRAG_LASSO && !is_cancelled)
    select_inside (self);
  if (self->drag.kind == GOBAN_GRAPH_DRAG_EDGE && !is_cancelled)
    end_edge (self, at);
  if (self->drag.kind == GOBAN_GRAPH_DRAG_NODES && !is_cancelled && target != GOBAN_NO_TARGET)
    drop_on (self, target);
  goban_graph_view_forget_drag (self);
}

/* A digit drops the dragged nodes on the device of that number. */
gboolean
goban_graph_view_drag_key (GobanPicture *base, guint keyval)
{
  GobanGraphView *self = GOBAN_GRAPH_VIEW (base);
  int digit = goban_find_digit (keyval);

  if (self->drag.kind != GOBAN_GRAPH_DRAG_NODES || digit < 0
      || (guint) digit >= goban_graph_targets_get_n (targets (self)))
    return FALSE;

  drop_on (self, (guint) digit);
  return TRUE;
}

void
goban_graph_view_forget_drag (GobanGraphView *self)
{
  gboolean had_nodes = self->drag.kind == GOBAN_GRAPH_DRAG_NODES;

  self->drag.kind = GOBAN_GRAPH_DRAG_NOTHING;
  self->drag.is_adding = FALSE;
  self->drag.n_devices = 0;
  g_clear_pointer (&self->drag.moved, goban_selection_unref);
  g_clear_pointer (&self->drag.title, g_free);
  g_clear_pointer (&self->drag.note, g_free);
  g_clear_pointer (&self->drag.lasso, goban_lasso_free);
  if (self->targets != NULL && goban_graph_targets_is_open (targets (self)))
    goban_graph_targets_close (targets (self));
  goban_graph_view_update_controls (self);
  if (had_nodes)
    {
      goban_preview_drop (self->preview);
      goban_picture_hint (picture (self), "");
    }
  goban_picture_invalidate_overlay (picture (self));
}

void
goban_graph_view_paint_drag (GobanGraphView *self, GobanPen *pen)
{
  GobanDragChip chip = {
    .title = self->drag.title,
    .note = self->drag.note,
    .target = goban_graph_targets_get_aim (targets (self)),
    .at = self->drag.at,
    .theme = goban_picture_get_theme (picture (self)),
    .ui_scale = ui_scale (self),
  };

  /* The row of devices lies over all that is painted here. */
  if (goban_graph_targets_is_open (targets (self)))
    chip.at.y = MAX (chip.at.y, (gtk_widget_get_height (self->targets) - 2)
                                    * (double) gtk_widget_get_scale_factor (GTK_WIDGET (self)));
  if (self->drag.lasso != NULL)
    goban_lasso_paint (self->drag.lasso, chip.theme, chip.ui_scale, pen);
  if (self->drag.kind == GOBAN_GRAPH_DRAG_EDGE)
    paint_edge (self, pen);
  if (self->drag.title == NULL || self->drag.is_by_keys)
    return;

  chip.n_devices = self->drag.n_devices;
  for (guint i = 0; i < self->drag.n_devices; i++)
    chip.devices[i] = self->drag.devices[i];
  goban_drag_chip_paint (&chip, pen);
}

/* --- by keys ---------------------------------------------------------------------------------- */

static void
chosen_cb (GobanGraphView *self, guint device)
{
  drop_on (self, device);
  g_signal_emit_by_name (self, "offer-over");
}

void
goban_graph_view_build_targets (GobanGraphView *self)
{
  self->targets = goban_graph_targets_new ();
  gtk_widget_set_parent (self->targets, GTK_WIDGET (self));
  g_signal_connect_swapped (self->targets, "chosen", G_CALLBACK (chosen_cb), self);
}

void
goban_graph_view_offer_devices (GobanGraphView *self, gboolean is_offered)
{
  g_return_if_fail (GOBAN_IS_GRAPH_VIEW (self));

  goban_graph_view_forget_drag (self);
  self->drag.is_by_keys = is_offered && can_move (self);
  if (self->drag.is_by_keys)
    {
      /* The tooltip of the item under the pointer would cover the row. */
      gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
      gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
      lift (self, goban_selection_ref (goban_session_get_selection (self->session)), NULL);
    }
}

gboolean
goban_graph_view_aim (GobanGraphView *self, int step)
{
  guint n, now;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  n = goban_graph_targets_get_n (targets (self));
  if (self->drag.kind != GOBAN_GRAPH_DRAG_NODES || n == 0)
    return FALSE;

  now = goban_graph_targets_get_aim (targets (self));
  if (now == GOBAN_NO_TARGET)
    now = step > 0 ? n - 1 : 0;
  aim (self, (now + n + (guint) step) % n);
  return TRUE;
}

gboolean
goban_graph_view_drop (GobanGraphView *self)
{
  guint target;

  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), FALSE);

  target = goban_graph_targets_get_aim (targets (self));
  if (self->drag.kind != GOBAN_GRAPH_DRAG_NODES || target == GOBAN_NO_TARGET)
    return FALSE;

  drop_on (self, target);
  return TRUE;
}

GobanGraphTargets *
goban_graph_view_get_targets (GobanGraphView *self)
{
  g_return_val_if_fail (GOBAN_IS_GRAPH_VIEW (self), NULL);

  return targets (self);
}
