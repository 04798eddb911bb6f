/* graph-playback-state.c: painter of the node states at a time, over a graph's picture: done nodes
 * are unchanged, waiting ones veiled, ready ones veiled less and hatched, and running ones have a
 * ring in their device's colour. A group is veiled as far as its nodes are not done, and has the
 * ring while one of them runs.
 *
 * Decision U22 (ui/NOTES.md).
 */
#include "ui/draw/graph/graph-overlays.h"
#include "ui/draw/graph/graph-paint.h"

#include "engine/study/analysis/playback-state.h"

#include <math.h>

#define WAITING_VEIL 196
#define READY_VEIL 96

/* Number of an item's nodes in each state. */
typedef struct
{
  guint32 n[GOBAN_N_NODE_STATES];
} Tally;

/* (transfer full) (n_nodes of the scene) */
static Tally *
count_states (const Painter *p, const guint8 *states)
{
  const GobanOutline *outline = p->scene->outline;
  Tally *tallies = g_new0 (Tally, MAX (p->scene->n_nodes, 1));
  guint n = outline != NULL ? goban_graph_get_n_nodes (outline->graph) : p->scene->n_nodes;

  for (guint v = 0; v < n; v++)
    {
      guint32 item = outline != NULL ? outline->item_of[v] : v;

      if (item < p->scene->n_nodes)
        tallies[item].n[states[v]]++;
    }
  return tallies;
}

static void
veil (const Painter *p, GobanBox box, guint alpha)
{
  if (box.x1 > box.x0)
    goban_pen_tint (p->pen, box, p->colours->canvas, alpha);
}

/* The finished part is at the left, as in a progress bar. */
static void
veil_group (const Painter *p, guint v, const Tally *tally)
{
  guint all = tally->n[GOBAN_NODE_DONE] + tally->n[GOBAN_NODE_RUNNING] + tally->n[GOBAN_NODE_READY]
              + tally->n[GOBAN_NODE_WAITING];
  GobanBox box = goban_painter_node_box (p, v);

  box.x0 += floor ((box.x1 - box.x0) * tally->n[GOBAN_NODE_DONE] / MAX (all, 1));
  veil (p, box, WAITING_VEIL);
}

static void
veil_node (const Painter *p, guint v, const Tally *tally)
{
  GobanBox box = goban_painter_node_box (p, v);

  if (tally->n[GOBAN_NODE_WAITING] > 0)
    veil (p, box, WAITING_VEIL);
  if (tally->n[GOBAN_NODE_READY] == 0)
    return;
  veil (p, box, READY_VEIL);
  if (p->node_h >= 5 * p->ui)
    goban_pen_hatch (p->pen, grow (box, -1), GOBAN_CUE_DIAGONAL, p->colours->muted, p->ui);
}

/* Never smaller than the eye can find among 80,000 specks. */
static void
ring_running (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double width = p->node_h < 9 * p->ui ? 3 * p->ui : CLAMP (4 * p->scale, 3 * p->ui, 5 * p->ui);
  double gap = p->detail == DETAIL_PIXELS ? 0 : p->ui;
  GobanRgb rgb = p->scene->n_devices > 0 ? p->inks.devices[p->scene->nodes[v].device]
                                         : p->colours->selection;

  goban_pen_frame (p->pen, grow (box, gap + width + p->ui), p->ui, p->colours->ink);
  goban_pen_frame (p->pen, grow (box, gap + width), width, rgb);
}

void
goban_painter_paint_moment (const Painter *p, const guint8 *states)
{
  g_autofree Tally *tallies = count_states (p, states);
  double margin = 8 * p->ui / p->scale;

  for (guint v = 0; v < p->layout->n_nodes; v++)
    {
      if (!goban_painter_sees_node (p, v, 0))
        continue;
      if (goban_graph_scene_get_group (p->scene, v) != NULL)
        veil_group (p, v, &tallies[v]);
      else
        veil_node (p, v, &tallies[v]);
    }
  /* Last, so that no neighbour covers them. */
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (tallies[v].n[GOBAN_NODE_RUNNING] > 0 && goban_painter_sees_node (p, v, margin))
      ring_running (p, v);
}
