/* test-json-twin.c: graphs of engine/io/json.c beside those read from json-glib's tree. */
#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "tests/io/json-tree.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_MUTANTS 400

/* (transfer full) */
static char *
write_graph (const GobanGraph *graph, gsize *size)
{
  g_autoptr (GError) error = NULL;
  char *text = goban_format_find ("json", NULL)->write (graph, size, &error); /* it exists */

  g_assert_no_error (error);
  return text;
}

static void
assert_same_graph (const GobanGraph *a, const GobanGraph *b)
{
  gsize n_a, n_b;
  g_autofree char *text_a = write_graph (a, &n_a);
  g_autofree char *text_b = write_graph (b, &n_b);

  g_assert_cmpmem (text_a, n_a, text_b, n_b);
  g_assert_cmpuint (goban_graph_get_hash (a), ==, goban_graph_get_hash (b));
}

/* The same line of the same node: "t.json:4: nodes[1]"; the words are the reader's own. */
static void
assert_same_place (const char *message, const char *twin)
{
  const char *end = strchr (twin, ']');
  g_autofree char *place
      = g_strndup (twin, end != NULL ? (gsize) (end + 1 - twin) : strlen ("t.json:"));

  g_assert_true (g_str_has_prefix (message, place));
}

/* Both read the same graph, or neither reads one. Returns whether they did. @is_exact: refused at
 * the same place. */
static gboolean
compare (const char *text, gsize size, gboolean is_exact)
{
  const GobanFormat *format = goban_format_find ("json", NULL); /* it exists */
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) tree_error = NULL;
  g_autoptr (GobanGraph) graph = format->read (text, size, "t.json", &options, &error);
  g_autoptr (GobanGraph) twin = json_tree_read (text, size, "t.json", &options, &tree_error);

  g_assert_cmpint (graph == NULL, ==, error != NULL);
  if (graph != NULL)
    {
      g_assert_no_error (tree_error);
      assert_same_graph (graph, twin);
      return TRUE;
    }
  if (is_exact)
    assert_same_place (error->message, tree_error->message);
  return FALSE;
}

static guint
compare_folder (const char *name)
{
  g_autofree char *folder = project_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  guint n_read = 0;
  const char *file;

  g_assert_no_error (error);
  while ((file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *text = NULL;
      gsize size;

      if (!g_str_has_suffix (file, ".json"))
        continue;
      g_test_message ("%s", path);
      g_assert_true (g_file_get_contents (path, &text, &size, NULL));
      n_read += compare (text, size, FALSE);
    }
  return n_read;
}

static void
test_twin_files (void)
{
  g_assert_cmpuint (compare_folder ("samples"), >=, 6);
  g_assert_cmpuint (compare_folder ("tests/fuzz/corpus/json"), >=, 2);
}

static void
test_twin_random (void)
{
  for (guint i = 0; i < 100; i++)
    {
      GraphGen gen = graph_gen_small (1 + i);
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      gsize size;
      g_autofree char *text = write_graph (graph, &size);

      g_assert_true (compare (text, size, TRUE));
    }
}

/* Values of unexpected types: most are refused, by both readers at the same node and line. */
static void
test_twin_mistakes (void)
{
  static const char *const values[] = { "null",
                                        "true",
                                        "-1",
                                        "1.5",
                                        "1e999",
                                        "\"x\"",
                                        "\"gpu\"",
                                        "[]",
                                        "{}",
                                        "[\"a\", 1]",
                                        "[[\"a\", 0]]",
                                        "[1, {\"bytes\": -1}]",
                                        "[{\"byte\": 1}]",
                                        "9007199254740993" };
  /* A node knows no "kinds", which the file has, and no "tmes". */
  static const char *const keys[]
      = { "name",   "op",      "flops", "group",       "phase",       "times", "time_source",
          "inputs", "outputs", "kinds", "size_source", "param_bytes", "tmes" };
  GobanRng rng;
  guint n_read = 0;

  goban_rng_init (&rng, 11);
  for (guint i = 0; i < N_MUTANTS; i++)
    {
      g_autoptr (GString) text
          = g_string_new ("{\"goban\": \"graph\", \"version\": 1, \"kinds\": [\"gpu\"],\n");

      if (goban_rng_below (&rng, 8) == 0)
        g_string_append_printf (text, "\"%s\": %s,\n",
                                goban_rng_below (&rng, 2) == 0 ? "name" : "warnings",
                                values[goban_rng_below (&rng, G_N_ELEMENTS (values))]);
      g_string_append (text, "\"nodes\": [\n{\"name\": \"a\", \"outputs\": [1, 2]}");
      for (guint v = 0; v < 3; v++)
        g_string_append_printf (text, ",\n\n{\"name\": \"n%u\", \"%s\": %s}", v,
                                keys[goban_rng_below (&rng, G_N_ELEMENTS (keys))],
                                values[goban_rng_below (&rng, v == 2 ? G_N_ELEMENTS (values) : 1)]);
      g_string_append (text, "]}");
      n_read += compare (text->str, text->len, TRUE);
    }
  g_assert_cmpuint (n_read, >, N_MUTANTS / 20);
  g_assert_cmpuint (n_read, <, N_MUTANTS);
}

TEST_PROGRAM (json_twin)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/json-twin/files", test_twin_files);
  g_test_add_func ("/io/json-twin/random", test_twin_random);
  g_test_add_func ("/io/json-twin/mistakes", test_twin_mistakes);
  return g_test_run ();
}
