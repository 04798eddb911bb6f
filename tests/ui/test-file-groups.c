/* Files that are named together: groups, and what the window makes of one. */
#include "ui/documents/file-groups.h"

#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-window.h"

#include "engine/session/document/document.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Two devices of its own, so that the plan fits no other cluster. */
static const char pair_json[] = "{ \"name\": \"pair\",\n  \"devices\": [ { \"name\": \"gpu\", "
                                "\"count\": 2, \"kind\": \"gpu\", \"tflops\": 9.3, "
                                "\"memory_bandwidth\": \"732 GB/s\", \"memory\": \"16 GiB\" } ],\n"
                                "  \"all_pairs\": { \"bandwidth\": \"12 GB/s\" } }\n";

/* A graph, a cluster, a plan for both, and a script. */
typedef struct
{
  char *folder;
  GFile *graph;
  GFile *cluster;
  GFile *plan;
  GFile *script;
} Together;

static GFile *
new_file (const Together *self, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  if (text != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

static void
together_init (Together *self)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autoptr (GobanGraph) graph = goban_graph_source_load (toy, NULL, NULL);
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;

  self->folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  self->graph = g_file_new_for_path (toy);
  self->cluster = new_file (self, "pair.json", pair_json);
  self->plan = new_file (self, "mine.plan.json", NULL);
  self->script = new_file (self, "mine.lua", "print 'hello'\n");
  cluster = goban_cluster_new_from_spec (g_file_peek_path (self->cluster), NULL);
  g_assert_nonnull (cluster);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  run = goban_run_new_from_policy (costs, "m-topo", NULL, NULL);
  g_assert_true (
      goban_plan_save (goban_run_get_plan (run), costs, g_file_peek_path (self->plan), NULL));
}

static void
together_clear (Together *self)
{
  remove_folder (self->folder);
  g_free (self->folder);
  g_object_unref (self->graph);
  g_object_unref (self->cluster);
  g_object_unref (self->plan);
  g_object_unref (self->script);
}

static gboolean
shows_plan (gpointer data)
{
  GuiWindow *f = data;
  GobanRun *run = goban_session_get_current_run (f->session);

  return gui_has_settled (data) && strcmp (goban_run_get_name (run), "mine.plan.json") == 0;
}

static gboolean
is_unchanged (gpointer data)
{
  return !goban_document_is_changed (goban_document_get (((GuiWindow *) data)->session));
}

/* In whatever order they are named: the graph, then its cluster, then the plan for both. */
static void
test_open_together (GuiWindow *f, gconstpointer data)
{
  Together files;

  together_init (&files);
  {
    GFile *const named[] = { files.plan, files.script, files.graph, files.cluster };

    goban_window_drop_files (f->window, named, G_N_ELEMENTS (named));
    gui_wait (shows_plan, f, "the plan is shown on its cluster");
  }
  gui_wait (is_unchanged, f, "all that was named is open, and nothing was changed since");
  g_assert_cmpstr (goban_cluster_get_name (goban_session_get_cluster (f->session)), ==, "pair");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "toy.dot – Goban");

  /* Alone it is for the graph that is open. */
  gui_act (f, "undo", NULL);
  g_assert_false (shows_plan (f));
  goban_window_drop_files (f->window, &files.plan, 1);
  gui_wait (shows_plan, f, "the plan is shown again");
  together_clear (&files);
}

/* A plan without its graph, and one behind a graph that cannot be read. */
static void
test_open_together_errors (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GFile) missing = g_file_new_for_path ("/nonexistent/graph.onnx");
  Together files;

  together_init (&files);
  goban_window_drop_files (f->window, &files.plan, 1);
  gui_wait_notice (f, "a plan needs its graph: open that first");
  {
    GFile *const named[] = { missing, files.plan };

    goban_window_drop_files (f->window, named, G_N_ELEMENTS (named));
    gui_wait_notice (f, "/nonexistent/graph.onnx");
  }
  g_assert_null (goban_session_get_graph (f->session));
  {
    g_autoptr (GFile) spec = g_file_new_for_commandline_arg ("rnnlm:layers=1");
    GFile *const named[] = { spec, files.cluster, files.plan };

    goban_window_drop_files (f->window, named, G_N_ELEMENTS (named));
    gui_wait_notice (f, "of the plan's nodes, the first is");
  }
  together_clear (&files);
}

