#include "tests/io/io-support.h"

#include "engine/core/error.h"
#include "engine/io/io.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static char *
write_file (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
assert_load_fails (const char *name, const char *text, int code, const char *message)
{
  g_autofree char *path = write_file (name, text);
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = g_strconcat (path, ": ", message, NULL);

  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, code);
  if (!g_str_has_prefix (error->message, expected))
    g_error ("“%s” does not begin with “%s”", error->message, expected);
}

/* A text in memory is read as the file with it is, and so are its mistakes. */
static void
test_texts (void)
{
  static const char *const texts[]
      = { "digraph g { a -> b }", "", "nothing known", "{ \"goban\": \"graph\", \"version\": 1 }" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = write_file ("text", texts[i]);
      g_autoptr (GError) of_file = NULL;
      g_autoptr (GError) of_text = NULL;
      g_autoptr (GobanGraph) loaded = goban_graph_load (path, NULL, NULL, &of_file);
      g_autoptr (GobanGraph) parsed
          = goban_graph_parse (texts[i], strlen (texts[i]), path, NULL, NULL, &of_text);

      if (loaded != NULL)
        {
          g_assert_no_error (of_text);
          g_assert_cmpuint (goban_graph_get_hash (loaded), ==, goban_graph_get_hash (parsed));
          continue;
        }
      g_assert_nonnull (of_text);
      g_assert_cmpstr (of_file->message, ==, of_text->message);
    }
}

static gboolean
stop_soon (gpointer data)
{
  return ++*(guint *) data > 3;
}

/* A pipe is read if a person names it and while somebody may stop it; if a file names it, never. */
static void
test_pipes (void)
{
  g_autofree char *path = g_build_filename (folder, "pipe.dot", NULL);
  g_autofree char *expected
      = g_strconcat (path, ": cannot be read: it is not a regular file", NULL);
  g_autoptr (GError) error = NULL;
  guint n_asked = 0;
  GobanProgress progress = { .should_stop = stop_soon, .user_data = &n_asked };
  GobanReadOptions options = { .progress = &progress };

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (goban_graph_load (path, NULL, &options, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);

  options.only_regular = TRUE;
  g_assert_null (goban_graph_load (path, NULL, &options, &error));
  g_assert_cmpstr (error->message, ==, expected);
}

/* Holes have no bytes on the disk, but would have in memory. */
static void
test_format_most (void)
{
  g_autofree char *path = write_file ("most.json", "{\"nodes\": [], \"maxFPGAs\": 1,");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (truncate (path, (off_t) 1 << 29), ==, 0);
  g_assert_null (goban_graph_load (path, "msr", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "it is larger than 134.2 MB"));
}

static void
test_table (void)
{
  gsize n;
  const GobanFormat *formats = goban_formats (&n);

  g_assert_cmpuint (n, >=, 6);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpstr (goban_format_find (formats[i].name, NULL)->name, ==, formats[i].name);
      g_assert_true (g_str_has_prefix (formats[i].extensions, "."));
      g_assert_nonnull (formats[i].sniff);
      g_assert_nonnull (formats[i].read);
    }
}

static void
test_unknown_name (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_format_find ("word", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "dot, gxl, pipedream"));
}

