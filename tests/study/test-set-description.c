/* Expressions for sets of nodes in the log: short, and exactly that set. */
#include "engine/study/log/set-description.h"

#include "engine/graph/workloads/workload.h"
#include "engine/session/edit.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "tests/support/scoped-graph.h"
#include "tests/support/sessions.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_NODES 600
/* What nobody wants to read more of, where it can be said shorter. */
#define LONG 300

typedef struct
{
  GobanGraph *graph;
  GobanSetDescription *words;
  const char *at; /* what is read */
  const GobanSelection *found;
} Reader;

/* --- the twin: reads what Lua would, by other means ------------------------------------------- */

static gboolean
eat (Reader *r, const char *text)
{
  if (!g_str_has_prefix (r->at, text))
    return FALSE;
  r->at += strlen (text);
  return TRUE;
}

/* What is between quotes; names here need no escapes. (transfer full) */
static char *
eat_string (Reader *r)
{
  const char *end;
  char *text;

  g_assert_true (eat (r, "\""));
  end = strchr (r->at, '"');
  g_assert_nonnull (end);
  text = g_strndup (r->at, (gsize) (end - r->at));
  r->at = end + 1;
  return text;
}

static void
mark_ranges (guint8 *set, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *end;
      guint first = (guint) g_ascii_strtoull (parts[i], &end, 10);
      guint last = *end == '-' ? (guint) g_ascii_strtoull (end + 1, &end, 10) : first;

      g_assert_cmpint (*end, ==, '\0');
      for (guint v = first; v <= last; v++)
        set[v] = 1;
    }
}

static void
mark_list (Reader *r, guint8 *set, gboolean are_groups)
{
  gboolean is_list = eat (r, "{");

  if (is_list && eat (r, "}"))
    return;
  if (!is_list)
    eat (r, " ");
  do
    {
      g_autofree char *name = eat_string (r);
      GobanHierarchy *scopes = goban_hierarchy_new (r->graph, GOBAN_GROUPING_SCOPE, NULL);
      guint32 group = goban_hierarchy_find (scopes, name);
      g_autoptr (GobanSelection) nodes
          = are_groups ? goban_hierarchy_dup_nodes (scopes, group) : NULL;
      guint n = 0;
      const GobanNodeId *ids = nodes != NULL ? goban_selection_get_ids (nodes, &n) : NULL;

      if (!are_groups)
        set[goban_graph_find_node (r->graph, name)] = 1;
      for (guint i = 0; i < n; i++)
        set[ids[i]] = 1;
      goban_hierarchy_unref (scopes);
    }
  while (is_list && eat (r, ", "));
  g_assert_true (!is_list || eat (r, "}"));
}

static void
read_set (Reader *r, guint8 *set)
{
  if (eat (r, "("))
    {
      g_autofree guint8 *other = g_malloc0 (N_NODES);
      gboolean is_minus;

      read_set (r, set);
      is_minus = eat (r, " - ");
      g_assert_true (is_minus || eat (r, " + "));
      read_set (r, other);
      for (guint v = 0; v < N_NODES; v++)
        set[v] = is_minus ? set[v] && !other[v] : set[v] || other[v];
      g_assert_true (eat (r, ")"));
    }
  else if (eat (r, "g:nodes()"))
    {
      memset (set, 1, N_NODES);
    }
  else if (eat (r, "g:inside"))
    {
      mark_list (r, set, TRUE);
    }
  else if (eat (r, "g:nodes \""))
    {
      g_autofree char *ranges = g_strndup (r->at, strcspn (r->at, "\""));

      r->at += strlen (ranges) + 1;
      mark_ranges (set, ranges);
    }
  else if (eat (r, "g:where \"text\""))
    {
      guint n;
      const GobanNodeId *ids = goban_selection_get_ids (r->found, &n);

      for (guint i = 0; i < n; i++)
        set[ids[i]] = 1;
    }
  else
    {
      g_assert_true (eat (r, "g:nodes"));
      mark_list (r, set, FALSE);
    }
}

static void
assert_says (Reader *r, const GobanSelection *nodes, const char *text)
{
  g_autofree guint8 *set = g_malloc0 (N_NODES);

  r->at = text;
  read_set (r, set);
  g_assert_cmpstr (r->at, ==, "");
  for (GobanNodeId v = 0; v < N_NODES; v++)
    g_assert_cmpint (set[v], ==, goban_selection_contains (nodes, v));
}

/* --- sets ------------------------------------------------------------------------------------- */

