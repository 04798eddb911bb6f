#include "engine/io/apply/apply.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/machine/cluster/device-number.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#define N_ROUNDS 40

/* Names that a careless writer would break on. */
static const char odd[] = "a b 'c' \"d\" \\e ,f=g (h)|i*j[k]{l}^m$n.o+p? grün\n";

typedef struct
{
  char *folder;
  char *path;
  const char *schedule; /* (nullable) of a pipeline */
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanPlan *plan;
  char *text;   /* (nullable) what was written */
  char *second; /* (nullable) */
  char *note;   /* (nullable) */
  GError *error;
} Case;

/* --- graphs ---------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  guint device;
  double param_bytes;
  int reads; /* an earlier node, or -1 */
} Row;

static void
case_init (Case *self, GobanGraph *graph, const char *cluster)
{
  *self = (Case){ .folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL), .graph = graph };
  self->path = g_build_filename (self->folder, "out", NULL);
  self->costs = toy_costs (graph, cluster);
  self->plan = goban_plan_new (
      graph, goban_cluster_get_n_devices (goban_cost_model_get_cluster (self->costs)));
}

static void
case_init_rows (Case *self, const Row *rows, guint n, const char *cluster)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("rows", "test");
  g_autofree guint32 *tensors = g_new (guint32, n);

  for (guint v = 0; v < n; v++)
    {
      goban_graph_builder_add_node (builder, rows[v].name, "Op");
      goban_graph_builder_get_node (builder, v)->param_bytes = rows[v].param_bytes;
      tensors[v] = goban_graph_builder_add_tensor (builder, v, 4);
      if (rows[v].reads >= 0)
        goban_graph_builder_add_edge (builder, tensors[rows[v].reads], v);
    }
  case_init (self, toy_finish (builder), cluster);
  for (guint v = 0; v < n; v++)
    goban_plan_set_device (self->plan, goban_graph_find_node (self->graph, rows[v].name),
                           (GobanDeviceId) rows[v].device);
}

/* A row of modules "m0" to "m7", on devices in turn, a stage for every @length of them. */
static void
case_init_pipeline (Case *self, guint length, guint n_devices, gboolean has_backward)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("pipeline", "test");
  guint n = has_backward ? 32 : 16;
  guint32 tensor = 0;

  for (guint v = 0; v < n; v++)
    {
      guint twin = v < 16 ? v : 31 - v;
      g_autofree char *name = g_strdup_printf ("%sm%u/%s", v < 16 ? "" : "grad/", twin / 2,
                                               twin % 2 ? "Relu" : "Conv");

      goban_graph_builder_add_node (builder, name, "Op");
      goban_graph_builder_get_node (builder, v)->phase
          = v < 16 ? GOBAN_PHASE_FORWARD : GOBAN_PHASE_BACKWARD;
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, 4);
    }
  case_init (self, toy_finish (builder), "p100x4");
  for (GobanNodeId v = 0; v < n; v++)
    goban_plan_set_device (self->plan, v,
                           (GobanDeviceId) ((v < 16 ? v : 31 - v) / 2 / length % n_devices));
}

static void
case_apply (Case *self, const char *target, guint n_micro_batches)
{
  const GobanApplyTarget *found = goban_apply_find (target, &self->error);
  GobanApplyRequest request = { .plan = self->plan,
                                .costs = self->costs,
                                .n_micro_batches = n_micro_batches,
                                .schedule = self->schedule };
  g_autofree char *second_path = NULL;

  g_assert_no_error (self->error);
  second_path = goban_apply_dup_second_path (found, self->path);
  if (!goban_apply_save (found, &request, self->path, &self->note, &self->error))
    {
      /* Nothing is left behind. */
      g_assert_nonnull (self->error);
      g_assert_cmpuint (folder_count_files (self->folder), ==, 0);
      return;
    }
  g_assert_true (g_file_get_contents (self->path, &self->text, NULL, NULL));
  if (second_path != NULL)
    g_assert_true (g_file_get_contents (second_path, &self->second, NULL, NULL));
}

static void
case_clear (Case *self)
{
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->path);
  goban_plan_unref (self->plan);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
  g_free (self->text);
  g_free (self->second);
  g_free (self->note);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