static void
test_unknown_files (void)
{
  static const char *const texts[] = {
    "hello",
    "{\"a\": 1}",
    "[]",
    "digraphic",
    "graph of thoughts",
    "12\nsome words here\n",
    "task,name\n1,2\n",
    "\x7f"
    "ELF\x02",
    "\xff\xfe\x01",
    "{\"goban\": \"plan\"}",
    "<p>text</p>",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_load_fails ("x.foo", texts[i], GOBAN_ERROR_UNSUPPORTED,
                       "no format known here recognises it; known: ");
  assert_load_fails ("empty.dot", "", GOBAN_ERROR_PARSE, "the file is empty");
}

static void
test_by_content (void)
{
  static const char *const texts[][2] = {
    { "# x\n/* y */ Strict DiGraph\n\"g\" { a }", "dot" },
    { "1\n0 0 0\n1 1 1 0\n2 0 1 1\n", "stg" },
    { "\n {\"version\": 1, \"goban\" :\"graph\", \"nodes\": [{\"name\": \"a\"}]}", "json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      /* The ending misleads. */
      g_autofree char *path = write_file ("x.csv", texts[i][0]);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (goban_graph_get_format (graph), ==, texts[i][1]);
      g_assert_cmpstr (goban_graph_get_name (graph), ==, "x");
    }
}

/* Whether the file of the corpus was read, and again with a byte order mark. */
static gboolean
read_marked (const char *format, const char *name)
{
  g_autofree char *path = corpus_path (format, name);
  g_autofree char *text = NULL;
  g_autofree char *marked = NULL;
  g_autofree char *copy = NULL;
  gsize size;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, NULL);
  g_autoptr (GobanGraph) again = NULL;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  if (graph == NULL || !g_utf8_validate (text, (gssize) size, NULL))
    return FALSE;
  marked = g_strconcat ("\xef\xbb\xbf", text, NULL);
  copy = write_file (name, marked);
  again = goban_graph_load (copy, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_format (again), ==, goban_graph_get_format (graph));
  g_assert_cmpuint (goban_graph_get_n_nodes (again), ==, goban_graph_get_n_nodes (graph));
  g_assert_cmpuint (goban_graph_get_n_edges (again), ==, goban_graph_get_n_edges (graph));
  return TRUE;
}

static void
test_byte_order_mark (void)
{
  static const char *const text_formats[]
      = { "graphdef",  "cost-graph",   "hlo",         "dot",           "gxl",
          "pipedream", "msr",          "json",        "stg",           "moirai",
          "chakra",    "chrome-trace", "ort-profile", "model-explorer" };

  for (guint i = 0; i < G_N_ELEMENTS (text_formats); i++)
    {
      g_autofree char *corpus = corpus_path (text_formats[i], "");
      g_autoptr (GDir) dir = g_dir_open (corpus, 0, NULL);
      const char *name;
      guint n_read = 0;

      while ((name = g_dir_read_name (dir)) != NULL)
        n_read += read_marked (text_formats[i], name);
      g_test_message ("%s: %u", text_formats[i], n_read);
      g_assert_cmpuint (n_read, >, 0);
    }
}

/* Names of a million characters are read in linear time: by their square, a test would not end. */
static void
test_long_names (void)
{
  static const char *const texts[][2] = {
    { "gxl", "<gxl><graph><node id='%s'><attr name='label'><string>%s</string></attr></node>"
             "</graph></gxl>" },
    { "pipedream", "node1 -- %s(%s) -- forward_compute_time=1, backward_compute_time=1, "
                   "activation_size=1, parameter_size=1\n" },
    { "chrome-trace",
      "[{\"ph\": \"X\", \"name\": \"%s\", \"cat\": \"%s\", \"ts\": 1, \"dur\": 2}]" },
  };
  g_autofree char *word = g_strnfill (1000000, 'x');

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GString) text = g_string_new (texts[i][1]);
      g_autoptr (GobanGraph) graph = NULL;

      g_string_replace (text, "%s", word, 0);
      graph = read_text (texts[i][0], text->str);
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
    }
}

static void
assert_wide (const char *bytes, gsize size, const char *format, const char *name)
{
  g_autofree char *refused
      = g_strdup_printf ("wide.dot: this is text in %s: save it as UTF-8", name);
  g_autofree char *path = write_file ("wide.dot", "");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  g_assert_null (goban_graph_load (path, format, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, refused));
}

static void
test_wide_text (void)
{
  /* Without LE or BE with a mark; the last is big-endian with one. */
  static const char *const encodings[]
      = { "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE" };
  static const char marked[] = "\0\0\xfe\xff\0\0\0{\0\0\0}";

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      gsize size;
      g_autofree char *wide
          = g_convert ("digraph { \xc3\xa4 }", -1, encodings[i], "UTF-8", NULL, &size, NULL);

      g_autofree char *name = g_strndup (encodings[i], strlen ("UTF-16"));

      assert_wide (wide, size, NULL, name);
      assert_wide (wide, size, "dot", name);
    }
  assert_wide (marked, sizeof marked - 1, NULL, "UTF-32");
}

