#include "engine/io/io.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_SHUFFLES 20

/* --- all against all ------------------------------------------------------------------------- */

/* Folders of the corpus, whose names are those of formats. */
static const char *const folders[]
    = { "chakra", "chrome-trace", "cost-graph",     "dot", "graphdef", "gxl",         "hlo",
        "json",   "moirai",       "model-explorer", "msr", "onnx",     "ort-profile", "pipedream",
        "stg",    "torch-export" };

static gboolean
is_own (const char *format, const char *folder)
{
  return g_str_equal (format, folder)
         || (g_str_equal (folder, "cost-graph") && g_str_equal (format, "cost-graph-binary"));
}

/* No other format is as sure of a file as its own, and none takes what its own refuses. */
static void
check_file (const char *path, const char *folder)
{
  g_autofree char *text = NULL;
  const GobanFormat *formats;
  int own = 0;
  gsize n, size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  /* Those of ONNX have a text that is to be refused, and is DOT. */
  if (size == 0 || g_str_has_suffix (path, "/onnx/text"))
    return;
  formats = goban_formats (&n);
  for (gsize i = 0; i < n; i++)
    if (is_own (formats[i].name, folder))
      own = MAX (own, formats[i].sniff (text, size, "x"));
  for (gsize i = 0; i < n; i++)
    if (!is_own (formats[i].name, folder))
      {
        int score = formats[i].sniff (text, size, "x");

        if (score > 0 && score >= own)
          g_error ("%s: %s is %d sure of it, its own format %d", path, formats[i].name, score, own);
      }
}

static void
test_crossed (void)
{
  guint n_files = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *name = g_strconcat ("tests/fuzz/corpus/", folders[i], NULL);
      g_autofree char *folder = project_path (name);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      const char *file;

      g_assert_nonnull (dir);
      while ((file = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (folder, file, NULL);

          check_file (path, folders[i]);
          n_files++;
        }
    }
  g_assert_cmpuint (n_files, >, 150);
}

/* Blank lines before a text, as copied from a page. */
static void
test_blank_lines (void)
{
  static const struct
  {
    const char *format;
    const char *text;
  } cases[] = {
    { "stg", "1\n 0 5 0\n" },
    { "moirai", "task,c_task,dir_succ,dir_succ_add,p0\n1,,,,2\n" },
    { "pipedream", "node1 -- Conv -- forward_compute_time=1.0, backward_compute_time=2.0, "
                   "activation_size=3.0, parameter_size=4.0\n" },
  };
  static const char *const starts[] = { "", "\n", " \r\n\n" };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (starts); k++)
      {
        g_autofree char *text = g_strconcat (starts[k], cases[i].text, NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (GobanGraph) graph
            = goban_graph_parse (text, strlen (text), "x", NULL, NULL, &error);

        g_assert_no_error (error);
        g_assert_cmpstr (goban_graph_get_format (graph), ==, cases[i].format);
        g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
      }
}

static void
test_samples (void)
{
  static const char *const files[][2] = { { "samples/resnet-50.onnx", "onnx" },
                                          { "samples/inception-v3.onnx", "onnx" },
                                          { "samples/toy.dot", "dot" },
                                          { "samples/gnmt-coarse.json", "json" } };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = project_path (files[i][0]);

      check_file (path, files[i][1]);
    }
}

/* What tells the format comes after a name of a million characters. */
static void
test_long_names (void)
{
  static const char *const texts[][3] = {
    { "chrome-trace", "[{\"ph\": \"X\", \"name\": \"", "\", \"ts\": 1, \"dur\": 2}]" },
    { "model-explorer", "{\"graphs\": [{\"id\": \"",
      "\\\"\", \"nodes\": [{\"namespace\": \"\"}]}]}" },
    { "msr", "{\"nodes\": [{\"name\": \"", "\", \"fpgaLatency\": 1}]}" },
    { "chakra", "{\"name\": \"", "\", \"workload_graph\": []}" },
  };
  g_autofree char *name = g_strnfill (1000000, 'x');

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = g_strconcat (texts[i][1], name, texts[i][2], NULL);
      const GobanFormat *format = goban_format_find (texts[i][0], NULL);

      g_test_message ("%s", texts[i][0]);
      g_assert_cmpint (format->sniff (text, strlen (text), "x"), >, 0);
    }
}

/* --- fields in any order --------------------------------------------------------------------- */

typedef struct
{
  guint32 order; /* by the field's number, so that repeated fields keep theirs */
  guint32 tag;
  gsize begin, content, end;
} Piece;

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *x = a, *y = b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->begin < y->begin ? -1 : 1;
}