static GobanSelection *
some_groups (Reader *r, guint n_groups, guint n_strays)
{
  g_autoptr (GobanSelection) all = goban_selection_new (NULL, 0);
  GobanHierarchy *scopes = goban_set_description_get_scopes (r->words, r->graph);

  for (guint i = 0; i < n_groups + n_strays; i++)
    {
      guint32 group
          = (guint32) g_test_rand_int_range (1, (gint32) goban_hierarchy_get_n_groups (scopes));
      GobanNodeId stray = (GobanNodeId) g_test_rand_int_range (0, N_NODES);
      g_autoptr (GobanSelection) part = i < n_groups ? goban_hierarchy_dup_nodes (scopes, group)
                                                     : goban_selection_new (&stray, 1);
      g_autoptr (GobanSelection) more = goban_selection_union (all, part);

      goban_selection_unref (all);
      all = g_steal_pointer (&more);
    }
  return g_steal_pointer (&all);
}

static void
test_says_exactly_the_set (void)
{
  guint n_short = 0;

  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (GobanGraph) graph = scoped_graph_new (N_NODES, (guint64) g_test_rand_int ());
      g_autoptr (GobanSetDescription) words = goban_set_description_new ();
      Reader r = { graph, words, NULL, NULL };

      for (guint i = 0; i < 12; i++)
        {
          g_autoptr (GobanSelection) inside = some_groups (&r, i % 4, i);
          g_autoptr (GobanSelection) nodes = i % 2 == 0
                                                 ? goban_selection_ref (inside)
                                                 : goban_selection_complement (inside, N_NODES);
          g_autofree char *text = goban_set_description_to_lua (words, graph, nodes, NULL);
          g_autofree char *plain = goban_set_description_to_lua (NULL, graph, nodes, NULL);

          assert_says (&r, nodes, text);
          assert_says (&r, nodes, plain);
          g_assert_cmpuint (strlen (text), <=, strlen (plain));
          g_assert_cmpuint (strlen (text), <=, LONG);
          n_short += strlen (text) < strlen (plain);
        }
    }
  g_assert_cmpuint (n_short, >, 20);
}

/* Every third node of some: no group, long ranges. */
static GobanSelection *
scattered (void)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (GobanNodeId v = 1; v < N_NODES; v += 3)
    g_array_append_val (ids, v);
  return goban_selection_new ((const GobanNodeId *) (const void *) ids->data, ids->len);
}

static void
test_says_what_was_searched_for (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (N_NODES, 5);
  g_autoptr (GobanSetDescription) words = goban_set_description_new ();
  g_autoptr (GobanSelection) nodes = scattered ();
  g_autoptr (GobanSelection) rest = goban_selection_complement (nodes, N_NODES);
  g_autofree char *ranges = goban_set_description_to_lua (words, graph, nodes, NULL);
  g_autofree char *found = NULL;
  g_autofree char *others = NULL;
  g_autofree char *again = NULL;
  Reader r = { graph, words, NULL, nodes };

  g_assert_true (g_str_has_prefix (ranges, "g:nodes \""));
  assert_says (&r, nodes, ranges);
  goban_set_description_store (words, graph, nodes, "text", NULL);
  found = goban_set_description_to_lua (words, graph, nodes, NULL);
  others = goban_set_description_to_lua (words, graph, rest, NULL);
  g_assert_cmpstr (found, ==, "g:where \"text\"");
  g_assert_cmpstr (others, ==, "(g:nodes() - g:where \"text\")");
  assert_says (&r, rest, others);

  /* Another graph is another text. */
  {
    g_autoptr (GobanGraph) other = scoped_graph_new (N_NODES, 5);

    again = goban_set_description_to_lua (words, other, nodes, NULL);
    g_assert_cmpstr (again, ==, ranges);
  }
}

/* A query that asks for a run finds other nodes in another. */
static void
test_a_query_of_a_run_is_of_that_run (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (N_NODES, 6);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL); /* it is */
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) one = goban_run_new (costs, plan, "one");
  g_autoptr (GobanRun) two = goban_run_new (costs, plan, "two");
  g_autoptr (GobanSetDescription) words = goban_set_description_new ();
  g_autoptr (GobanSelection) nodes = scattered ();
  g_autofree char *same = NULL;
  g_autofree char *other = NULL;
  g_autofree char *gone = NULL;

  goban_set_description_store (words, graph, nodes, "text", one);
  same = goban_set_description_to_lua (words, graph, nodes, goban_run_get_source (one));
  other = goban_set_description_to_lua (words, graph, nodes, goban_run_get_source (two));
  g_assert_cmpstr (same, ==, "g:where \"text\"");
  g_assert_true (g_str_has_prefix (other, "g:nodes \""));
  g_clear_pointer (&one, goban_run_unref);
  gone = goban_set_description_to_lua (words, graph, nodes, NULL);
  g_assert_cmpstr (gone, ==, other);
}