static void
test_named_format (void)
{
  g_autofree char *path = write_file ("x.dot", "digraph { a }");
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graph_load (path, "stg", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_nonnull (strstr (error->message, "x.dot:1: "));
}

static void
test_unreadable (void)
{
  g_autofree char *path = g_build_filename (folder, "none.dot", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

static void
test_save (void)
{
  g_autoptr (GobanGraph) graph = read_text ("dot", "digraph { a [time=3 bytes=4]; a -> b }");
  static const char *const names[][2]
      = { { "x.json", "json" }, { "x.dot", "dot" }, { "x.GV", "dot" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i][0], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) again = NULL;

      g_assert_true (goban_graph_save (graph, path, NULL, &error));
      again = goban_graph_load (path, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (goban_graph_get_format (again), ==, names[i][1]);
      g_assert_cmpuint (goban_graph_get_hash (again), ==, goban_graph_get_hash (graph));
    }
}

static void
test_save_refused (void)
{
  g_autoptr (GobanGraph) graph = read_text ("dot", "digraph { a }");
  g_autofree char *path = write_file ("x.stg", "old");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_graph_save (graph, path, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_false (goban_graph_save (graph, path, "stg", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (
      error->message, "written are: cost-graph, cost-graph-binary, dot, model-explorer, json"));
  g_clear_error (&error);
  g_assert_false (goban_graph_save (graph, "/nowhere/x.dot", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);

  /* Nothing was overwritten. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old");
}

static gboolean
stop_at_once (gpointer user_data)
{
  return TRUE;
}

static void
test_cancelled (void)
{
  GobanProgress progress = { .should_stop = stop_at_once };
  GobanReadOptions options = { .progress = &progress };
  static const char *const texts[][2] = {
    { "digraph { a -> b }", "x.dot" },
    { "{\"goban\": \"graph\", \"version\": 1, \"nodes\": [{\"name\": \"a\"}]}", "x.json" },
    { "{\"maxFPGAs\": 1, \"nodes\": [{}], \"edges\": []}", "msr.json" },
    { "task,dir_succ,p0\n1,,1\n", "x.csv" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 0, \"dur\": 1}]", "x.trace.json" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = write_file (texts[i][1], texts[i][0]);
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_graph_load (path, NULL, &options, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
    }
}

/* Public files of formats that nobody here reads, and some that are no graphs at all. */
static void
test_shared_data_sniffed (void)
{
  static const char *const names[] = {
    "stg/optimal.csv",          "msr/gnmt_training_expert.json",    "README.md",
    "chakra/json_trace.tar.gz", "msr/bert24_inference_expert.json",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = shared_data_path (names[i]);
      g_autoptr (GError) error = NULL;

      if (path == NULL)
        return;
      g_assert_null (goban_graph_load (path, NULL, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
    }
}

TEST_PROGRAM (io)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("goban-io-XXXXXX", NULL);
  g_test_add_func ("/io/texts", test_texts);
  g_test_add_func ("/io/formats/table", test_table);
  g_test_add_func ("/io/formats/unknown-name", test_unknown_name);
  g_test_add_func ("/io/load/pipes", test_pipes);
  g_test_add_func ("/io/load/format-most", test_format_most);
  g_test_add_func ("/io/load/unknown-files", test_unknown_files);
  g_test_add_func ("/io/load/by-content", test_by_content);
  g_test_add_func ("/io/load/byte-order-mark", test_byte_order_mark);
  g_test_add_func ("/io/load/long-names", test_long_names);
  g_test_add_func ("/io/load/wide-text", test_wide_text);
  g_test_add_func ("/io/load/named-format", test_named_format);
  g_test_add_func ("/io/load/unreadable", test_unreadable);
  g_test_add_func ("/io/load/cancelled", test_cancelled);
  g_test_add_func ("/io/load/shared-data-sniffed", test_shared_data_sniffed);
  g_test_add_func ("/io/save/by-ending", test_save);
  g_test_add_func ("/io/save/refused", test_save_refused);
  status = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  return status;
}
