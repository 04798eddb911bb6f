#include "engine/study/log/set-description.h"

#include "engine/study/analysis/query.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

/* Anything this short is not shortened further: users recognise ids and names, and the search takes
 * time. */
#define SHORT_ENOUGH 100

struct _GobanSetDescription
{
  GobanGraph *graph;      /* (nullable): of the other fields */
  GobanHierarchy *scopes; /* (nullable) */
  GobanHierarchy *shown;  /* (nullable): groups that are shown, if they are others */
  GobanSelection *found;  /* (nullable): result of the query */
  char *query;
  GobanRunSource *run; /* (nullable): that it finds them in, without its trace */
};

GobanSetDescription *
goban_set_description_new (void)
{
  return g_new0 (GobanSetDescription, 1);
}

static void
forget (GobanSetDescription *self)
{
  g_clear_pointer (&self->scopes, goban_hierarchy_unref);
  g_clear_pointer (&self->shown, goban_hierarchy_unref);
  g_clear_pointer (&self->found, goban_selection_unref);
  g_clear_pointer (&self->query, g_free);
  g_clear_pointer (&self->run, goban_run_source_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
}

void
goban_set_description_free (GobanSetDescription *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_free (self);
}

static void
adopt_graph (GobanSetDescription *self, GobanGraph *graph)
{
  if (self->graph == graph)
    return;
  forget (self);
  self->graph = goban_graph_ref (graph);
}

GobanHierarchy *
goban_set_description_get_scopes (GobanSetDescription *self, GobanGraph *graph)
{
  g_return_val_if_fail (self != NULL && graph != NULL, NULL);

  adopt_graph (self, graph);
  if (self->scopes == NULL)
    self->scopes = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  return self->scopes;
}

gboolean
goban_set_description_has (GobanGrouping grouping)
{
  return grouping == GOBAN_GROUPING_SCOPE || grouping == GOBAN_GROUPING_LAYER
         || grouping == GOBAN_GROUPING_STEP || grouping == GOBAN_GROUPING_PARAMETER
         || grouping == GOBAN_GROUPING_USE;
}

GobanHierarchy *
goban_set_description_ref_groups (GobanSetDescription *self, GobanGraph *graph,
                                  GobanGrouping grouping)
{
  g_return_val_if_fail (self != NULL && graph != NULL && goban_set_description_has (grouping),
                        NULL);

  if (grouping == GOBAN_GROUPING_SCOPE)
    return goban_hierarchy_ref (goban_set_description_get_scopes (self, graph));
  if (self->graph == graph && self->shown != NULL
      && goban_hierarchy_get_grouping (self->shown) == grouping)
    return goban_hierarchy_ref (self->shown);
  return goban_hierarchy_new (graph, grouping, NULL);
}

void
goban_set_description_offer_groups (GobanSetDescription *self, GobanGraph *graph,
                                    GobanHierarchy *hierarchy)
{
  GobanGrouping grouping;

  g_return_if_fail (self != NULL && graph != NULL && hierarchy != NULL);

  grouping = goban_hierarchy_get_grouping (hierarchy);
  adopt_graph (self, graph);
  g_clear_pointer (&self->shown, goban_hierarchy_unref);
  if (self->scopes == NULL && grouping == GOBAN_GROUPING_SCOPE)
    self->scopes = goban_hierarchy_ref (hierarchy);
  else if (grouping != GOBAN_GROUPING_SCOPE && goban_set_description_has (grouping))
    self->shown = goban_hierarchy_ref (hierarchy);
}

void
goban_set_description_store (GobanSetDescription *self, GobanGraph *graph, GobanSelection *nodes,
                             const char *query, GobanRun *run)
{
  g_return_if_fail (self != NULL && graph != NULL && nodes != NULL && query != NULL);

  adopt_graph (self, graph);
  goban_selection_ref (nodes);
  g_clear_pointer (&self->found, goban_selection_unref);
  self->found = nodes;
  g_free (self->query);
  self->query = g_strdup (query);
  g_clear_pointer (&self->run, goban_run_source_unref);
  self->run = run != NULL ? goban_run_source_ref (goban_run_get_source (run)) : NULL;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Counts the nodes of each group that are in the set, subgroups included; (transfer full). */
static guint *
count_in_groups (const GobanHierarchy *groups, const GobanNodeId *ids, guint n)
{
  guint n_groups = goban_hierarchy_get_n_groups (groups);
  guint *counts = g_new0 (guint, n_groups);

  for (guint i = 0; i < n; i++)
    counts[goban_hierarchy_get_group_of (groups, ids[i])]++;
  for (guint32 g = n_groups; --g > 0;)
    counts[goban_hierarchy_get_group (groups, g)->parent] += counts[g];
  return counts;
}

/* Appends the paths of the outermost groups that are in the set as a whole, and marks all groups
 * below them. Stops behind @limit characters, because a longer text is not used. */
static guint
append_whole_groups (GString *text, const GobanHierarchy *groups, const guint *counts,
                     guint8 *is_said, gsize limit)
{
  guint n_said = 0;

  for (guint32 g = 1; g < goban_hierarchy_get_n_groups (groups) && text->len <= limit;)
    {
      const GobanGroup *group = goban_hierarchy_get_group (groups, g);

      if (group->n_nodes == 0 || counts[g] < group->n_nodes)
        {
          g++;
          continue;
        }
      if (n_said > 0)
        g_string_append (text, ", ");
      goban_lua_text_append (text, group->path);
      n_said++;
      memset (is_said + g, 1, group->end - g);
      g = group->end;
    }
  return n_said;
}

/* "g:inside{"a", "b"}" by scope, else "g:inside({"a", "b"}, "use")". */
static char *
call_inside (const GobanHierarchy *groups, const char *paths, guint n)
{
  GobanGrouping grouping = goban_hierarchy_get_grouping (groups);

  if (grouping == GOBAN_GROUPING_SCOPE)
    return g_strdup_printf (n == 1 ? "g:inside %s" : "g:inside{%s}", paths);
  return g_strdup_printf (n == 1 ? "g:inside(%s, \"%s\")" : "g:inside({%s}, \"%s\")", paths,
                          goban_grouping_names[grouping]);
}

/* Expression by whole groups and the remaining nodes; NULL if there is no whole group, or if it
 * takes more than @limit characters. (transfer full) */
static char *
say_groups (const GobanHierarchy *groups, GobanGraph *graph, const GobanNodeId *ids, guint n,
            gsize limit)
{
  g_autofree guint *counts = count_in_groups (groups, ids, n);
  g_autofree guint8 *is_said = g_malloc0 (goban_hierarchy_get_n_groups (groups));
  g_autoptr (GString) paths = g_string_new (NULL);
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n_said = append_whole_groups (paths, groups, counts, is_said, limit);
  g_autofree char *others = NULL;
  g_autofree char *inside = NULL;

  if (n_said == 0 || paths->len > limit)
    return NULL;

  inside = call_inside (groups, paths->str, n_said);
  for (guint i = 0; i < n; i++)
    if (!is_said[goban_hierarchy_get_group_of (groups, ids[i])])
      g_array_append_val (rest, ids[i]);
  if (rest->len == 0)
    return g_steal_pointer (&inside);

  others = goban_log_nodes (graph, (const GobanNodeId *) (const void *) rest->data, rest->len);
  return g_strdup_printf ("(%s + %s)", inside, others);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* (transfer full) (nullable) */
static char *
say_query (GobanSetDescription *self, GobanGraph *graph, const GobanSelection *nodes,
           const GobanRunSource *run)
{
  g_autofree char *quoted = NULL;

  if (self->graph != graph || self->found == NULL || (self->run != NULL && self->run != run)
      || !goban_selection_equal (self->found, nodes))
    return NULL;

  quoted = goban_lua_text_quote (self->query);
  return g_strdup_printf ("g:where %s", quoted);
}

/* Takes @other (transfer full) (nullable) if it is shorter. */
static void
take_shorter (char **text, char *other)
{
  if (other != NULL && strlen (other) < strlen (*text))
    {
      g_free (*text);
      *text = other;
      return;
    }
  g_free (other);
}

/* Any description with at most @limit characters. (transfer full) */
static char *
say_set (GobanSetDescription *self, GobanGraph *graph, const GobanSelection *nodes,
         const GobanRunSource *run, gsize limit)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);
  char *text = goban_log_nodes (graph, ids, n);

  if (self == NULL || strlen (text) <= SHORT_ENOUGH)
    return text;
  take_shorter (&text, say_query (self, graph, nodes, run));
  if (strlen (text) > SHORT_ENOUGH)
    take_shorter (&text, say_groups (goban_set_description_get_scopes (self, graph), graph, ids, n,
                                     MIN (strlen (text), limit)));
  if (strlen (text) > SHORT_ENOUGH && self->shown != NULL)
    take_shorter (&text, say_groups (self->shown, graph, ids, n, MIN (strlen (text), limit)));
  return text;
}

char *
goban_set_description_to_lua (GobanSetDescription *self, GobanGraph *graph,
                              const GobanSelection *nodes, const GobanRunSource *run)
{
  g_autoptr (GobanSelection) others = NULL;
  g_autofree char *rest = NULL;
  char *text;
  guint n_nodes, n;

  g_return_val_if_fail (graph != NULL && nodes != NULL, NULL);

  n_nodes = goban_graph_get_n_nodes (graph);
  goban_selection_get_ids (nodes, &n);
  text = say_set (self, graph, nodes, run, G_MAXSIZE);
  if (self == NULL || strlen (text) <= SHORT_ENOUGH)
    return text;

  others = goban_selection_complement (nodes, n_nodes);
  rest = say_set (self, graph, others, run, strlen (text));
  take_shorter (&text, g_strdup_printf ("(g:nodes() - %s)", rest));
  return text;
}