/* The lines of a session are said in these words too. */
static void
test_lines_of_the_log_are_short (void)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (N_NODES, 7);
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanSetDescription *words;
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GobanSelection) nodes = NULL;
  g_autoptr (GobanEdit) edit = NULL;
  g_autoptr (GobanRun) moved = NULL;
  g_autoptr (GError) error = NULL;
  const GPtrArray *log;
  Reader r = { .graph = graph };

  goban_session_set_graph (session, graph, NULL);
  words = r.words = goban_view_get_words (goban_session_get_view (session));
  run = goban_run_new (goban_session_get_costs (session), plan, "mine");
  goban_session_add_run (session, run);
  nodes = some_groups (&r, 3, 2);
  goban_session_set_selection (session, nodes);
  goban_session_pin (session, nodes, TRUE);
  goban_session_pin (session, nodes, FALSE);
  edit = goban_edit_new (session, GOBAN_EDIT_MOVE, nodes);
  edit->device = 1;
  moved = goban_edit_run (edit, &error);
  g_assert_no_error (error);
  g_assert_true (session_add_edit (session, edit, moved, &error));
  goban_view_set_hidden (goban_session_get_view (session), nodes, graph);

  log = goban_session_get_log (session);
  g_assert_cmpuint (log->len, >=, 5);
  for (guint i = 0; i < log->len; i++)
    g_assert_cmpuint (strlen (g_ptr_array_index (log, i)), <=, LONG);
  g_assert_nonnull (words);
}

/* What is shown by parameter is said by parameter, until something else is shown. */
static void
test_says_the_groups_that_are_shown (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("rnnlm:layers=2,steps=12", &error);
  g_autoptr (GobanSetDescription) words = goban_set_description_new ();
  g_autoptr (GobanHierarchy) uses = NULL;
  g_autoptr (GobanHierarchy) flat = NULL;
  g_autoptr (GobanHierarchy) again = NULL;
  g_autoptr (GobanSelection) one = NULL;
  g_autoptr (GobanSelection) two = NULL;
  g_autoptr (GobanSelection) both = NULL;
  g_autofree char *ranges = NULL;
  g_autofree char *said_one = NULL;
  g_autofree char *said_both = NULL;
  g_autofree char *later = NULL;

  g_assert_no_error (error);
  uses = goban_hierarchy_new (graph, GOBAN_GROUPING_USE, NULL);
  flat = goban_hierarchy_new (graph, GOBAN_GROUPING_NONE, NULL);
  one = goban_hierarchy_dup_nodes (uses, goban_hierarchy_find (uses, "use 3"));
  two = goban_hierarchy_dup_nodes (uses, goban_hierarchy_find (uses, "use 5/softmax"));
  both = goban_selection_union (one, two);

  ranges = goban_set_description_to_lua (words, graph, one, NULL);
  g_assert_null (strstr (ranges, "\"use\""));
  goban_set_description_offer_groups (words, graph, uses);
  said_one = goban_set_description_to_lua (words, graph, one, NULL);
  said_both = goban_set_description_to_lua (words, graph, both, NULL);
  g_assert_cmpstr (said_one, ==, "g:inside(\"use 3\", \"use\")");
  g_assert_cmpstr (said_both, ==, "g:inside({\"use 3\", \"use 5/softmax\"}, \"use\")");
  again = goban_set_description_ref_groups (words, graph, GOBAN_GROUPING_USE);
  g_assert_true (again == uses);

  goban_set_description_offer_groups (words, graph, flat);
  later = goban_set_description_to_lua (words, graph, one, NULL);
  g_assert_cmpstr (later, ==, ranges);
}

TEST_PROGRAM (set_description)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/set-description/says-exactly-the-set", test_says_exactly_the_set);
  g_test_add_func ("/set-description/says-what-was-searched-for", test_says_what_was_searched_for);
  g_test_add_func ("/set-description/a-query-of-a-run-is-of-that-run",
                   test_a_query_of_a_run_is_of_that_run);
  g_test_add_func ("/set-description/lines-of-the-log-are-short", test_lines_of_the_log_are_short);
  g_test_add_func ("/set-description/says-the-groups-that-are-shown",
                   test_says_the_groups_that_are_shown);
  return g_test_run ();
}
