#include "engine/io/hlo/hlo-module.h"
#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char small[]
    = "HloModule step, is_scheduled=true, entry_computation_layout={(f32[4,8]{1,0})->f32[]}\n"
      "\n"
      "%sum (a: f32[], b: f32[]) -> f32[] {\n"
      "  %a = f32[] parameter(0)\n"
      "  %b = f32[] parameter(1)\n"
      "  ROOT %add.1 = f32[] add(f32[] %a, f32[] %b)\n"
      "}\n"
      "fused {\n"
      "  p = f32[4,16]{1,0} parameter(0)\n"
      "  e = f32[4,16]{1,0} exponential(p)\n"
      "  ROOT m = f32[4,16]{1,0} multiply(e, e)\n"
      "}\n"
      "\n"
      "ENTRY %main (x: f32[4,8]) -> (f32[], f32[4,16]) {\n"
      "  %x = f32[4,8]{1,0} parameter(0), sharding={maximal device=1}\n"
      "  %w = f32[8,16]{1,0} constant({ { 1, 2 },\n { 3, 4 } })\n"
      "  %dot.1 = f32[4,16]{1,0} dot(f32[4,8]{1,0} %x, f32[8,16]{1,0} %w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
      "metadata={op_type=\"dot\" op_name=\"jit(f)/layer/dot}\" source_line=1}\n"
      "  fusion.1 = f32[4,16] fusion(dot.1), kind=kLoop, calls=fused\n"
      "  zero = f32[] constant(0)\n"
      "  %total = f32[] reduce(f32[4,16] %fusion.1, f32[] %zero), dimensions={0,1}, "
      "to_apply=%sum, control-predecessors={%x}\n"
      "  %both = (f32[], /*index=1*/f32[4,16]{1,0:T(8,128)}) tuple(%total, %fusion.1)\n"
      "  first = f32[] get-tuple-element(%both), index=0\n"
      "  ROOT again = (f32[], f32[4,16]) copy(both)\n"
      "}\n";

static const char conv[]
    = "HloModule c\n"
      "ENTRY e {\n"
      "  x = bf16[2,8,8,3] parameter(0)\n"
      "  w = bf16[3,3,3,16] parameter(1)\n"
      "  p = pred[<=5,2] parameter(2)\n"
      "  ROOT y = bf16[2,8,8,16] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
      "dim_labels=b01f_01io->b01f\n"
      "}\n";

static void
test_small (void)
{
  g_autoptr (GobanGraph) graph = read_text ("hlo", small);
  const GobanNode *dot = node_of (graph, "jit(f)/layer/dot.1");
  const GobanNode *both = node_of (graph, "both");
  guint n_tensors;

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 9);
  /* Of the copy, two: it reads both parts of the tuple. */
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2 + 1 + 3 + 2 + 1 + 2);
  g_assert_cmpfloat (dot->macs, ==, 4 * 8 * 16);
  g_assert_cmpfloat (dot->flops, ==, 2 * 4 * 8 * 16);
  g_assert_cmpfloat (node_of (graph, "fusion.1")->flops, ==, 2 * 4 * 16);
  g_assert_cmpfloat (node_of (graph, "total")->flops, ==, 4 * 16);
  g_assert_cmpfloat (node_of (graph, "w")->param_bytes, ==, 8 * 16 * 4);
  g_assert_cmpfloat (both->flops, ==, 0);
  goban_graph_get_node_tensors (graph, goban_graph_find_node (graph, "both"), &n_tensors);
  g_assert_cmpuint (n_tensors, ==, 2);
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==,
                   "the file puts 1 node on devices 0 to 1, which are not taken over");
}

static void
test_convolution (void)
{
  g_autoptr (GobanGraph) graph = read_text ("hlo", conv);

  g_assert_cmpfloat (node_of (graph, "y")->macs, ==, 2.0 * 8 * 8 * 16 * 27);
  g_assert_cmpfloat (node_of (graph, "y")->read_bytes, ==, 2 * (2 * 8 * 8 * 3 + 27 * 16));
  g_assert_cmpfloat (goban_graph_get_output_bytes (graph, goban_graph_find_node (graph, "p")), ==,
                     10);
}