/* "plan graph", "graph plan graph cluster": the names of a group, graph first. */
static void
test_groups_of_files (GuiWindow *f, gconstpointer data)
{
  Together files;

  together_init (&files);
  {
    g_autoptr (GFile) spec = g_file_new_for_commandline_arg ("rnnlm:layers=1");
    GFile *const named[] = { files.plan, files.graph, files.cluster, spec, files.plan };
    g_autoptr (GPtrArray) groups = goban_file_groups_new (named, G_N_ELEMENTS (named));
    g_autoptr (GPtrArray) alone = goban_file_groups_new (&files.script, 1);
    GPtrArray *first = g_ptr_array_index (groups, 0);
    GPtrArray *second = g_ptr_array_index (groups, 1);

    g_assert_cmpuint (groups->len, ==, 2);
    g_assert_cmpuint (first->len, ==, 4);
    g_assert_true (first->pdata[0] == files.graph);
    g_assert_true (first->pdata[1] == files.cluster);
    g_assert_true (first->pdata[2] == files.plan);
    g_assert_true (first->pdata[3] == files.plan);
    g_assert_cmpuint (second->len, ==, 1);
    g_assert_true (second->pdata[0] == spec);
    g_assert_true (goban_file_group_has_graph (first));
    g_assert_cmpuint (alone->len, ==, 1);
    g_assert_false (goban_file_group_has_graph (g_ptr_array_index (alone, 0)));
  }
  together_clear (&files);
}

/* A plan goes to the graph that it fits; the one before it first, where several or none do. */
static void
test_plans_find_their_graph (GuiWindow *f, gconstpointer data)
{
  g_autoptr (GFile) one = g_file_new_for_commandline_arg ("rnnlm:layers=1");
  g_autoptr (GFile) two = g_file_new_for_commandline_arg ("rnnlm:layers=2");
  g_autoptr (GFile) missing = g_file_new_for_path ("/nonexistent/graph.onnx");
  g_autoptr (GFile) copy = NULL;
  g_autofree char *text = NULL;
  Together files;

  together_init (&files);
  g_assert_true (g_file_get_contents (g_file_peek_path (files.graph), &text, NULL, NULL));
  copy = new_file (&files, "copy.dot", text);
  {
    const struct
    {
      GFile *named[4];
      guint place; /* of the group with the plan */
    } cases[] = {
      { { files.graph, one, two, files.plan }, 0 },
      { { one, files.plan, two, files.graph }, 2 },
      { { files.graph, copy, files.plan, one }, 1 },
      { { copy, files.plan, files.graph, one }, 0 },
      { { one, two, files.plan, missing }, 1 },
      { { missing, files.plan, one, copy }, 2 },
      { { one, files.graph, missing, files.plan }, 1 },
    };

    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (GPtrArray) groups
            = goban_file_groups_new (cases[i].named, G_N_ELEMENTS (cases[i].named));

        g_test_message ("case %" G_GSIZE_FORMAT, i);
        g_assert_cmpuint (groups->len, ==, 3);
        for (guint j = 0; j < groups->len; j++)
          {
            const GPtrArray *group = g_ptr_array_index (groups, j);

            g_assert_cmpuint (group->len, ==, j == cases[i].place ? 2 : 1);
            g_assert_true (group->len == 1 || group->pdata[1] == files.plan);
          }
      }
  }
  together_clear (&files);
}

TEST_PROGRAM (file_groups)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/file-groups/order", test_groups_of_files);
  gui_window_add ("/file-groups/plans", test_plans_find_their_graph);
  gui_window_add ("/file-groups/open", test_open_together);
  gui_window_add ("/file-groups/errors", test_open_together_errors);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
