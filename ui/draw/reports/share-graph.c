/* share-graph.c: the graph of a shared page: items, open groups and edges. */
#include "ui/draw/reports/share-private.h"
#include "ui/draw/reports/share.h"

#include "engine/core/json-text.h"

#include <math.h>

/* --- open groups ---------------------------------------------------------------------------- */

/* Boxes that take the place of a closed group's. */
static guint
count_inside (const GobanGroup *group)
{
  return group->n_groups + group->n_own;
}

/* The largest closed group that fits when it is opened; GOBAN_NO_SUCH_GROUP: none. */
static guint32
find_largest (const GobanHierarchy *hierarchy, const gboolean *is_seen, const gboolean *is_open,
              guint room)
{
  guint32 best = GOBAN_NO_SUCH_GROUP;
  guint most = 0;

  for (guint32 g = 0; g < goban_hierarchy_get_n_groups (hierarchy); g++)
    {
      const GobanGroup *group = goban_hierarchy_get_group (hierarchy, g);

      if (is_seen[g] && !is_open[g] && group->n_nodes > most && count_inside (group) <= room + 1)
        {
          best = g;
          most = group->n_nodes;
        }
    }
  return best;
}

static void
open_group (const GobanHierarchy *hierarchy, guint32 group, gboolean *is_seen, gboolean *is_open)
{
  guint n;
  const guint32 *children = goban_hierarchy_get_children (hierarchy, group, &n);

  is_open[group] = TRUE;
  for (guint i = 0; i < n; i++)
    is_seen[children[i]] = TRUE;
}

/* Paths of groups to open, the largest first, up to GOBAN_SHARE_ITEMS boxes. (transfer full) */
static char **
list_open (const GobanHierarchy *hierarchy)
{
  guint n_groups = goban_hierarchy_get_n_groups (hierarchy);
  g_autofree gboolean *is_seen = g_new0 (gboolean, n_groups);
  g_autofree gboolean *is_open = g_new0 (gboolean, n_groups);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  guint n_boxes = count_inside (goban_hierarchy_get_group (hierarchy, 0));
  guint32 group;

  open_group (hierarchy, 0, is_seen, is_open);
  while (n_boxes < GOBAN_SHARE_ITEMS
         && (group = find_largest (hierarchy, is_seen, is_open, GOBAN_SHARE_ITEMS - n_boxes))
                != GOBAN_NO_SUCH_GROUP)
    {
      const GobanGroup *opened = goban_hierarchy_get_group (hierarchy, group);

      open_group (hierarchy, group, is_seen, is_open);
      n_boxes += count_inside (opened) - 1;
      g_strv_builder_add (paths, opened->path);
    }
  return g_strv_builder_end (paths);
}

/* Grouped if it has too many nodes: as the window does it, else by scopes, whose folds are
 * ranges. */
static GobanHierarchy *
new_hierarchy (GobanGraph *graph)
{
  gboolean is_small = goban_graph_get_n_nodes (graph) <= GOBAN_SHARE_ITEMS / 4;
  g_autoptr (GobanHierarchy) usual
      = goban_hierarchy_new (graph, is_small ? GOBAN_GROUPING_NONE : GOBAN_GROUPING_AUTO, NULL);

  if (is_small || goban_graph_get_n_nodes (graph) <= GOBAN_SHARE_ITEMS
      || goban_hierarchy_get_n_groups (usual) > 1)
    return g_steal_pointer (&usual);
  return goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
}

GobanPlot *
goban_share_plot_new (GobanGraph *graph, const GobanProgress *progress, GError **error)
{
  g_autoptr (GobanHierarchy) hierarchy = new_hierarchy (graph);
  g_auto (GStrv) expanded = list_open (hierarchy);
  GobanLook look = { .grouping = goban_hierarchy_get_grouping (hierarchy),
                     .hierarchy = hierarchy,
                     .expanded = (const char *const *) expanded,
                     .progress = progress };

  return goban_plot_new (graph, &look, error);
}

/* --- the JSON -------------------------------------------------------------------------------- */

