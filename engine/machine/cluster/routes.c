#include "engine/machine/cluster/routes.h"

#include <math.h>

#define NO_LINK G_MAXUINT32
#define PROBE_BYTES (1024.0 * 1024)

/* How a search may reach a vertex; compared field by field. */
typedef struct
{
  double length_us;
  guint32 n_hops;
  guint32 last; /* link */
} Reach;

typedef struct
{
  Reach reach;
  guint vertex;
} Visit;

typedef struct
{
  const GobanRoutes *network;
  Reach *best;  /* (n_vertices) */
  GArray *heap; /* of Visit, smallest first; outdated entries are skipped */
} Search;

double
goban_link_length_us (const GobanLink *link)
{
  return link->latency_us + PROBE_BYTES / link->bytes_per_us;
}

static gboolean
is_better (const Reach *a, const Reach *b)
{
  if (a->length_us != b->length_us)
    return a->length_us < b->length_us;
  if (a->n_hops != b->n_hops)
    return a->n_hops < b->n_hops;
  return a->last < b->last;
}

/* --- the heap ------------------------------------------------------------- */

static void
push_visit (GArray *heap, const Visit *visit)
{
  guint i = heap->len;
  Visit *v;

  g_array_append_val (heap, *visit);
  v = (Visit *) (gpointer) heap->data;
  while (i > 0 && is_better (&visit->reach, &v[(i - 1) / 2].reach))
    {
      v[i] = v[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  v[i] = *visit;
}

static Visit
pop_visit (GArray *heap)
{
  Visit *v = (Visit *) (gpointer) heap->data;
  Visit top = v[0];
  Visit last = v[heap->len - 1];
  guint n = heap->len - 1;
  guint i = 0;

  g_array_set_size (heap, n);
  if (n == 0)
    return top;

  while (2 * i + 1 < n)
    {
      guint child = 2 * i + 1;

      if (child + 1 < n && is_better (&v[child + 1].reach, &v[child].reach))
        child++;
      if (!is_better (&v[child].reach, &last.reach))
        break;
      v[i] = v[child];
      i = child;
    }
  v[i] = last;
  return top;
}

/* --- one source ----------------------------------------------------------- */

/* Tries the links out of a vertex that is reached for good. */
static void
relax (const Search *self, guint vertex)
{
  const GobanRoutes *network = self->network;
  Reach from = self->best[vertex];

  for (guint i = network->out_starts[vertex]; i < network->out_starts[vertex + 1]; i++)
    {
      guint32 link = network->out_links[i];
      Visit next = {
        .reach = { from.length_us + network->lengths_us[link], from.n_hops + 1, link },
        .vertex = network->links[link].to,
      };

      if (is_better (&next.reach, &self->best[next.vertex]))
        {
          self->best[next.vertex] = next.reach;
          push_visit (self->heap, &next);
        }
    }
}

/* After the links of the source: TRUE when no path of two links or more can beat them. */
static gboolean
direct_links_suffice (const Search *self, guint source)
{
  double nearest_us = INFINITY;
  double farthest_us = 0;

  for (guint v = 0; v < self->network->n_vertices; v++)
    if (v != source)
      {
        if (v < self->network->n_devices)
          farthest_us = MAX (farthest_us, self->best[v].length_us);
        nearest_us = MIN (nearest_us, self->best[v].length_us);
      }
  /* An equal length loses by its number of hops. */
  return isfinite (farthest_us) && nearest_us + self->network->shortest_us >= farthest_us;
}

/* Dijkstra (1959). Every link adds a hop, so (length, hops) grows along a path even
 * if links have no length, and a popped vertex is never reopened. */
static void
search_from (const Search *self, guint source)
{
  for (guint v = 0; v < self->network->n_vertices; v++)
    self->best[v] = (Reach){ INFINITY, G_MAXUINT32, NO_LINK };
  self->best[source] = (Reach){ 0, 0, NO_LINK };

  relax (self, source);
  if (direct_links_suffice (self, source))
    return;

  while (self->heap->len > 0)
    {
      Visit visit = pop_visit (self->heap);

      if (!is_better (&self->best[visit.vertex], &visit.reach))
        relax (self, visit.vertex);
    }
}

/* Writes the links of a path to @links, in travelling order. */
static void
store_path (const Search *self, guint from, guint to, GobanRoute *route, guint32 *links)
{
  const GobanLink *all = self->network->links;
  guint n = self->best[to].n_hops;

  *route = (GobanRoute){ .links = links, .n_links = n, .bytes_per_us = INFINITY };
  for (guint v = to, i = n; i > 0; i--)
    {
      links[i - 1] = self->best[v].last;
      v = all[links[i - 1]].from;
    }
  for (guint i = 0; i < n; i++)
    {
      route->latency_us += all[links[i]].latency_us;
      route->bytes_per_us = MIN (route->bytes_per_us, all[links[i]].bytes_per_us);
    }
  route->bytes_per_us *= self->network->devices[from].bus_efficiency;
}

/* The routes from a device, and behind them their links. (transfer full) */
static GobanRoute *
find_row (const GobanRoutes *self, guint from)
{
  g_autofree Reach *best = g_new (Reach, self->n_vertices);
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Visit));
  const Search search = { self, best, heap };
  gsize n_links = 0;
  GobanRoute *row;
  guint32 *links;

  search_from (&search, from);
  for (guint to = 0; to < self->n_devices; to++)
    n_links += best[to].n_hops;
  row = g_malloc (self->n_devices * sizeof *row + n_links * sizeof *links);
  links = (guint32 *) (gpointer) (row + self->n_devices);
  for (guint to = 0; to < self->n_devices; to++)
    {
      store_path (&search, from, to, &row[to], links);
      links += row[to].n_links;
    }
  return row;
}