assert_refused (const Case *self, const char *message)
{
  g_assert_error (self->error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (self->error->message, ==, message);
}

static const char *
device_name (const Case *self, GobanNodeId node)
{
  return goban_cluster_get_device (goban_cost_model_get_cluster (self->costs),
                                   goban_plan_get_device (self->plan, node))
      ->name;
}

/* --- the table ------------------------------------------------------------------------------- */

static void
test_find (void)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  const GobanApplyTarget *const *targets = goban_apply_targets (&n);

  for (gsize i = 0; i < n; i++)
    g_assert_true (goban_apply_find (goban_apply_get_name (targets[i]), NULL) == targets[i]);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *suffix = goban_apply_dup_suffix (targets[i], "/a.b/net.pbtxt");

      /* A copy does not take the name of its source. */
      if (g_str_equal (goban_apply_get_name (targets[i]), "tensorflow"))
        g_assert_cmpstr (suffix, ==, "-placed.pbtxt");
      if (g_str_equal (goban_apply_get_name (targets[i]), "llama.cpp"))
        g_assert_cmpstr (suffix, ==, ".txt");
    }
  g_assert_null (goban_apply_find ("openvion", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==,
                   "there is no target “openvion”; do you mean “openvino”? There are: ort, "
                   "ort-names, tensorflow, accelerate, torch-pipelining, llama.cpp, openvino, "
                   "model-explorer");
}