static GobanHlo__Instruction
make_instruction (const char *name, const char *opcode, gint64 id)
{
  GobanHlo__Instruction made = GOBAN_HLO__INSTRUCTION__INIT;

  made.name = (char *) name;
  made.opcode = (char *) opcode;
  made.id = id;
  return made;
}

static void
put_field (GByteArray *to, const guint8 *data, gsize size)
{
  guint8 head[] = { 1 << 3 | 2, (guint8) ((size & 0x7f) | 0x80), (guint8) (size >> 7) };

  g_assert_cmpuint (size, <, 1 << 14);
  g_byte_array_append (to, head, sizeof head);
  g_byte_array_append (to, data, (guint) size);
}

/* A dot of a parameter by itself: bare, as HloProto, as ModuleTuningData and as TuningData. */
static void
test_messages (void)
{
  gint64 dims[] = { 6, 6 }, contracting[] = { 1 }, operands[] = { 7, 7 };
  GobanHlo__Shape shape = GOBAN_HLO__SHAPE__INIT;
  GobanHlo__DotDimensions dot = GOBAN_HLO__DOT_DIMENSIONS__INIT;
  GobanHlo__Instruction x = make_instruction ("x", "parameter", 7);
  GobanHlo__Instruction y = make_instruction ("y", "dot", 9);
  GobanHlo__Instruction *instructions[] = { &x, &y };
  GobanHlo__Computation computation = GOBAN_HLO__COMPUTATION__INIT;
  GobanHlo__Computation *computations[] = { &computation };
  GobanHlo__Module module = GOBAN_HLO__MODULE__INIT;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  shape.element_type = 11;
  shape.n_dimensions = 2;
  shape.dimensions = dims;
  x.shape = y.shape = &shape;
  dot.n_lhs_contracting_dimensions = 1;
  dot.lhs_contracting_dimensions = contracting;
  y.dot_dimension_numbers = &dot;
  y.n_operand_ids = 2;
  y.operand_ids = operands;
  computation.name = (char *) "main";
  computation.n_instructions = 2;
  computation.instructions = instructions;
  module.name = (char *) "module";
  module.entry_computation_name = (char *) "main";
  module.n_computations = 1;
  module.computations = computations;
  g_byte_array_set_size (bytes, (guint) goban_hlo__module__get_packed_size (&module));
  goban_hlo__module__pack (&module, bytes->data);

  for (guint i = 0; i < 3; i++)
    {
      const GobanFormat *format = goban_format_find ("hlo", NULL);
      GobanReadOptions options = { 0 };
      const char *data = (const char *) bytes->data;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = format->read (data, bytes->len, "test.pb", &options, &error);
      GByteArray *wrapped = g_byte_array_new ();

      g_assert_no_error (error);
      g_assert_cmpint (format->sniff (data, bytes->len, "test.pb"), ==, 88);
      g_assert_cmpint (goban_format_find ("graphdef", NULL)->sniff (data, bytes->len, "x"), ==, 0);
      g_assert_cmpint (goban_format_find ("onnx", NULL)->sniff (data, bytes->len, "x"), ==, 0);
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
      g_assert_cmpfloat (node_of (graph, "y")->macs, ==, 6 * 6 * 6);
      g_assert_cmpfloat (node_of (graph, "y")->written_bytes, ==, 6 * 6 * 4);
      put_field (wrapped, bytes->data, bytes->len);
      g_byte_array_unref (g_steal_pointer (&bytes));
      bytes = wrapped;
    }
}

