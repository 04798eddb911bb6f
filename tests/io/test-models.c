/* Copies of models with devices: what is added, and that all else keeps its bytes. */
#include "engine/io/apply/apply.h"

#include "engine/core/error.h"
#include "engine/io/apply/protobuf-edit.h"
#include "engine/io/io.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* A field that no schema knows. */
#define UNKNOWN 50

typedef struct
{
  char *folder;
  char *source;
  char *path;
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanPlan *plan;
  GError *error;
} Case;

/* On the graph of a file, which is @data if @source is NULL. */
static void
case_init (Case *self, const char *source, const void *data, gssize size, const char *cluster)
{
  g_autoptr (GError) error = NULL;

  *self = (Case){ .folder = g_dir_make_tmp ("goban-test-XXXXXX", NULL) };
  self->source = source != NULL ? g_strdup (source) : g_build_filename (self->folder, "in", NULL);
  self->path = g_build_filename (self->folder, "out", NULL);
  if (source == NULL)
    g_assert_true (g_file_set_contents (self->source, data, size, NULL));
  self->graph = goban_graph_load (self->source, NULL, NULL, &error);
  g_assert_no_error (error);
  self->costs = toy_costs (self->graph, cluster);
  self->plan = toy_place (self->costs, "random", 3);
}

static void
case_clear (Case *self)
{
  if (self->folder == NULL) /* a skipped test has not begun one */
    return;
  remove_folder (self->folder);
  g_free (self->folder);
  g_free (self->source);
  g_free (self->path);
  goban_plan_unref (self->plan);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static gboolean
case_apply (Case *self, const char *target)
{
  GobanApplyRequest request = { .plan = self->plan, .costs = self->costs, .source = self->source };

  return goban_apply_save (goban_apply_find (target, NULL), &request, self->path, NULL,
                           &self->error);
}

static GBytes *
read_bytes (const char *path)
{
  char *data;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  return g_bytes_new_take (data, size);
}

static void
move_node (Case *self, const char *name, GobanDeviceId device)
{
  goban_plan_set_device (self->plan, goban_graph_find_node (self->graph, name), device);
}

/* --- messages -------------------------------------------------------------------------------- */

static void
put_text (GByteArray *out, guint32 tag, const char *text)
{
  goban_protobuf_append (out, tag, (const guint8 *) text, strlen (text));
}

static void
put_message (GByteArray *out, guint32 tag, GByteArray *inner)
{
  goban_protobuf_append (out, tag, inner->data, inner->len);
  g_byte_array_unref (inner);
}

/* Below 128. */
static void
put_number (GByteArray *out, guint32 tag, guint8 value)
{
  const guint8 bytes[] = { (guint8) (tag << 3), value };

  g_byte_array_append (out, bytes, sizeof bytes);
}

/* Fields of a message with this tag. */
typedef struct
{
  const guint8 *data;
  gsize size;
  gsize at;
  guint32 tag;
} Fields;

static gboolean
next_field (Fields *self, Fields *found)
{
  GobanProtobufField field;

  while (self->at < self->size
         && goban_protobuf_next_field (self->data, self->size, &self->at, &field))
    if (field.tag == self->tag)
      {
        *found = (Fields){ self->data + field.start, field.value, 0, 0 };
        return TRUE;
      }
  return FALSE;
}

static Fields
fields_of (Fields message, guint32 tag)
{
  return (Fields){ message.data, message.size, 0, tag };
}

static Fields
only_field (Fields message, guint32 tag)
{
  Fields all = fields_of (message, tag);
  Fields found, more;

  g_assert_true (next_field (&all, &found));
  g_assert_false (next_field (&all, &more));
  return found;
}

static Fields
message_of (GBytes *bytes)
{
  Fields self = { 0 };

  self.data = g_bytes_get_data (bytes, &self.size);
  return self;
}

static char *
text_of (Fields field)
{
  return g_strndup ((const char *) field.data, field.size);
}

/* The messages without their fields @tag. */
static void
assert_same_without (Fields a, Fields b, guint32 tag)
{
  g_autoptr (GByteArray) x = g_byte_array_new ();
  g_autoptr (GByteArray) y = g_byte_array_new ();

  goban_protobuf_put_text (a.data, a.size, tag, NULL, x);
  goban_protobuf_put_text (b.data, b.size, tag, NULL, y);
  g_assert_cmpmem (x->data, x->len, y->data, y->len);
}

/* --- ONNX ------------------------------------------------------------------------------------ */

enum
{
  MODEL_GRAPH = 7,
  GRAPH_NODE = 1,
  GRAPH_INITIALIZER = 5,
  NODE_INPUT = 1,
  NODE_OUTPUT = 2,
  NODE_NAME = 3,
  NODE_OP = 4,
  NODE_METADATA = 9,
};

static GByteArray *
new_entry (const char *key, const char *value)
{
  GByteArray *entry = g_byte_array_new ();

  put_text (entry, 1, key);
  put_text (entry, 2, value);
  return entry;
}

/* A chain of Relu; each node has an unknown field, an old annotation and another entry. */
static GByteArray *
new_onnx (const char *const *names, GByteArray *initializer)
{
  GByteArray *model = g_byte_array_new ();
  GByteArray *graph = g_byte_array_new ();
  g_autofree char *last = g_strdup ("x");

  for (guint i = 0; names[i] != NULL; i++)
    {
      GByteArray *node = g_byte_array_new ();
      g_autofree char *output = g_strdup_printf ("t%u", i);

      put_text (node, UNKNOWN, "kept");
      put_text (node, NODE_INPUT, last);
      put_text (node, NODE_OUTPUT, output);
      if (*names[i] != '\0')
        put_text (node, NODE_NAME, names[i]);
      put_text (node, NODE_OP, "Relu");
      put_message (node, NODE_METADATA, new_entry ("layer_ann", "old"));
      put_message (node, NODE_METADATA, new_entry ("author", "me"));
      put_message (graph, GRAPH_NODE, node);
      g_free (last);
      last = g_steal_pointer (&output);
    }
  if (initializer != NULL)
    put_message (graph, GRAPH_INITIALIZER, initializer);
  put_text (graph, UNKNOWN, "kept");
  put_number (model, 1, 10);
  put_message (model, MODEL_GRAPH, graph);
  put_text (model, 15, "kept");
  return model;
}

/* The node's only annotation. */
static char *
dup_annotation (Fields node)
{
  Fields entries = fields_of (node, NODE_METADATA);
  Fields entry;
  char *found = NULL;

  while (next_field (&entries, &entry))
    {
      g_autofree char *key = text_of (only_field (entry, 1));

      if (!g_str_equal (key, "layer_ann"))
        continue;
      g_assert_null (found);
      found = text_of (only_field (entry, 2));
    }
  g_assert_nonnull (found);
  return found;
}

/* Every node of the file once; the others are folded constants. */
static void
test_ort_shared (void)
{
  g_autofree char *source = shared_data_path ("onnx/light_resnet50.onnx");
  g_auto (Case) self = { NULL };
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autofree char *settings_path = NULL;
  Fields graph_before, graph_after, nodes_before, nodes_after, a, b;
  guint n = 0, n_named = 0;

  if (source == NULL)
    return;
  case_init (&self, source, NULL, 0, "cpu+gpu");
  case_apply (&self, "ort");
  g_assert_no_error (self.error);
  before = read_bytes (source);
  after = read_bytes (self.path);
  assert_same_without (message_of (before), message_of (after), MODEL_GRAPH);
  graph_before = only_field (message_of (before), MODEL_GRAPH);
  graph_after = only_field (message_of (after), MODEL_GRAPH);
  assert_same_without (graph_before, graph_after, GRAPH_NODE);

  nodes_before = fields_of (graph_before, GRAPH_NODE);
  nodes_after = fields_of (graph_after, GRAPH_NODE);
  for (; next_field (&nodes_before, &a); n++)
    {
      g_autofree char *annotation = NULL;
      g_autofree char *expected = NULL;
      g_autofree char *name = NULL;
      Fields names;
      GobanNodeId node;

      g_assert_true (next_field (&nodes_after, &b));
      assert_same_without (a, b, NODE_METADATA);
      annotation = dup_annotation (b);
      /* Of this file only the constants have no name. */
      names = fields_of (a, NODE_NAME);
      if (!next_field (&names, &b))
        continue;
      name = text_of (b);
      node = goban_graph_find_node (self.graph, name);
      g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
      n_named++;
      expected = g_strdup_printf ("dev%u", goban_plan_get_device (self.plan, node));
      g_assert_cmpstr (annotation, ==, expected);
    }
  g_assert_false (next_field (&nodes_after, &b));
  g_assert_cmpuint (n, ==, 415);
  g_assert_cmpuint (n_named, ==, goban_graph_get_n_nodes (self.graph));

  settings_path = g_strconcat (self.path, ".session.json", NULL);
  assert_file_holds (settings_path,
                     "{\"session.layer_assignment_settings\": \"gpu(=dev0); cpu(=dev1)\"}\n");
}

static void
test_ort_keeps (void)
{
  static const char *const names[] = { "a", "b", "a", "", NULL };
  g_autoptr (GByteArray) model = new_onnx (names, NULL);
  g_auto (Case) self = { NULL };
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) again = NULL;
  Fields nodes, node;

  case_init (&self, NULL, model->data, model->len, "cpu+gpu");
  /* The second "a" is "a_1" in the graph, the last node has the name of its output. */
  move_node (&self, "a", 0);
  move_node (&self, "b", 0);
  move_node (&self, "a_1", 1);
  move_node (&self, "t3", 1);
  case_apply (&self, "ort");
  g_assert_no_error (self.error);
  after = read_bytes (self.path);
  nodes = fields_of (only_field (message_of (after), MODEL_GRAPH), GRAPH_NODE);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *annotation = NULL;
      Fields entries;
      guint n = 0;

      g_assert_true (next_field (&nodes, &node));
      annotation = dup_annotation (node);
      g_assert_cmpstr (annotation, ==, i < 2 ? "dev0" : "dev1");
      g_assert_cmpuint (only_field (node, UNKNOWN).size, ==, strlen ("kept"));
      for (entries = fields_of (node, NODE_METADATA); next_field (&entries, &node); n++)
        ;
      g_assert_cmpuint (n, ==, 2);
    }
  only_field (only_field (message_of (after), MODEL_GRAPH), UNKNOWN);
  only_field (message_of (after), 15);

  /* Of the copy, the same copy. */
  g_free (self.source);
  self.source = g_strdup (self.path);
  case_apply (&self, "ort");
  g_assert_no_error (self.error);
  again = read_bytes (self.path);
  g_assert_true (g_bytes_equal (after, again));
}

