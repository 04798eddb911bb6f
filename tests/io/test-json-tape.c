/* test-json-tape.c: the tape itself, and the graphs read from it beside those of json-glib's tree. */
#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/io/json-tape.h"
#include "tests/io/json-tree.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"

#include <math.h>
#include <string.h>

#define N_MUTANTS 400

/* --- the tape ------------------------------------------------------------------------------------- */

static gboolean
init (GobanJsonTape *tape, const char *text, GError **error)
{
  return goban_json_tape_init (tape, text, strlen (text), "t", error);
}

static void
read_whole (GobanJsonTape *tape, const char *text)
{
  g_autoptr (GError) error = NULL;
  GobanJsonSpan span = { text, text + strlen (text) };

  g_assert_true (init (tape, text, &error));
  g_assert_no_error (error);
  goban_json_tape_read (tape, &span);
}

static void
test_numbers (void)
{
  static const struct
  {
    const char *text;
    GobanJsonType type;
    double value;
  } cases[] = {
    { "0", GOBAN_JSON_INTEGER, 0 },
    { "-0", GOBAN_JSON_INTEGER, 0 },
    { "-12", GOBAN_JSON_INTEGER, -12 },
    { "999999999999999999", GOBAN_JSON_INTEGER, 999999999999999999.0 },
    { "9223372036854775807", GOBAN_JSON_INTEGER, 9223372036854775807.0 },
    { "-9223372036854775808", GOBAN_JSON_INTEGER, -9223372036854775808.0 },
    { "9223372036854775808", GOBAN_JSON_REAL, 9223372036854775808.0 },
    { "1e3", GOBAN_JSON_REAL, 1000 },
    { "0.1", GOBAN_JSON_REAL, 0.1 },
    { "-1.5E-3", GOBAN_JSON_REAL, -0.0015 },
    { "5e-324", GOBAN_JSON_REAL, 5e-324 },
    { "1.7976931348623157e308", GOBAN_JSON_REAL, 1.7976931348623157e308 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GobanJsonTape) tape = { 0 };
      double value = NAN;

      read_whole (&tape, cases[i].text);
      g_assert_cmpint (goban_json_tape_token (&tape, 0)->type, ==, cases[i].type);
      g_assert_true (goban_json_tape_number (&tape, 0, &value));
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

static void
test_texts (void)
{
  g_auto (GobanJsonTape) tape = { 0 };

  read_whole (&tape,
              "[\"\", \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u20ac\\ud83d\\ude00\", \"é\"]");
  g_assert_cmpuint (goban_json_tape_token (&tape, 0)->n_inside, ==, 4);
  g_assert_cmpstr (goban_json_tape_text (&tape, 1), ==, "");
  g_assert_cmpstr (goban_json_tape_text (&tape, 2), ==, "a\"\\/\b\f\n\r\t");
  g_assert_cmpstr (goban_json_tape_text (&tape, 3), ==, "é€😀");
  g_assert_cmpstr (goban_json_tape_text (&tape, 4), ==, "é");
}

/* Of members with one key the last counts, among few and among many. */
static void
test_members (void)
{
  static const guint counts[] = { 2, 16, 17, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (GString) text = g_string_new ("{");
      g_auto (GobanJsonTape) tape = { 0 };
      GobanJsonPlace place = { .path = "t" };
      double value = NAN;

      for (guint k = 0; k < counts[i]; k++)
        g_string_append_printf (text, "\"k%u\": [%u, {}], \"twice\": %u,", k, k, k);
      g_string_append (text, "\"no\": null}");
      read_whole (&tape, text->str);
      g_assert_true (
          goban_json_tape_get_number (&tape, &place, 0, "twice", &value, NULL)); /* asserted */
      g_assert_cmpfloat (value, ==, counts[i] - 1);
      value = 7;
      g_assert_true (goban_json_tape_get_number (&tape, &place, 0, "no", &value, NULL));
      g_assert_cmpfloat (value, ==, 7);
    }
}

static void
test_walk (void)
{
  static const char *const names[] = { "a", "b", "c" };
  g_autoptr (GError) error = NULL;
  g_auto (GobanJsonTape) tape = { 0 };
  GobanJsonSpan spans[3];
  guint n = 0;

  g_assert_true (init (&tape, "{\"a\": 1, \"b\" : [1, [2, 3], {\"x\": 4}] , \"a\": 2}", &error));
  g_assert_true (goban_json_tape_is_object (&tape));
  goban_json_tape_find_members (&tape, names, 3, spans);
  g_assert_cmpmem (spans[0].begin, spans[0].end - spans[0].begin, "2", 1);
  g_assert_null (spans[2].begin);
  goban_json_tape_enter (&tape, &spans[1]);
  while (goban_json_tape_next (&tape))
    g_assert_cmpuint (tape.tokens->len, ==, n++ == 0 ? 1 : 3);
  g_assert_cmpuint (n, ==, 3);
}

static void
test_grammar (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "[1,]", "t:1:4: unexpected “]”; a value is expected" },
    { "[1 2]", "t:1:4: unexpected “2”; “,” or “]” is expected" },
    { "{\n \"a\" 1}", "t:2:6: unexpected “1”; “:” is expected" },
    { "{1: 2}", "t:1:2: unexpected “1”; a name in quotes is expected" },
    { "{\"a\": 1,}", "t:1:9: unexpected “}”; a name in quotes is expected" },
    { "[01]", "t:1:2: unexpected “0”; a number is expected" },
    { "[0x1]", "t:1:3: unexpected “x”; “,” or “]” is expected" },
    { "[1.]", "t:1:4: unexpected “]”; a digit is expected" },
    { "[1e]", "t:1:4: unexpected “]”; a digit is expected" },
    { "[+1]", "t:1:2: unexpected “+”; a value is expected" },
    { "[.5]", "t:1:2: unexpected “.”; a value is expected" },
    { "[nan]", "t:1:2: unexpected “n”; a value is expected" },
    { "[tru]", "t:1:2: unexpected “t”; a value is expected" },
    { "[1", "t:1:3: unexpected end of file; is the file complete?" },
    { "[\n\"é", "t:2:3: unexpected end of file; is the file complete?" },
    { "{} x", "t:1:4: there is more behind the end of the JSON" },
    { "1 2", "t:1:3: unexpected “2”; the end of the file is expected" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GobanJsonTape) tape = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (init (&tape, cases[i].text, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

/* --- the twin ----------------------------------------------------------------------------------- */

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

/* Both read the same graph, or neither reads one. Returns whether they did. @is_exact: with the same message. */
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
    g_assert_cmpstr (error->message, ==, tree_error->message);
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

/* Values where others are expected, so that most are refused: by both, with the same words and the same line. */
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
                                        "9007199254740993" };
  static const char *const keys[]
      = { "name",        "op",     "flops",   "group", "phase",       "times",   "time_source",
          "size_source", "inputs", "outputs", "kinds", "param_bytes", "warnings" };
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/json-tape/numbers", test_numbers);
  g_test_add_func ("/io/json-tape/texts", test_texts);
  g_test_add_func ("/io/json-tape/members", test_members);
  g_test_add_func ("/io/json-tape/walk", test_walk);
  g_test_add_func ("/io/json-tape/grammar", test_grammar);
  g_test_add_func ("/io/json-tape/twin/files", test_twin_files);
  g_test_add_func ("/io/json-tape/twin/random", test_twin_random);
  g_test_add_func ("/io/json-tape/twin/mistakes", test_twin_mistakes);
  return g_test_run ();
}