static void
test_real (void)
{
  g_autoptr (GobanGraph) graph = load_shared ("hlo/bert_single.hlo.txt", "hlo");
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GobanHloModule module;
  gsize size;

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1535);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1994);
  /* Of 32 heads: 128 by 8 times 8 by 128. */
  g_assert_cmpfloat (node_of (graph, "dot.290")->macs, ==, 32.0 * 128 * 128 * 8);

  path = shared_data_path ("hlo/bert_single.hlo.txt");
  g_file_get_contents (path, &text, &size, &error);
  g_assert_no_error (error);
  goban_hlo_module_init (&module, path);
  g_assert_true (goban_hlo_read_text (&module, text, size, &error));
  g_assert_cmpuint (module.instructions->len, ==, 1646);
  goban_hlo_module_clear (&module);
}

static void
test_many (void)
{
  const guint n = 100000;
  g_autoptr (GString) text = g_string_new ("HloModule m\nENTRY e {\n  a0 = f32[2] parameter(0)\n");
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "  a%u = f32[2] add(a%u, a0)\n", i, i - 1);
  g_string_append (text, "}\n");
  graph = read_text ("hlo", text->str);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, n);
}

#define IN_ENTRY(line) "HloModule m\nENTRY e {\n" line "\n}\n"

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "HloModule m\n", "test.txt: the module has no computation" },
    { "HloModule m\nENTRY e {\n}\n", "no nodes" },
    { "HloModule m, a={\n\"}\n", "test.txt:1: the bracket is not closed" },
    { "HloModule m\nENTRY e {\n a = f32[] parameter(0)\n",
      "test.txt:4: computation “e” does not end" },
    { IN_ENTRY ("a = f32[] add(b)"), "test.txt:3: “a” reads “b”, which its computation lacks" },
    { IN_ENTRY ("a = f32[] add(a)"), "cycle: " },
    { IN_ENTRY ("a = f32[] parameter(0)\na = f32[] parameter(1)"), "two instructions “a”" },
    { IN_ENTRY ("a = f32[x] parameter(0)"), "test.txt:3: “x” is not the extent" },
    { IN_ENTRY ("a = f32 parameter(0)"), "test.txt:3: a shape such as" },
    { IN_ENTRY ("a = f32[] "), "the operation of “a” is missing" },
    { IN_ENTRY ("a = f32[] iota(), calls=f"), "the computation “f” is not in the file" },
    { IN_ENTRY ("a = f32[] iota(), calls=e"), "computation “e” calls itself" },
    { IN_ENTRY ("a = f32[] iota(), x={{"), "the bracket is not closed" },
    { IN_ENTRY ("a = f32[] iota(), x"), "an attribute such as" },
    { IN_ENTRY ("a f32[]"), "an instruction such as" },
    { "HloModule x\nENTRY e (), a={ 1", "the bracket is not closed" },
    { IN_ENTRY ("a = f32[] iota("), "test.txt:" },
    { "HloModule m\n\xff", "not UTF-8" },
    { "digraph { a -> b }", "neither HLO text" },
  };
  g_autoptr (GString) deep = g_string_new ("HloModule m\nENTRY e {\n a = ");

  check_bad_texts ("hlo", cases, G_N_ELEMENTS (cases));
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '(');
  check_bad_texts ("hlo", &(BadText){ deep->str, "nest more than" }, 1);
  g_string_assign (deep, "HloModule m\nENTRY e {\n ");
  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "a = f32[] iota(), calls={");
  check_bad_texts ("hlo", &(BadText){ deep->str, "computations nest more than 96 deep" }, 1);
}

