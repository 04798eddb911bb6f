#include "engine/learn/rl/go/problem-cache.h"

#include "engine/core/error.h"

/* Memory of a graph with its costs, board, simulators and the plans of one update, as measured on
 * the largest lessons. */
#define BYTES_PER_NODE 3000
#define BYTES_PER_EDGE 300

typedef struct
{
  const GobanLesson *lesson;
  GobanProblem *problem;
  gsize size_bytes;
} Entry;

struct _GobanProblemCache
{
  const GobanCurriculum *curriculum;
  GobanProblemOptions options;
  guint n_held; /* last used entries that are never dropped */
  gsize max_bytes;
  gsize used_bytes;
  GQueue entries; /* Entry, most recently used first */
};

static void
entry_free (Entry *self)
{
  g_clear_pointer (&self->problem, goban_problem_free);
  g_free (self);
}

GobanProblemCache *
goban_problem_cache_new (const GobanCurriculum *curriculum, const GobanProblemOptions *options,
                         gsize size_bytes)
{
  GobanProblemCache *self = g_new0 (GobanProblemCache, 1);

  self->curriculum = curriculum;
  self->options = *options;
  self->max_bytes = size_bytes;
  self->n_held = 1;
  g_queue_init (&self->entries);
  return self;
}

void
goban_problem_cache_free (GobanProblemCache *self)
{
  g_queue_clear_full (&self->entries, (GDestroyNotify) entry_free);
  g_free (self);
}

/* Drops entries until the size is within the bound, but keeps the last used ones. */
static void
shrink (GobanProblemCache *self)
{
  while (self->used_bytes > self->max_bytes && self->entries.length > self->n_held)
    {
      Entry *oldest = g_queue_pop_tail (&self->entries);

      self->used_bytes -= oldest->size_bytes;
      entry_free (oldest);
    }
}

void
goban_problem_cache_set_size (GobanProblemCache *self, gsize size_bytes)
{
  self->max_bytes = size_bytes;
  shrink (self);
}

void
goban_problem_cache_set_n_held (GobanProblemCache *self, guint n)
{
  self->n_held = MAX (n, 1);
}

static gsize
estimate_bytes (const GobanGraph *graph)
{
  return (gsize) goban_graph_get_n_nodes (graph) * BYTES_PER_NODE
         + (gsize) goban_graph_get_n_edges (graph) * BYTES_PER_EDGE;
}

/* %NULL if it was cancelled. */
static Entry *
make_entry (GobanProblemCache *self, const GobanLesson *lesson, const GobanProgress *progress,
            GError **error)
{
  g_autoptr (GobanCostModel) costs = goban_curriculum_load (self->curriculum, lesson, error);
  g_autoptr (GobanProblem) problem = NULL;
  Entry *entry;

  if (costs != NULL)
    problem = goban_problem_new (costs, &self->options, progress, error);
  if (problem == NULL)
    {
      g_prefix_error (error, "%s on %s: ", lesson->graph, lesson->cluster);
      return NULL;
    }
  entry = g_new0 (Entry, 1);
  entry->lesson = lesson;
  entry->problem = g_steal_pointer (&problem);
  entry->size_bytes = estimate_bytes (goban_cost_model_get_graph (costs));
  return entry;
}

static GList *
find (GobanProblemCache *self, const GobanLesson *lesson)
{
  for (GList *link = self->entries.head; link != NULL; link = link->next)
    if (((Entry *) link->data)->lesson == lesson)
      return link;
  return NULL;
}

GobanProblem *
goban_problem_cache_get (GobanProblemCache *self, const GobanLesson *lesson,
                         const GobanProgress *progress, GError **error)
{
  GList *link = find (self, lesson);
  Entry *entry;

  if (link != NULL)
    {
      g_queue_unlink (&self->entries, link);
      g_queue_push_head_link (&self->entries, link);
      entry = link->data;
    }
  else
    {
      entry = make_entry (self, lesson, progress, error);
      if (entry == NULL)
        return NULL;
      g_queue_push_head (&self->entries, entry);
      self->used_bytes += entry->size_bytes;
      shrink (self);
    }
  return entry->problem;
}

void
goban_problem_cache_measure (GobanProblemCache *self, const GobanNetConfig *config)
{
  Entry *entry = g_queue_peek_head (&self->entries);
  gsize size_bytes;

  if (entry == NULL)
    return;
  size_bytes
      = estimate_bytes (goban_cost_model_get_graph (goban_problem_get_costs (entry->problem)))
        + goban_pass_get_size_bytes (goban_problem_get_pass (entry->problem, config));
  self->used_bytes += size_bytes - entry->size_bytes;
  entry->size_bytes = size_bytes;
  shrink (self);
}

guint
goban_problem_cache_get_n_kept (const GobanProblemCache *self)
{
  return self->entries.length;
}

gsize
goban_problem_cache_get_used_bytes (const GobanProblemCache *self)
{
  return self->used_bytes;
}
