/* graph-step.c: painter of the changes of a decision, in a graph's picture: a ring around each
 * changed node, and at its left a stripe in the colour of its previous device. A group has the ring
 * where some of it changed, and the device that most of that had. What has no ring stays as it is
 * painted: rings are few, and a veil over the rest would hide the plan.
 *
 * Decision U40 (ui/NOTES.md).
 */
#include "ui/draw/graph/graph-overlays.h"
#include "ui/draw/graph/graph-paint.h"

#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"

#include <math.h>

/* --- the scene ------------------------------------------------------------------------------ */

static void
mark (GobanSceneNode *node, GobanDeviceId had)
{
  node->flags |= GOBAN_NODE_CHANGED;
  node->had = had;
}

/* The most frequent previous device among an item's changed nodes; the lowest device among
 * equals. */
static void
mark_items (GobanGraphScene *self, const GobanDeviceId *had, const GobanNodeId *ids, guint n)
{
  guint n_devices = MAX (self->n_devices, 1);
  g_autofree guint32 *counts = g_new0 (guint32, (gsize) MAX (self->n_nodes, 1) * n_devices);

  for (guint i = 0; i < n; i++)
    {
      guint32 item = self->outline->item_of[ids[i]];

      if (item == GOBAN_NO_ITEM)
        continue;
      mark (&self->nodes[item], GOBAN_NO_DEVICE);
      if (had[ids[i]] < self->n_devices)
        counts[(gsize) item * n_devices + had[ids[i]]]++;
    }
  for (guint v = 0; v < self->n_nodes; v++)
    for (guint d = 0, most = 0; d < self->n_devices; d++)
      if (counts[(gsize) v * n_devices + d] > most)
        {
          most = counts[(gsize) v * n_devices + d];
          self->nodes[v].had = (GobanDeviceId) d;
        }
}

/* --- undecided nodes ------------------------------------------------------------------------ */

/* The shares of a group's devices without its undecided nodes, which the plan has on some device
 * until they are decided. By number of nodes: their times depend on the device. */
static void
count_decided (GobanGraphScene *self, const GobanPlan *plan, const guint8 *is_undecided)
{
  guint n_shares = self->groups.n_shares;

  for (guint i = 0; i < self->groups.n_closed; i++)
    for (guint d = 0; d < n_shares; d++)
      self->groups.closed[i].shares[d] = 0;
  for (guint v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      guint32 item = self->outline->item_of[v];
      guint32 closed = item != GOBAN_NO_ITEM ? self->groups.of_node[item] : GOBAN_NO_GROUP;
      GobanDeviceId device = goban_plan_get_device (plan, v);

      if (closed != GOBAN_NO_GROUP && !is_undecided[v] && device < n_shares)
        self->groups.closed[closed].shares[device]
            += 1.0f / (float) self->groups.closed[closed].n_nodes;
    }
}

static void
mark_undecided (GobanGraphScene *self, GobanRun *step)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (step));
  g_autofree guint8 *is_undecided = g_malloc0 (MAX (n_nodes, 1));
  g_autoptr (GobanSelection) undecided
      = goban_moment_dup_undecided (goban_run_get_decisions (step), goban_run_get_moment (step));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (undecided, &n);

  for (guint i = 0; i < n; i++)
    is_undecided[ids[i]] = TRUE;
  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[v].flags |= GOBAN_NODE_UNDECIDED;
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 item = self->outline != NULL ? self->outline->item_of[v] : v;

      if (!is_undecided[v] && item != GOBAN_NO_ITEM)
        self->nodes[item].flags &= (guint8) ~GOBAN_NODE_UNDECIDED;
    }
  if (self->groups.n_closed > 0)
    count_decided (self, goban_run_get_plan (step), is_undecided);
}

void
goban_graph_scene_set_step (GobanGraphScene *self, GobanRun *step)
{
  GobanDecisions *decisions = step != NULL ? goban_run_get_decisions (step) : NULL;
  GobanMoment moment = decisions != NULL ? goban_run_get_moment (step) : 0;
  g_autoptr (GobanSelection) changed = NULL;
  g_autofree GobanDeviceId *had = NULL;
  const GobanNodeId *ids;
  guint n;

  for (guint v = 0; self->has_step && v < self->n_nodes; v++)
    self->nodes[v].flags &= (guint8) ~(GOBAN_NODE_CHANGED | GOBAN_NODE_UNDECIDED);
  self->has_step = moment > 0;
  if (moment == 0)
    return;

  changed = goban_moment_dup_changed (decisions, moment, GOBAN_N_TASKS);
  had = goban_moment_dup_had (decisions, moment);
  ids = goban_selection_get_ids (changed, &n);
  if (self->outline != NULL)
    mark_items (self, had, ids, n);
  for (guint i = 0; self->outline == NULL && i < n; i++)
    mark (&self->nodes[ids[i]], had[ids[i]]);
  if (goban_run_is_unfinished (step) && self->n_devices > 0)
    mark_undecided (self, step);
}

/* --- the picture ---------------------------------------------------------------------------- */

/* A fifth of the box, and never so narrow that its colour cannot be recognised. */
static void
draw_stripe (const Painter *p, guint v)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  GobanBox box = goban_painter_node_box (p, v);
  double width = MIN (fmax (floor ((box.x1 - box.x0) / 5), 4 * p->ui), box.x1 - box.x0);
  GobanBox stripe = { box.x0, box.y0, box.x0 + width, box.y1 };

  if (node->had >= p->scene->n_devices || p->detail == DETAIL_PIXELS)
    return;
  goban_pen_rect (p->pen, stripe, p->inks.devices[node->had]);
  if (p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, stripe, goban_palette_cue (node->had),
                     goban_palette_hatch (p->inks.devices[node->had]), p->ui);
  goban_pen_rect (
      p->pen, (GobanBox){ stripe.x1, stripe.y0, stripe.x1 + fmax (floor (p->ui), 1), stripe.y1 },
      p->colours->canvas);
}

/* Zoomed out, the ring has the colour of the node's present device, and the least visible size. */
static void
ring_changed (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double gap = p->detail == DETAIL_PIXELS ? 0 : p->ui;
  double width = p->node_h < 9 * p->ui ? 2 * p->ui : CLAMP (3 * p->scale, 2 * p->ui, 4 * p->ui);

  if (p->detail == DETAIL_PIXELS && p->scene->n_devices > 0)
    goban_pen_rect (p->pen, grow (box, 2 * p->ui), p->inks.devices[p->scene->nodes[v].device]);
  if (p->detail == DETAIL_PIXELS)
    box = grow (box, 2 * p->ui);
  goban_pen_frame (p->pen, grow (box, gap + width), width, p->colours->ink);
  goban_pen_frame (p->pen, grow (box, gap), gap, p->colours->canvas);
}

void
goban_painter_paint_step (const Painter *p)
{
  double margin = 8 * p->ui / p->scale;

  for (guint v = 0; p->scene->has_step && v < p->layout->n_nodes; v++)
    if ((p->scene->nodes[v].flags & GOBAN_NODE_CHANGED) != 0
        && goban_painter_sees_node (p, v, margin))
      {
        draw_stripe (p, v);
        ring_changed (p, v);
      }
}