/* What XLA's parser takes beyond what its printer writes. */
static void
test_loose_text (void)
{
  static const char headless[] = "// a fusion of a test\n"
                                 "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                                 " ROOT r = f32[] add(a, b)\n}\n"
                                 "%f (x: f32[4,8]) -> f32[4] {\n"
                                 " x = f32[4, 8]  parameter(0)\n zero = f32[] constant(0)\n"
                                 " ROOT r = f32[4] reduce(x, zero),\n dimensions={1},\n"
                                 " to_apply=add\n}\n// the end\n";
  static const char table[] = "HloModule m, origins={\n {\"c\"} : {\"d\"},\n \"\n HloModule n\n"
                              " ENTRY e {\n a = s32[] parameter(0)\n }\n \"\n}\n\n"
                              "ENTRY main {\n a = f32[1] parameter(0)\n"
                              " b = f32[2] custom-call(a), custom_call_target=\"f\\\"g\", "
                              "literal=f32[] 0.1, metadata={op_name=\"in/\\\"q\\\"/b\"}\n"
                              " c = (f32[2], b(f32[3])) custom-call(b), literal=s32[2]{0} {1, 2}\n"
                              "}\n";
  g_autoptr (GobanGraph) graph
      = goban_graph_parse (headless, strlen (headless), "f.txt", NULL, NULL, NULL);
  g_autoptr (GobanGraph) other = read_text ("hlo", table);

  g_assert_nonnull (graph);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
  g_assert_cmpfloat (node_of (graph, "r")->flops, ==, 4 * 8);
  g_assert_cmpuint (goban_graph_get_n_nodes (other), ==, 3);
  node_of (other, "in/\\\"q\\\"/b");
  g_assert_cmpfloat (bytes_of (other, "c"), ==, 4 * (2 + 3));
}

/* Computations that stand where they are called; shapes that follow from the operands. */
static void
test_nested_text (void)
{
  static const char text[]
      = "HloModule m\n"
        "ENTRY e {\n"
        "  i = s32[] parameter(0)\n"
        "  x = f32[5,10] parameter(1)\n"
        "  w = f32[10,5] parameter(2)\n"
        "  f = f32[5,5] fusion(x, w), kind=kLoop, calls=\n"
        "  {\n"
        "    x = f32[5,10] parameter(0)\n"
        "    w = f32[10,5] parameter(1)\n"
        "    ROOT d = f32[5,5] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  }, control-predecessors={i}\n"
        "  c = f32[5,5] conditional(i, f, f), branch_computations={\n"
        "  { a = f32[5,5] parameter(0)\n ROOT b = f32[5,5] ceil(a) },\n"
        "  { a = f32[5,5] parameter(0)\n b = f32[5,5] exponential(a)\n ROOT c = f32[5,5] ceil(b) "
        "}\n"
        "  }\n"
        "  t = tuple(i, c)\n"
        "  g = get-tuple-element(t), index=1\n"
        "  s = while(t), condition={ p = (s32[], f32[5,5]) parameter(0) }, body={\n"
        "    p = (s32[], f32[5,5]) parameter(0)\n"
        "    a = f32[5,5] get-tuple-element(p), index=1\n"
        "    ROOT d = f32[5,5] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  }, backend_config={\"known_trip_count\":{\"n\":\"12\"}}\n"
        "  y = sine(g)\n"
        "}\n";
  g_autoptr (GobanGraph) graph = read_text ("hlo", text);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 9);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 3 + 2 + 2 + 1 + 2 + 1);
  g_assert_cmpfloat (node_of (graph, "f")->macs, ==, 5 * 5 * 10);
  g_assert_cmpfloat (node_of (graph, "c")->flops, ==, 2 * 5 * 5);
  g_assert_cmpfloat (bytes_of (graph, "g"), ==, 4 * 5 * 5);
  g_assert_cmpfloat (node_of (graph, "s")->macs, ==, 12 * 5 * 5 * 5);
  g_assert_cmpfloat (bytes_of (graph, "s"), ==, 4 + 4 * 5 * 5);
  g_assert_true (
      warns (graph, "1 of 9 instructions have outputs of unknown size, the first is “y”"));
  g_assert_false (warns (graph, "loop"));
}