/* Of the words for devices, and of a file for standard output. */
static void
test_devices (void)
{
  static const Row two_gpus[] = { { "a", 0, 1, -1 }, { "b", 1, 1, 0 } };
  static const char tpu[] = "{ \"devices\": [" TOY_DEVICE ("t", "tpu", "1e9") "] }";
  static const char named[] = "{ \"devices\": [" TOY_DEVICE ("left", "gpu", "1e9") "," TOY_DEVICE (
      "gpu:7", "gpu", "1e9") "], \"all_pairs\": { \"bandwidth\": 5e6 } }";
  g_auto (Case) strange = { NULL };
  g_auto (Case) mixed = { NULL };
  g_auto (Case) two_files = { NULL };
  GobanApplyRequest request;

  case_init_rows (&strange, two_gpus, 1, tpu);
  case_apply (&strange, "openvino", 0);
  assert_refused (&strange, "node “a” is on t, which is of the kind “tpu”; OpenVINO places ops on: "
                            "gpu, cpu, npu");
  g_clear_error (&strange.error);
  case_apply (&strange, "ort", 0);
  assert_refused (&strange, "ort needs a graph from a file of the format onnx; this one is of the "
                            "format test");

  /* If not all names are of one form, the order numbers the devices. */
  case_init_rows (&mixed, two_gpus, 2, named);
  case_apply (&mixed, "openvino", 0);
  g_assert_no_error (mixed.error);
  g_assert_nonnull (strstr (mixed.text, "\"a\": \"GPU.0\",\n    \"b\": \"GPU.1\",\n"));
  g_assert_nonnull (strstr (mixed.text, "TARGET = \"HETERO:GPU.0,GPU.1\"\n"));
  g_assert_cmpuint (goban_device_find (goban_cost_model_get_cluster (mixed.costs), "GPU", 1), ==,
                    1);

  case_init_rows (&two_files, two_gpus, 2, "p100x2");
  request = (GobanApplyRequest){ .plan = two_files.plan, .costs = two_files.costs };
  g_assert_false (goban_apply_save (goban_apply_find ("torch-pipelining", NULL), &request, "-",
                                    NULL, &two_files.error));
  g_assert_error (two_files.error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

static void
test_training (void)
{
  static const char *const targets[] = { "accelerate", "llama.cpp", "openvino" };

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_auto (Case) self = { NULL };
      g_autofree char *message = NULL;

      case_init_pipeline (&self, 4, 2, TRUE);
      case_apply (&self, targets[i], 0);
      message
          = g_strdup_printf ("%s runs the forward pass: node “grad/m7/Relu” is of the training; "
                             "place the graph without it",
                             goban_apply_get_framework (goban_apply_find (targets[i], NULL)));
      assert_refused (&self, message);
    }
}

/* --- formats for every graph ----------------------------------------------------------------- */

static JsonObject *
parse (JsonParser *parser, const char *text, gssize size)
{
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, text, size, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static void
test_every_node_once (void)
{
  static const char *const names[] = { odd, "two", "three", NULL };
  g_auto (Case) explorer = { NULL };
  g_auto (Case) python = { NULL };
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *results, *devices;
  const char *begin, *end;

  case_init (&explorer, toy_of_names (names), "p100x4");
  case_init (&python, goban_graph_ref (explorer.graph), "p100x4");
  for (GobanNodeId v = 0; v < 3; v++)
    {
      goban_plan_set_device (explorer.plan, v, (GobanDeviceId) v);
      goban_plan_set_device (python.plan, v, (GobanDeviceId) v);
    }
  goban_plan_set_order (python.plan, GOBAN_ORDER_PRIORITY);

  case_apply (&explorer, "model-explorer", 0);
  g_assert_no_error (explorer.error);
  g_assert_null (explorer.note);
  results = json_object_get_object_member (
      json_object_get_object_member (parse (parser, explorer.text, -1), "main"), "results");
  g_assert_cmpuint (json_object_get_size (results), ==, 3);
  for (GobanNodeId v = 0; v < 3; v++)
    g_assert_cmpstr (
        json_object_get_string_member (
            json_object_get_object_member (results, goban_graph_get_node (explorer.graph, v)->name),
            "value"),
        ==, device_name (&explorer, v));

  /* The dictionary is JSON but for its last comma. */
  case_apply (&python, "openvino", 0);
  g_assert_no_error (python.error);
  g_assert_cmpstr (python.note, ==,
                   "OpenVINO gets the devices of the plan, not its priorities and kernels");
  begin = strstr (python.text, "DEVICES = {") + strlen ("DEVICES = ");
  end = strstr (begin, ",\n}\n");
  {
    g_autofree char *dictionary = g_strdup_printf ("%.*s}", (int) (end - begin), begin);

    devices = parse (parser, dictionary, -1);
  }
  g_assert_cmpuint (json_object_get_size (devices), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (devices, odd), ==, "GPU.0");
}

/* --- llama.cpp ------------------------------------------------------------------------------- */

/* As llama.cpp does: commas separate, the first "=" ends the pattern, the first match counts. */
static char *
find_buffer (char *const *overrides, const char *tensor)
{
  for (guint i = 0; overrides[i] != NULL; i++)
    {
      char *equals = strchr (overrides[i], '=');
      g_autofree char *pattern = g_strndup (overrides[i], (gsize) (equals - overrides[i]));

      if (g_regex_match_simple (pattern, tensor, G_REGEX_DOLLAR_ENDONLY, 0))
        return g_strdup (equals + 1);
    }
  return NULL;
}

static void
assert_buffers (const Case *self)
{
  g_auto (GStrv) arguments = NULL;
  g_auto (GStrv) overrides = NULL;
  int n_arguments;

  g_assert_no_error (self->error);
  g_assert_true (g_shell_parse_argv (self->text, &n_arguments, &arguments, NULL));
  g_assert_cmpint (n_arguments, ==, 2);
  g_assert_cmpstr (arguments[0], ==, "-ot");
  overrides = g_strsplit (arguments[1], ",", -1);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      g_autofree char *tensor
          = g_strconcat (goban_graph_get_node (self->graph, v)->name, ".weight", NULL);
      g_autofree char *expected = NULL;
      g_autofree char *found = NULL;

      g_strdelimit (tensor, "/", '.');
      found = find_buffer (overrides, tensor);
      expected = g_str_has_prefix (device_name (self, v), "cpu")
                     ? g_strdup ("CPU")
                     : g_strdup_printf ("CUDA%s", device_name (self, v) + strlen ("gpu:"));
      g_assert_cmpstr (found, ==, expected);
    }
}

static void
test_llama_patterns (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_auto (Case) self = { NULL };
      const guint a = (guint) g_test_rand_int_range (0, 4),
                  b = (guint) g_test_rand_int_range (0, 4),
                  c = (guint) g_test_rand_int_range (0, 4);
      const Row rows[] = {
        { "token_embd", a, 1, -1 },
        { "blk.1.attn_q", b, 1, 0 },
        { "blk.1/attn/softmax", b, 0, 1 },
        { "blk.11.attn_q", c, 1, 2 },
        { "blk.2", a, 1, 3 },
        { odd, b, 1, 4 },
        { "output", c, 1, 5 },
        { "output.bias", a, 1, 6 },
        { "blkx1", b, 1, 7 },
      };

      case_init_rows (&self, rows, G_N_ELEMENTS (rows), "p100x4");
      case_apply (&self, "llama.cpp", 0);
      assert_buffers (&self);
    }
}