/* The message with its fields in another order, nested ones that the shape knows included. */
static void
shuffle (const GobanProbeShape *shape, const guint8 *data, gsize size, guint32 seed,
         GByteArray *out)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  GobanProtobufField field;

  for (gsize at = 0; at < size;)
    {
      Piece piece = { .begin = at };

      g_assert_true (goban_protobuf_next_field (data, size, &at, &field) && field.whole);
      piece.tag = field.tag;
      piece.order = (field.tag + seed) * 2654435761u;
      piece.content = field.wire == 2 ? field.start : at;
      piece.end = at;
      g_array_append_val (pieces, piece);
    }
  g_array_sort (pieces, compare_pieces);
  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);
      const GobanProbeShape *inner = NULL;

      for (gsize k = 0; k < shape->n_fields; k++)
        if (shape->fields[k].tag == piece->tag)
          inner = shape->fields[k].shape;
      g_byte_array_append (out, data + piece->begin, (guint) (piece->content - piece->begin));
      if (inner != NULL)
        shuffle (inner, data + piece->content, piece->end - piece->content, seed, out);
      else
        g_byte_array_append (out, data + piece->content, (guint) (piece->end - piece->content));
    }
}

static void
check_same (const GobanFormat *format, const GByteArray *bytes, const GobanGraph *expected)
{
  const GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  const GobanFormat *formats;
  gsize n;

  formats = goban_formats (&n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpint (formats[i].sniff ((const char *) bytes->data, bytes->len, "x") > 0, ==,
                     g_str_equal (formats[i].name, format->name));
  graph = format->read ((const char *) bytes->data, bytes->len, "x", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, goban_graph_get_n_nodes (expected));
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, goban_graph_get_n_edges (expected));
}

static const GobanProbeField hlo_file_fields[]
    = { { 1, GOBAN_PROBE_MESSAGE, 0, 0, &goban_probe_hlo_module } };
static const GobanProbeShape hlo_file = GOBAN_PROBE_SHAPE (hlo_file_fields, 15);
static const GobanProbeField tuning_fields[] = { { 1, GOBAN_PROBE_MESSAGE, 0, 0, &hlo_file } };
static const GobanProbeShape tuning = GOBAN_PROBE_SHAPE (tuning_fields, 15);

static void
test_shuffled (void)
{
  static const struct
  {
    const char *format, *path;
    const GobanProbeShape *shape;
  } cases[] = {
    { "onnx", "tests/fuzz/corpus/onnx/classifier", &goban_probe_onnx_model },
    { "onnx", "tests/fuzz/corpus/onnx/functions", &goban_probe_onnx_model },
    { "onnx", "tests/fuzz/corpus/onnx/loop-of-five", &goban_probe_onnx_model },
    { "onnx", "samples/resnet-50.onnx", &goban_probe_onnx_model },
    { "graphdef", "tests/fuzz/corpus/graphdef/graph.pb", &goban_probe_graph_def },
    { "graphdef", "tests/fuzz/corpus/graphdef/calls.pb", &goban_probe_graph_def },
    { "graphdef", "tests/fuzz/corpus/graphdef/meta.meta", &goban_probe_meta_graph },
    { "graphdef", "tests/fuzz/corpus/graphdef/saved_model.pb", &goban_probe_saved_model },
    { "graphdef", "tests/fuzz/corpus/graphdef/object-graph-first.pb", &goban_probe_saved_model },
    { "cost-graph-binary", "tests/fuzz/corpus/cost-graph/regal.cost.pb", &goban_probe_cost_graph },
    { "cost-graph-binary", "tests/fuzz/corpus/cost-graph/shapes.cost.pb", &goban_probe_cost_graph },
    { "hlo", "tests/fuzz/corpus/hlo/module.pb", &goban_probe_hlo_module },
    { "hlo", "tests/fuzz/corpus/hlo/name-x.pb", &goban_probe_hlo_module },
    { "hlo", "tests/fuzz/corpus/hlo/name-p.pb", &goban_probe_hlo_module },
    { "hlo", "tests/fuzz/corpus/hlo/name-h.pb", &goban_probe_hlo_module },
    { "hlo", "tests/fuzz/corpus/hlo/hlo.pb", &hlo_file },
    { "hlo", "tests/fuzz/corpus/hlo/tuning.pb", &tuning },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const GobanFormat *format = goban_format_find (cases[i].format, NULL);
      const GobanReadOptions options = { 0 };
      g_autofree char *path = project_path (cases[i].path);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      gsize size;

      g_assert_true (g_file_get_contents (path, &text, &size, NULL));
      graph = format->read (text, size, "x", &options, &error);
      g_assert_no_error (error);
      for (guint32 seed = 0; seed < (size > 100000 ? 2 : N_SHUFFLES); seed++)
        {
          g_autoptr (GByteArray) bytes = g_byte_array_new ();

          shuffle (cases[i].shape, (const guint8 *) text, size, seed, bytes);
          g_test_message ("%s, order %u", cases[i].path, seed);
          check_same (format, bytes, graph);
        }
    }
}