static void
test_ort_refusals (void)
{
  static const char *const names[] = { "a", "b", NULL };
  GByteArray *weights = g_byte_array_new ();
  g_autoptr (GByteArray) model = NULL;
  g_auto (Case) self = { NULL };
  g_auto (Case) gpus = { NULL };
  g_autofree char *inner = NULL;
  const guint8 dims[] = { 1 };

  put_number (weights, 1, dims[0]);
  put_number (weights, 2, 1);
  put_text (weights, 8, "w");
  put_message (weights, 13, new_entry ("location", "weights.bin"));
  put_number (weights, 14, 1);
  model = new_onnx (names, weights);
  case_init (&self, NULL, model->data, model->len, "cpu+gpu");
  case_apply (&self, "ort");
  g_assert_no_error (self.error);
  inner = g_build_filename (self.folder, "inner", "out", NULL);
  g_free (self.path);
  self.path = g_steal_pointer (&inner);
  g_assert_false (case_apply (&self, "ort"));
  g_assert_error (self.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (self.error->message, "its weights are in “weights.bin” beside it"));

  case_init (&gpus, NULL, model->data, model->len, "p100x4");
  move_node (&gpus, "a", 2);
  move_node (&gpus, "b", 3);
  g_assert_false (case_apply (&gpus, "ort"));
  g_assert_error (gpus.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (gpus.error->message, ==,
                   "ONNX Runtime uses one gpu at a time: node “a” is on gpu:2, node “b” on gpu:3");
}

/* A plan of another graph: more nodes than the file, or others. */
static void
test_other_files (void)
{
  static const char *const two[] = { "a", "b", NULL };
  static const char *const one[] = { "a", NULL };
  g_autoptr (GByteArray) both = new_onnx (two, NULL);
  g_autoptr (GByteArray) first = new_onnx (one, NULL);
  g_auto (Case) larger = { NULL };
  g_auto (Case) smaller = { NULL };

  case_init (&larger, NULL, both->data, both->len, "cpu+gpu");
  g_assert_true (g_file_set_contents (larger.source, (const char *) first->data, first->len, NULL));
  g_assert_false (case_apply (&larger, "ort"));
  g_assert_error (larger.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (larger.error->message, "node “b” of the graph is not in it"));

  case_init (&smaller, NULL, first->data, first->len, "cpu+gpu");
  g_assert_true (g_file_set_contents (smaller.source, (const char *) both->data, both->len, NULL));
  g_assert_false (case_apply (&smaller, "ort"));
  g_assert_error (smaller.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (smaller.error->message, "its node “b” is not in the graph"));
}

/* Each name is part of the next: the longest decides. */
static void
test_ort_names (void)
{
  static const char *const names[] = { "a", "aa", "aaa b", NULL };
  static const char *const bad[] = { "", "f(x)", NULL };
  g_autoptr (GByteArray) model = new_onnx (names, NULL);
  g_auto (Case) self = { NULL };

  case_init (&self, NULL, model->data, model->len, "p100x4");
  move_node (&self, "a", 1);
  move_node (&self, "aa", 1);
  move_node (&self, "aaa b", 1);
  case_apply (&self, "ort-names");
  g_assert_no_error (self.error);
  assert_file_holds (self.path, "{\"session.name_based_layer_assignment\": \"gpu:1(a, aa, aaa b)\"}"
                                "\n");
  for (guint i = 0; bad[i] != NULL; i++)
    {
      const char *const one[] = { bad[i], NULL };
      g_autoptr (GByteArray) odd = new_onnx (one, NULL);
      g_auto (Case) refused = { NULL };

      case_init (&refused, NULL, odd->data, odd->len, "cpu+gpu");
      g_assert_false (case_apply (&refused, "ort-names"));
      g_assert_error (refused.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (refused.error->message, *bad[i] == '\0' ? "“t0”" : "“f(x)”"));
    }
}

/* The nodes of a body have names of their own. */
static void
test_ort_bodies (void)
{
  GByteArray *body = g_byte_array_new ();
  GByteArray *attribute = g_byte_array_new ();
  GByteArray *node = g_byte_array_new ();
  GByteArray *graph = g_byte_array_new ();
  g_autoptr (GByteArray) model = g_byte_array_new ();
  g_auto (Case) self = { NULL };

  put_text (body, 2, "body");
  put_text (attribute, 1, "then_branch");
  put_message (attribute, 6, body);
  put_text (node, NODE_INPUT, "x");
  put_text (node, NODE_OUTPUT, "y");
  put_text (node, NODE_NAME, "choice");
  put_text (node, NODE_OP, "If");
  put_message (node, 5, attribute);
  put_message (graph, GRAPH_NODE, node);
  put_number (model, 1, 10);
  put_message (model, MODEL_GRAPH, graph);
  case_init (&self, NULL, model->data, model->len, "cpu+gpu");
  case_apply (&self, "ort");
  g_assert_no_error (self.error);
  g_assert_false (case_apply (&self, "ort-names"));
  g_assert_error (self.error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_cmpstr (self.error->message, ==,
                   "node “choice” has a body, whose nodes ONNX Runtime would place by their own "
                   "names; with the target ort they follow the node");
}

/* --- TensorFlow ------------------------------------------------------------------------------ */

static void
test_tf_text (void)
{
  static const struct
  {
    const char *before, *after;
  } cases[] = {
    { "node { name: 'a' op: 'A' }", "node { name: 'a' op: 'A' device: \"/device:GPU:1\" }" },
    { "node {\n  name: \"a\"  # first\n  op: \"A\"\n  input: \"^b\"\n  attr { key: \"k\" value { "
      "s: "
      "\"}\" } }\n}\nnode <op:'B'name:'b'>",
      "node {\n  name: \"a\"  # first\n  op: \"A\"\n  input: \"^b\"\n  device: \"/device:GPU:1\"\n "
      " "
      "attr { key: \"k\" value { s: \"}\" } }\n}\nnode <op:'B'name:'b' device: "
      "\"/device:GPU:0\">" },
    { "node { device: \"/cpu:0\" name: 'a' op: 'A'; news { x: [1, {y: 2}] } device: '' 'z', }",
      "node { device: \"/device:GPU:1\" name: 'a' op: 'A'; news { x: [1, {y: 2}] } , }" },
    { "versions { producer: 1 } node: [ { name: 'a' op: 'A' }, { name: 'b' op: 'B' } ]",
      "versions { producer: 1 } node: [ { name: 'a' op: 'A' device: \"/device:GPU:1\" }, { name: "
      "'b' op: 'B' device: \"/device:GPU:0\" } ]" },
    { "node { name: 'a' op: 'A' [x.y]:3 [x.z] { device: 'b' } device: 'c' }",
      "node { name: 'a' op: 'A' [x.y]:3 [x.z] { device: 'b' } device: \"/device:GPU:1\" }" },
    { "meta_graphs { graph_def { node { name: 'a' op: 'A' } } }\n"
      "meta_graphs { graph_def { node { name: 'a' op: 'A' } } }",
      "meta_graphs { graph_def { node { name: 'a' op: 'A' device: \"/device:GPU:1\" } } }\n"
      "meta_graphs { graph_def { node { name: 'a' op: 'A' } } }" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Case) self = { NULL };

      case_init (&self, NULL, cases[i].before, -1, "p100x2");
      move_node (&self, "a", 1);
      if (goban_graph_find_node (self.graph, "b") != GOBAN_NO_NODE)
        move_node (&self, "b", 0);
      case_apply (&self, "tensorflow");
      g_assert_no_error (self.error);
      assert_file_holds (self.path, cases[i].after);
    }
}

static GByteArray *
new_tf_graph (void)
{
  GByteArray *graph = g_byte_array_new ();

  for (guint i = 0; i < 2; i++)
    {
      GByteArray *node = g_byte_array_new ();

      put_text (node, 1, i == 0 ? "a" : "b");
      put_text (node, 2, "Relu");
      if (i == 1)
        put_text (node, 3, "a");
      put_text (node, 4, "/cpu:0");
      put_text (node, UNKNOWN, "kept");
      put_message (graph, 1, node);
    }
  put_text (graph, UNKNOWN, "kept");
  return graph;
}

static void
assert_tf_graph (Fields graph, const char *a, const char *b)
{
  Fields nodes = fields_of (graph, 1);
  Fields node;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *device = NULL;

      g_assert_true (next_field (&nodes, &node));
      device = text_of (only_field (node, 4));
      g_assert_cmpstr (device, ==, i == 0 ? a : b);
      only_field (node, UNKNOWN);
    }
  only_field (graph, UNKNOWN);
}

/* GraphDef, MetaGraphDef and SavedModel, of which the second graph is left alone. */
static void
test_tf_binary (void)
{
  for (guint depth = 0; depth < 3; depth++)
    {
      g_autoptr (GByteArray) file = new_tf_graph ();
      g_auto (Case) self = { NULL };
      g_autoptr (GBytes) after = NULL;
      Fields graph;

      for (guint i = 0; i < depth; i++)
        {
          GByteArray *outer = g_byte_array_new ();

          if (i == 1)
            put_number (outer, 1, 1);
          put_message (outer, 2, g_steal_pointer (&file));
          if (i == 1)
            {
              GByteArray *second = g_byte_array_new ();

              put_message (second, 2, new_tf_graph ());
              put_message (outer, 2, second);
            }
          file = outer;
        }
      case_init (&self, NULL, file->data, file->len, "cpu+gpu");
      move_node (&self, "a", 0);
      move_node (&self, "b", 1);
      case_apply (&self, "tensorflow");
      g_assert_no_error (self.error);
      after = read_bytes (self.path);
      graph = message_of (after);
      if (depth == 2)
        {
          Fields all = fields_of (graph, 2);
          Fields second;

          g_assert_true (next_field (&all, &graph));
          g_assert_true (next_field (&all, &second));
          assert_tf_graph (only_field (second, 2), "/cpu:0", "/cpu:0");
        }
      if (depth > 0)
        graph = only_field (graph, 2);
      assert_tf_graph (graph, "/device:GPU:0", "/device:CPU:0");
    }
}

/* A plan comes back from the file, and nothing else of the file has changed. */
static void
test_tf_shared (void)
{
  g_autofree char *source = shared_data_path ("graphdef/SimpleCNN.pbtxt");
  g_auto (Case) self = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GRegex) device = g_regex_new ("\n  device: \"[^\"]*\"", 0, 0, NULL);
  g_autofree char *without = NULL;

  if (source == NULL)
    return;
  case_init (&self, source, NULL, 0, "p100x4");
  case_apply (&self, "tensorflow");
  g_assert_no_error (self.error);
  g_assert_true (g_file_get_contents (source, &before, NULL, NULL));
  g_assert_true (g_file_get_contents (self.path, &after, NULL, NULL));
  without = g_regex_replace_literal (device, after, -1, 0, "", 0, NULL);
  g_assert_cmpstr (without, ==, before);

  graph = goban_graph_load (self.path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_hash (graph), ==, goban_graph_get_hash (self.graph));
  costs = toy_costs (graph, "p100x4");
  plan = toy_place (costs, "tf-default", 0);
  for (GobanNodeId v = 0; v < 160; v++)
    g_assert_cmpuint (goban_plan_get_device (plan, v), ==, goban_plan_get_device (self.plan, v));
}

TEST_PROGRAM (models)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/models/ort/shared", test_ort_shared);
  g_test_add_func ("/models/ort/keeps", test_ort_keeps);
  g_test_add_func ("/models/ort/refusals", test_ort_refusals);
  g_test_add_func ("/models/ort/names", test_ort_names);
  g_test_add_func ("/models/ort/bodies", test_ort_bodies);
  g_test_add_func ("/models/other-files", test_other_files);
  g_test_add_func ("/models/tensorflow/text", test_tf_text);
  g_test_add_func ("/models/tensorflow/binary", test_tf_binary);
  g_test_add_func ("/models/tensorflow/shared", test_tf_shared);
  return g_test_run ();
}