static void
test_llama_refusals (void)
{
  static const Row split[] = { { "blk.3.attn_q", 0, 1, -1 }, { "blk.3.attn_k", 1, 1, 0 } };
  static const Row free_op[]
      = { { "blk.0", 0, 1, -1 }, { "softmax", 1, 0, 0 }, { "output", 0, 1, 1 } };
  static const Row dots[] = { { "blk.0", 0, 1, -1 }, { "a/b", 1, 1, 0 }, { "a.b", 0, 1, 1 } };
  static const Row others[] = { { "conv", 0, 1, -1 } };
  static const struct
  {
    const Row *rows;
    guint n;
    const char *message;
  } cases[] = {
    { split, 2,
      "llama.cpp places whole blocks: “blk.3.attn_q” is on gpu:0, “blk.3.attn_k” on "
      "gpu:1" },
    { free_op, 3,
      "llama.cpp runs an op without weights beside one of its neighbours: “softmax” is "
      "on gpu:1, “output” on gpu:0" },
    { dots, 3,
      "llama.cpp separates the parts of a name by dots, so that these are one: “a/b” is on "
      "gpu:1, “a.b” on gpu:0" },
    { others, 1,
      "no node is named as llama.cpp names its blocks, “blk.0” or “blk.0.attn_q”; the "
      "first node is “conv”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) self = { NULL };

      case_init_rows (&self, cases[i].rows, cases[i].n, "p100x2");
      case_apply (&self, "llama.cpp", 0);
      assert_refused (&self, cases[i].message);
    }
}

/* --- Accelerate ------------------------------------------------------------------------------ */

/* As Accelerate does: the entry of the module, else of what it is part of. */
static const char *
look_up (JsonObject *map, const char *module)
{
  g_autofree char *path = g_strdup (module);

  while (!json_object_has_member (map, path))
    {
      char *dot = strrchr (path, '.');

      g_assert_cmpstr (path, !=, "");
      if (dot != NULL)
        *dot = '\0';
      else
        *path = '\0';
    }
  return json_node_get_value_type (json_object_get_member (map, path)) == G_TYPE_INT64
             ? (json_object_get_int_member (map, path) == 0 ? "gpu:0" : "gpu:1")
             : "cpu:0";
}

/* Every module on a device of its own: nothing but its ops between modules can be refused. */
static void
test_accelerate_covers (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_auto (Case) self = { NULL };
      g_autoptr (JsonParser) parser = json_parser_new ();
      const guint a = (guint) g_test_rand_int_range (0, 2),
                  b = (guint) g_test_rand_int_range (0, 2),
                  c = (guint) g_test_rand_int_range (0, 2);
      const Row rows[] = {
        { "embed/Gather", a, 1, -1 },         { "layers.0/attn/q/MatMul", b, 1, 0 },
        { "layers.0/attn/Softmax", b, 0, 1 }, { "layers.0/mlp/MatMul", c, 1, 2 },
        { "layers.1/mlp/MatMul", a, 1, 3 },   { "head \"x\"", b, 1, 4 },
      };
      static const char *const modules[] = { "embed",        "layers.0.attn.q", "layers.0.attn",
                                             "layers.0.mlp", "layers.1.mlp",    "head \"x\"" };
      JsonObject *map;

      case_init_rows (&self, rows, G_N_ELEMENTS (rows), "cpu+gpu");
      case_apply (&self, "accelerate", 0);
      g_assert_no_error (self.error);
      map = parse (parser, self.text, -1);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        g_assert_cmpstr (look_up (map, modules[i]), ==,
                         device_name (&self, goban_graph_find_node (self.graph, rows[i].name)));
      /* The largest modules: the layer if it is whole. */
      g_assert_true (json_object_has_member (map, "layers.0.attn") == (b != c));
      g_assert_true ((self.note != NULL) == !(a == b && b == c));
    }
}

