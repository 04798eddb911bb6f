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
  guint n_devices;
  guint n_vertices;
  const GobanLink *links;
  double *lengths_us;  /* (n_links) */
  double shortest_us;  /* of all links */
  guint32 *out_starts; /* (n_vertices + 1) into out_links */
  guint32 *out_links;  /* by vertex, then ascending */
  Reach *best;         /* (n_vertices) of the current source */
  GArray *heap;        /* of Visit, smallest first; outdated entries are skipped */
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

static void
search_init (Search *self, guint n_devices, guint n_vertices, const GobanLink *links, guint n_links)
{
  g_autofree guint32 *fill = NULL;

  *self = (Search){ .n_devices = n_devices, .n_vertices = n_vertices, .links = links };
  self->lengths_us = g_new (double, n_links);
  self->shortest_us = INFINITY;
  self->out_starts = g_new0 (guint32, (gsize) n_vertices + 1);
  self->out_links = g_new (guint32, n_links);
  self->best = g_new (Reach, n_vertices);
  self->heap = g_array_new (FALSE, FALSE, sizeof (Visit));

  for (guint e = 0; e < n_links; e++)
    {
      self->lengths_us[e] = goban_link_length_us (&links[e]);
      self->shortest_us = MIN (self->shortest_us, self->lengths_us[e]);
      self->out_starts[links[e].from + 1]++;
    }
  for (guint v = 0; v < n_vertices; v++)
    self->out_starts[v + 1] += self->out_starts[v];

  fill = g_memdup2 (self->out_starts, (gsize) n_vertices * sizeof *fill);
  for (guint e = 0; e < n_links; e++)
    self->out_links[fill[links[e].from]++] = e;
}

/* Tries the links out of a vertex that is reached for good. */
static void
relax (Search *self, guint vertex)
{
  Reach from = self->best[vertex];

  for (guint i = self->out_starts[vertex]; i < self->out_starts[vertex + 1]; i++)
    {
      guint32 link = self->out_links[i];
      Visit next = {
        .reach = { from.length_us + self->lengths_us[link], from.n_hops + 1, link },
        .vertex = self->links[link].to,
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

  for (guint v = 0; v < self->n_vertices; v++)
    if (v != source)
      {
        if (v < self->n_devices)
          farthest_us = MAX (farthest_us, self->best[v].length_us);
        nearest_us = MIN (nearest_us, self->best[v].length_us);
      }
  /* An equal length loses by its number of hops. */
  return isfinite (farthest_us) && nearest_us + self->shortest_us >= farthest_us;
}

/* Dijkstra (1959). Every link adds a hop, so (length, hops) grows along a path even
 * if links have no length, and a popped vertex is never reopened. */
static void
search_from (Search *self, guint source)
{
  for (guint v = 0; v < self->n_vertices; v++)
    self->best[v] = (Reach){ INFINITY, G_MAXUINT32, NO_LINK };
  self->best[source] = (Reach){ 0, 0, NO_LINK };

  g_array_set_size (self->heap, 0);
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

/* Writes the links of a path, in travelling order, to the end of pool. */
static void
store_path (const Search *self, guint to, GobanRoute *route, GArray *pool)
{
  guint n = self->best[to].n_hops;
  guint32 *links;

  *route = (GobanRoute){ .n_links = n, .bytes_per_us = INFINITY };
  g_array_set_size (pool, pool->len + n);
  links = &g_array_index (pool, guint32, pool->len - n);
  for (guint v = to, i = n; i > 0; i--)
    {
      links[i - 1] = self->best[v].last;
      v = self->links[links[i - 1]].from;
    }
  for (guint i = 0; i < n; i++)
    {
      route->latency_us += self->links[links[i]].latency_us;
      route->bytes_per_us = MIN (route->bytes_per_us, self->links[links[i]].bytes_per_us);
    }
}

gboolean
goban_routes_find (GobanRoutes *routes, guint n_devices, guint n_vertices, const GobanLink *links,
                   guint n_links, guint pair[2])
{
  g_autofree GobanRoute *all = g_new0 (GobanRoute, (gsize) n_devices * n_devices);
  g_autoptr (GArray) pool = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean found = TRUE;
  gsize pool_size;
  gsize start = 0;
  Search search;

  search_init (&search, n_devices, n_vertices, links, n_links);
  for (guint from = 0; from < n_devices && found; from++)
    {
      search_from (&search, from);
      for (guint to = 0; to < n_devices && found; to++)
        {
          if (to == from)
            continue;
          found = isfinite (search.best[to].length_us);
          if (found)
            store_path (&search, to, &all[(gsize) from * n_devices + to], pool);
          pair[0] = from;
          pair[1] = to;
        }
    }
  g_free (search.lengths_us);
  g_free (search.out_starts);
  g_free (search.out_links);
  g_free (search.best);
  g_array_unref (search.heap);

  if (!found)
    return FALSE;

  /* The pool has stopped moving; a single device has none. */
  pool_size = pool->len;
  routes->links = (guint32 *) (gpointer) g_array_free (g_steal_pointer (&pool), FALSE);
  for (gsize i = 0; start < pool_size; i++)
    {
      all[i].links = routes->links + start;
      start += all[i].n_links;
    }
  routes->routes = g_steal_pointer (&all);
  return TRUE;
}

void
goban_routes_clear (GobanRoutes *routes)
{
  g_clear_pointer (&routes->routes, g_free);
  g_clear_pointer (&routes->links, g_free);
}