/* A comma, unless it is the first of a list. */
static void
separate (GString *json)
{
  if (json->len > 0 && json->str[json->len - 1] != '[')
    g_string_append_c (json, ',');
}

void
goban_share_add_int (GString *json, gint64 value)
{
  separate (json);
  g_string_append_printf (json, "%" G_GINT64_FORMAT, value);
}

void
goban_share_add_text (GString *json, const char *text)
{
  separate (json);
  goban_json_append_string (json, text);
}

void
goban_share_open (GString *json, const char *key, char bracket)
{
  if (key != NULL)
    goban_json_append_key (json, key);
  else
    separate (json);
  g_string_append_c (json, bracket);
}

void
goban_share_close (GString *json, char bracket)
{
  g_string_append_c (json, bracket);
}

static void
add_box (GString *json, GobanBox box)
{
  goban_share_add_int (json, lround (box.x0));
  goban_share_add_int (json, lround (box.y0));
  goban_share_add_int (json, lround (box.x1));
  goban_share_add_int (json, lround (box.y1));
}

/* Six numbers an item: x0, y0, x1, y1, nodes, and the open group around it (0: none). */
static void
add_items (GString *json, const GobanPlot *plot)
{
  const GobanOutline *outline = plot->outline;

  goban_share_open (json, "boxes", '[');
  for (guint i = 0; i < outline->n_items; i++)
    {
      add_box (json, goban_layout_node_box (plot->layout, i));
      goban_share_add_int (json, outline->items[i].n_nodes);
      goban_share_add_int (json, outline->items[i].hull);
    }
  goban_share_close (json, ']');
  goban_share_open (json, "names", '[');
  for (guint i = 0; i < outline->n_items; i++)
    {
      const GobanGroup *group = goban_outline_get_item_group (outline, i);

      goban_share_add_text (json, group != NULL ? group->name
                                                : goban_hierarchy_get_label_of (
                                                    plot->hierarchy, outline->items[i].first));
    }
  goban_share_close (json, ']');
  goban_share_open (json, "ops", '[');
  for (guint i = 0; i < outline->n_items; i++)
    goban_share_add_text (json,
                          goban_outline_get_item_group (outline, i) != NULL
                              ? ""
                              : goban_graph_get_node (outline->graph, outline->items[i].first)->op);
  goban_share_close (json, ']');
}

/* Open groups but the graph itself: box, the open group around it (0: none), nodes, path. */
static void
add_hulls (GString *json, const GobanPlot *plot)
{
  goban_share_open (json, "groups", '[');
  for (guint h = 1; plot->layout->hulls != NULL && h < plot->layout->n_hulls; h++)
    {
      goban_share_open (json, NULL, '[');
      add_box (json, plot->layout->hulls[h]);
      goban_share_add_int (json, plot->outline->hulls[h].parent);
      goban_share_add_int (json, plot->outline->hulls[h].n_nodes);
      goban_share_add_text (json, goban_outline_get_hull_group (plot->outline, h)->path);
      goban_share_close (json, ']');
    }
  goban_share_close (json, ']');
}

void
goban_share_add_graph (GString *json, const GobanPlot *plot)
{
  const GobanOutline *outline = plot->outline;

  goban_share_open (json, "bounds", '[');
  add_box (json, plot->layout->bounds);
  goban_share_close (json, ']');
  add_items (json, plot);
  add_hulls (json, plot);
  /* Three numbers an edge: the tail as the difference from that of the edge before, the head as the
   * difference from the tail, which are short, and bytes. */
  goban_share_open (json, "edges", '[');
  for (guint e = 0, before = 0; e < outline->n_edges; e++)
    {
      const GobanOutlineEdge *edge = &outline->edges[e];

      goban_share_add_int (json, (gint64) edge->tail - before);
      goban_share_add_int (json, (gint64) edge->head - edge->tail);
      goban_share_add_int (json, isfinite (edge->bytes) ? llround (edge->bytes) : 0);
      before = edge->tail;
    }
  goban_share_close (json, ']');
}