static void
test_accelerate_refusals (void)
{
  static const Row split[]
      = { { "fc/MatMul", 0, 1, -1 }, { "x/Relu", 1, 0, 0 }, { "fc/Add", 1, 0, 1 } };
  static const Row parameters[] = { { "fc/in/MatMul", 0, 1, -1 }, { "fc/Add", 1, 4, 0 } };
  static const Row start[]
      = { { "Shape", 1, 0, -1 }, { "a/MatMul", 0, 1, 0 }, { "b/MatMul", 1, 1, 1 } };
  static const Row flat[] = { { "a", 0, 0, -1 }, { "b", 1, 0, -1 } };
  static const struct
  {
    const Row *rows;
    guint n;
    const char *message;
  } cases[] = {
    { flat, 2,
      "Accelerate places modules, the scopes of names such as “layer/attention/MatMul”, "
      "but no module of the graph is on one device; node “a” is on gpu:0" },
    { split, 3,
      "Accelerate places whole modules: of “fc”, node “fc/MatMul” with parameters is on "
      "gpu:0, node “fc/Add” on gpu:1" },
    { parameters, 2,
      "Accelerate places whole modules: of “fc”, node “fc/Add” with parameters is on "
      "gpu:1, node “fc/in/MatMul” on gpu:0" },
    { start, 3,
      "Accelerate moves the inputs of the model to its first GPU, gpu:0: node “Shape”, "
      "which belongs to no whole module, is on gpu:1" },
  };
  static const Row residual[]
      = { { "a/MatMul", 0, 1, -1 }, { "b/MatMul", 1, 1, 0 }, { "Add", 1, 0, 0 } };
  g_auto (Case) between = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) self = { NULL };

      case_init_rows (&self, cases[i].rows, cases[i].n, "p100x2");
      case_apply (&self, "accelerate", 0);
      assert_refused (&self, cases[i].message);
    }
  case_init_rows (&between, residual, 3, "p100x2");
  case_apply (&between, "accelerate", 0);
  assert_refused (&between,
                  "Accelerate moves the inputs of modules, not of single ops: node “Add” on gpu:1 "
                  "reads node “a/MatMul” on gpu:0, and the module of both is split");
}

/* --- PyTorch pipelines ----------------------------------------------------------------------- */

/* Each pass once, on its rank, at a step after those that it waits for. */
static void
assert_schedule (const Case *self, guint n_stages, guint n_ranks, guint n_batches, guint n_kinds)
{
  g_auto (GStrv) lines = g_strsplit (self->text, "\n", -1);
  g_autofree int *steps = g_new0 (int, (gsize) 2 * n_stages * n_batches);
  guint n_passes = 0;

  g_assert_cmpuint (g_strv_length (lines), ==, n_ranks + 1);
  for (guint rank = 0; rank < n_ranks; rank++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[rank], ",", -1);

      for (guint step = 0; fields[step] != NULL; step++)
        {
          guint stage, batch;
          char kind;

          if (*fields[step] == '\0')
            continue;
          g_assert_cmpint (sscanf (fields[step], "%u%c%u", &stage, &kind, &batch), ==, 3);
          g_assert_cmpuint (stage % n_ranks, ==, rank);
          g_assert_cmpuint (stage, <, n_stages);
          g_assert_cmpuint (batch, <, n_batches);
          g_assert_cmpint (steps[((kind == 'B') * n_stages + stage) * n_batches + batch], ==, 0);
          steps[((kind == 'B') * n_stages + stage) * n_batches + batch] = (int) step + 1;
          n_passes++;
        }
    }
  g_assert_cmpuint (n_passes, ==, n_kinds * n_stages * n_batches);
  for (guint stage = 0; stage < n_stages; stage++)
    for (guint batch = 0; batch < n_batches; batch++)
      {
        int forward = steps[stage * n_batches + batch];
        int backward = steps[(n_stages + stage) * n_batches + batch];

        if (stage > 0)
          g_assert_cmpint (steps[(stage - 1) * n_batches + batch], <, forward);
        if (stage > 0 && n_kinds == 2)
          g_assert_cmpint (backward, <, steps[(n_stages + stage - 1) * n_batches + batch]);
        if (n_kinds == 2)
          g_assert_cmpint (forward, <, backward);
      }
}

static void
test_pipeline (void)
{
  static const struct
  {
    guint length, n_devices, n_batches;
    gboolean has_backward;
  } cases[] = { { 4, 2, 1, FALSE }, { 2, 4, 6, TRUE }, { 2, 2, 3, TRUE }, { 8, 1, 2, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) self = { NULL };
      guint n_stages = 8 / cases[i].length;

      case_init_pipeline (&self, cases[i].length, cases[i].n_devices, cases[i].has_backward);
      case_apply (&self, "torch-pipelining", cases[i].n_batches);
      g_assert_no_error (self.error);
      assert_schedule (&self, cases[i].n_devices == 1 ? 1 : n_stages, cases[i].n_devices,
                       cases[i].n_batches, cases[i].has_backward ? 2 : 1);
      for (guint s = 1; s < n_stages && cases[i].n_devices > 1; s++)
        {
          g_autofree char *row
              = g_strdup_printf ("    \"m%u\": SplitPoint.BEGINNING,\n", s * cases[i].length);

          g_assert_nonnull (strstr (self.second, row));
        }
    }
}