const GobanRoute *
goban_routes_get (GobanRoutes *self, guint from, guint to)
{
  GobanRoute *row = g_atomic_pointer_get (&self->rows[from]);

  if (row == NULL)
    {
      row = find_row (self, from);
      if (!g_atomic_pointer_compare_and_exchange (&self->rows[from], NULL, row))
        {
          g_free (row); /* another thread was faster */
          row = g_atomic_pointer_get (&self->rows[from]);
        }
    }
  return &row[to];
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* Sorts links by the vertex that they lead from, or to. */
static void
sort_links (guint n_vertices, const GobanLink *links, guint n_links, gboolean by_end,
            guint32 *starts, guint32 *sorted)
{
  g_autofree guint32 *fill = NULL;

  for (guint e = 0; e < n_links; e++)
    starts[(by_end ? links[e].to : links[e].from) + 1]++;
  for (guint v = 0; v < n_vertices; v++)
    starts[v + 1] += starts[v];
  fill = g_memdup2 (starts, (gsize) n_vertices * sizeof *fill);
  for (guint e = 0; e < n_links; e++)
    sorted[fill[by_end ? links[e].to : links[e].from]++] = e;
}

/* The lowest device that no links lead to from @source, or G_MAXUINT; with @starts and @sorted by
 * ends of links, from which none lead to it. */
static guint
find_unreached (const GobanRoutes *self, const guint32 *starts, const guint32 *sorted,
                gboolean by_end, guint source)
{
  g_autofree guint8 *is_reached = g_new0 (guint8, self->n_vertices);
  g_autofree guint *queue = g_new (guint, self->n_vertices);
  guint n = 1;

  queue[0] = source;
  is_reached[source] = TRUE;
  for (guint i = 0; i < n; i++)
    for (guint k = starts[queue[i]]; k < starts[queue[i] + 1]; k++)
      {
        const GobanLink *link = &self->links[sorted[k]];
        guint other = by_end ? link->from : link->to;

        if (!is_reached[other])
          queue[n++] = other;
        is_reached[other] = TRUE;
      }
  for (guint d = 0; d < self->n_devices; d++)
    if (!is_reached[d])
      return d;
  return G_MAXUINT;
}

/* Every device reaches every other if the first reaches all, and all reach it. */
static gboolean
are_all_joined (const GobanRoutes *self, guint n_links)
{
  g_autofree guint32 *in_starts = g_new0 (guint32, (gsize) self->n_vertices + 1);
  g_autofree guint32 *in_links = g_new (guint32, n_links);

  sort_links (self->n_vertices, self->links, n_links, TRUE, in_starts, in_links);
  return find_unreached (self, self->out_starts, self->out_links, FALSE, 0) == G_MAXUINT
         && find_unreached (self, in_starts, in_links, TRUE, 0) == G_MAXUINT;
}

gboolean
goban_routes_init (GobanRoutes *self, const GobanDevice *devices, guint n_devices, guint n_vertices,
                   const GobanLink *links, guint n_links, guint pair[2])
{
  *self = (GobanRoutes){
    .devices = devices, .n_devices = n_devices, .n_vertices = n_vertices, .links = links
  };
  self->out_starts = g_new0 (guint32, (gsize) n_vertices + 1);
  self->out_links = g_new (guint32, n_links);
  self->lengths_us = g_new (double, n_links);
  self->shortest_us = INFINITY;
  self->rows = g_new0 (GobanRoute *, n_devices);
  for (guint e = 0; e < n_links; e++)
    {
      self->lengths_us[e] = goban_link_length_us (&links[e]);
      self->shortest_us = MIN (self->shortest_us, self->lengths_us[e]);
    }
  sort_links (n_vertices, links, n_links, FALSE, self->out_starts, self->out_links);
  if (are_all_joined (self, n_links))
    return TRUE;
  for (pair[0] = 0; pair[0] < n_devices; pair[0]++)
    {
      pair[1] = find_unreached (self, self->out_starts, self->out_links, FALSE, pair[0]);
      if (pair[1] != G_MAXUINT)
        return FALSE;
    }
  g_assert_not_reached ();
}

void
goban_routes_clear (GobanRoutes *self)
{
  for (guint d = 0; self->rows != NULL && d < self->n_devices; d++)
    g_free (self->rows[d]);
  g_clear_pointer (&self->rows, g_free);
  g_clear_pointer (&self->out_starts, g_free);
  g_clear_pointer (&self->out_links, g_free);
  g_clear_pointer (&self->lengths_us, g_free);
}