/* A trace is a row of messages, each behind its length; only their fields have no order. */
static void
test_shuffled_trace (void)
{
  static const char *const files[] = { "trace.et", "id-zero.et", "late-zero.et", "collective.et" };
  const GobanFormat *format = goban_format_find ("chakra", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = corpus_path ("chakra", files[i]);
      g_autoptr (GobanGraph) graph = load_corpus ("chakra", files[i], NULL);
      g_autofree char *text = NULL;
      gsize size;

      g_assert_true (g_file_get_contents (path, &text, &size, NULL));
      for (guint32 seed = 0; seed < N_SHUFFLES; seed++)
        {
          g_autoptr (GByteArray) bytes = g_byte_array_new ();

          for (gsize at = 0; at < size;)
            {
              const guint8 *message = (const guint8 *) text + at;
              gsize length = message[0];

              g_assert_cmpuint (length, <, 128);
              g_byte_array_append (bytes, message, 1);
              shuffle (at > 0 ? &goban_probe_chakra_node : &goban_probe_chakra_metadata,
                       message + 1, length, seed, bytes);
              at += 1 + length;
            }
          check_same (format, bytes, graph);
        }
    }
}

/* --- values of the shared cases -------------------------------------------------------------- */

static void
test_cases (void)
{
  static const struct
  {
    const char *file, *format;
    guint n_nodes, n_edges;
    double macs;
  } cases[] = {
    { "h2c_smallest.hlo", "hlo", 2, 1, 0 },
    { "h11_iota_replica_groups.hlo", "hlo", 2, 1, 0 },
    { "h11b_listed_groups.hlo", "hlo", 2, 1, 0 },
    { "h1_leading_comments.hlo", "hlo", 2, 1, 0 },
    { "h8b_bom.hlo", "hlo", 2, 1, 0 },
    { "s3_hlo_host_fn.pb", "hlo", 2, 1, 0 },
    { "s3_hlo_main.pb", "hlo", 2, 1, 0 },
    { "s3_hlo_pjit_step.pb", "hlo", 2, 1, 0 },
    { "s1_ascending.pb", "graphdef", 2, 1, 0 },
    { "s1b_object_graph_first.pb", "graphdef", 2, 1, 0 },
    { "s2_chakra_id0.et", "chakra", 2, 2, 0 },
    { "s2b_chakra_id7.et", "chakra", 2, 1, 0 },
    { "a1_nested_functions.onnx", "onnx", 9, 8, 49152 },
    { "a14_ref_attr.onnx", "onnx", 1, 0, 0 },
    { "m1_collection.json", "model-explorer", 3, 2, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("cases/", cases[i].file, NULL);
      g_autoptr (GobanGraph) graph = load_shared (name, cases[i].format);
      double macs = 0;

      if (graph == NULL)
        return;
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        macs += goban_graph_get_node (graph, v)->macs;
      g_test_message ("%s", cases[i].file);
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, cases[i].n_nodes);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, cases[i].n_edges);
      g_assert_cmpfloat (macs, ==, cases[i].macs);
    }
}

static void
test_pointer (void)
{
  g_autofree char *path = shared_data_path ("cases/a3_lfs_pointer.onnx");
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  g_assert_null (goban_graph_load (path, NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "a Git LFS pointer, not the file itself"));
}

TEST_PROGRAM (recognisers)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/recognisers/blank-lines", test_blank_lines);
  g_test_add_func ("/io/recognisers/crossed", test_crossed);
  g_test_add_func ("/io/recognisers/samples", test_samples);
  g_test_add_func ("/io/recognisers/long-names", test_long_names);
  g_test_add_func ("/io/recognisers/shuffled", test_shuffled);
  g_test_add_func ("/io/recognisers/shuffled-trace", test_shuffled_trace);
  g_test_add_func ("/io/recognisers/cases", test_cases);
  g_test_add_func ("/io/recognisers/pointer", test_pointer);
  return g_test_run ();
}