/* A named schedule has no bubbles; its own rules hold. */
static void
test_pipeline_schedule (void)
{
  g_auto (Case) self = { NULL };
  g_auto (Case) turns = { NULL };
  g_auto (Case) wrong = { NULL };

  case_init_pipeline (&self, 4, 2, TRUE);
  self.schedule = "zero-bubble";
  case_apply (&self, "torch-pipelining", 2);
  g_assert_cmpstr (self.text, ==, "0F0,0F1,0I0,0W0,0I1,0W1\n1F0,1I0,1F1,1I1,1W0,1W1\n");

  case_init_pipeline (&turns, 2, 2, TRUE);
  turns.schedule = "interleaved";
  case_apply (&turns, "torch-pipelining", 2);
  g_assert_cmpstr (turns.text, ==,
                   "0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1\n1F0,1F1,3F0,3B0,3F1,3B1,1B0,1B1\n");

  case_init_pipeline (&wrong, 2, 2, TRUE);
  wrong.schedule = "1f1b";
  case_apply (&wrong, "torch-pipelining", 2);
  g_assert_cmpstr (wrong.error->message, ==,
                   "1f1b has one stage a rank: 4 stages on 2 ranks are interleaved");
}

static void
test_pipeline_text (void)
{
  g_auto (Case) self = { NULL };

  case_init_pipeline (&self, 4, 2, TRUE);
  case_apply (&self, "torch-pipelining", 2);
  g_assert_cmpstr (self.text, ==, "0F0,0F1,,,0B0,0B1\n,1F0,1F1,1B0,1B1,\n");
  g_assert_cmpstr (self.second, ==,
                   "from torch.distributed.pipelining import SplitPoint\n"
                   "\n"
                   "# Devices of the ranks.\n"
                   "DEVICES = [\"cuda:0\", \"cuda:1\"]\n"
                   "\n"
                   "split_spec = {\n"
                   "    \"m4\": SplitPoint.BEGINNING,\n"
                   "}\n");
}

static void
test_pipeline_refusals (void)
{
  static const struct
  {
    GobanNodeId node;
    GobanDeviceId device;
    const char *message;
  } cases[] = {
    { 3, 1,
      "a stage of a PyTorch pipeline begins with a module: node “m1/Relu” on gpu:1 follows "
      "“m1/Conv” on gpu:0 inside “m1”" },
    { 20, 0,
      "a PyTorch pipeline computes the gradients of a stage where the stage is: node "
      "“grad/m5/Conv” is on gpu:1, but stage 0 is on gpu:0" },
  };
  g_auto (Case) uneven = { NULL };
  g_auto (Case) order = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) self = { NULL };

      case_init_pipeline (&self, 4, 2, TRUE);
      goban_plan_set_device (self.plan, cases[i].node, cases[i].device);
      case_apply (&self, "torch-pipelining", 0);
      assert_refused (&self, cases[i].message);
    }
  case_init_pipeline (&uneven, 3, 2, FALSE);
  case_apply (&uneven, "torch-pipelining", 0);
  assert_refused (&uneven,
                  "the ranks of a PyTorch pipeline have equally many stages: 3 stages on 2 "
                  "devices, the last from node “m6/Conv” on");
  case_init_pipeline (&order, 2, 3, FALSE);
  for (GobanNodeId v = 12; v < 16; v++)
    goban_plan_set_device (order.plan, v, 1);
  case_apply (&order, "torch-pipelining", 0);
  assert_refused (&order, "the ranks of a PyTorch pipeline take the stages in turn: stage 3, from "
                          "node “m6/Conv” on, is on gpu:1, and not on gpu:0");
}

TEST_PROGRAM (apply)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/apply/find", test_find);
  g_test_add_func ("/apply/devices", test_devices);
  g_test_add_func ("/apply/training", test_training);
  g_test_add_func ("/apply/every-node-once", test_every_node_once);
  g_test_add_func ("/apply/llama/patterns", test_llama_patterns);
  g_test_add_func ("/apply/llama/refusals", test_llama_refusals);
  g_test_add_func ("/apply/accelerate/covers", test_accelerate_covers);
  g_test_add_func ("/apply/accelerate/refusals", test_accelerate_refusals);
  g_test_add_func ("/apply/pipeline/schedule", test_pipeline);
  g_test_add_func ("/apply/pipeline/text", test_pipeline_text);
  g_test_add_func ("/apply/pipeline/named-schedules", test_pipeline_schedule);
  g_test_add_func ("/apply/pipeline/refusals", test_pipeline_refusals);
  return g_test_run ();
}