/* What XLA makes of products and convolutions for a GPU. */
static void
test_library_calls (void)
{
  static const char text[]
      = "HloModule m\n"
        "ENTRY e {\n"
        "  a = f32[16,32] parameter(0)\n"
        "  b = f32[32,8] parameter(1)\n"
        "  x = f32[2,8,8,3] parameter(2)\n"
        "  w = f32[3,3,3,4] parameter(3)\n"
        "  g = (f32[16,8], s8[1024]) custom-call(a, b), custom_call_target=\"__cublas$gemm\", "
        "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":"
        "{\"lhs_contracting_dimensions\":[\"1\"],\"rhs_contracting_dimensions\":[\"0\"]}}}\n"
        "  y = (f32[2,8,8,4], u8[9]) custom-call(x, w), window={size=3x3 pad=1_1x1_1}, "
        "dim_labels=b01f_01io->b01f, custom_call_target=\"__cudnn$convForward\"\n"
        "  o = f32[2,8,8,4] get-tuple-element(y), index=0\n"
        "  i = (f32[2,8,8,3], u8[9]) custom-call(o, w), window={size=3x3 pad=1_1x1_1}, "
        "dim_labels=b01f_01io->b01f, custom_call_target=\"__cudnn$convBackwardInput\"\n"
        "  f = (f32[3,3,3,4], u8[9]) custom-call(x, o), window={size=3x3 pad=1_1x1_1}, "
        "dim_labels=b01f_01io->b01f, custom_call_target=\"__cudnn$convBackwardFilter\"\n"
        "  z = f32[4] custom-call(x), custom_call_target=\"mine\"\n"
        "  u = f32[16,8] custom-call(a, b), custom_call_target=\"__cublas$gemm\"\n"
        "}\n";
  g_autoptr (GobanGraph) graph = read_text ("hlo", text);

  g_assert_cmpfloat (node_of (graph, "g")->macs, ==, 16 * 8 * 32);
  g_assert_cmpfloat (node_of (graph, "y")->macs, ==, 2 * 8 * 8 * 4 * 27);
  g_assert_cmpfloat (node_of (graph, "i")->macs, ==, 2 * 8 * 8 * 4 * 27);
  g_assert_cmpfloat (node_of (graph, "f")->macs, ==, 2 * 8 * 8 * 4 * 27);
  g_assert_cmpfloat (node_of (graph, "z")->macs, ==, 0);
  g_assert_cmpfloat (node_of (graph, "u")->macs, ==, 0); /* of unknown sums */
}

/* As current versions of XLA print it. */
static void
test_current_text (void)
{
  static const char *const files[]
      = { "tables.hlo", "name-x.pb", "name-p.pb", "name-h.pb", "shuffled.pb" };
  g_autoptr (GobanGraph) groups = load_corpus ("hlo", "groups.hlo", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GobanGraph) graph = load_corpus ("hlo", files[i], NULL);

      g_assert_cmpstr (goban_graph_get_format (graph), ==, "hlo");
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 2);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
    }
  g_assert_cmpuint (goban_graph_get_n_nodes (groups), ==, 6);
  g_assert_cmpuint (goban_graph_get_n_edges (groups), ==, 5);
}

/* Extents that are open cost nothing, which is said. */
static void
test_open_extents (void)
{
  g_autoptr (GobanGraph) graph = load_corpus ("hlo", "open.hlo", NULL);

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
  g_assert_true (
      warns (graph, "2 of 3 instructions have outputs of unknown size, the first is “p”"));
  g_assert_cmpfloat (bytes_of (graph, "n"), ==, 8 * 4 * 4);
}

TEST_PROGRAM (hlo)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/hlo/reads/small", test_small);
  g_test_add_func ("/io/hlo/reads/convolution", test_convolution);
  g_test_add_func ("/io/hlo/reads/messages", test_messages);
  g_test_add_func ("/io/hlo/reads/real-graph", test_real);
  g_test_add_func ("/io/hlo/reads/many-instructions", test_many);
  g_test_add_func ("/io/hlo/rejects/bad-texts", test_bad);
  g_test_add_func ("/io/hlo/reads/loose-text", test_loose_text);
  g_test_add_func ("/io/hlo/reads/nested-text", test_nested_text);
  g_test_add_func ("/io/hlo/reads/library-calls", test_library_calls);
  g_test_add_func ("/hlo/current-text", test_current_text);
  g_test_add_func ("/hlo/open-extents", test_open_extents);
  return g_test_run ();
}
