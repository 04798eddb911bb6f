#include "engine/base/json-guard.h"

#include "engine/base/error.h"

#include <string.h>

static void
test_parses_json (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = goban_json_parse (
      "{ \"a\": [1, 2.5e-3, true, null, \"[[[ /* \\\" # é\"] }", -1, "x", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (
      json_array_get_length (json_object_get_array_member (json_node_get_object (root), "a")), ==,
      5);
}

static void
test_reads_no_further_than_told (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = goban_json_parse ("[1, 2]]]]", strlen ("[1, 2]"), "x", &error);

  g_assert_no_error (error);
  g_assert_nonnull (root);
}

static void
test_names_the_place (void)
{
  static const struct
  {
    const char *json;
    gssize length;
    const char *start; /* of the message */
  } cases[] = {
    { "", -1, "a.json:1:1: the file is empty" },
    { "  \n ", -1, "a.json:1:1: the file is empty" },
    { "{\n  \"a\": 1,\n  \"é\": /* no */ 2 }", -1, "a.json:3:8: “/” is no JSON" },
    { "[1, # one\n 2]", -1, "a.json:1:5: “#” is no JSON" },
    { "['x']", -1, "a.json:1:2: “'” is no JSON" },
    { "[é]", -1, "a.json:1:2: “é” is no JSON" },
    { "[1,\n\xff]", -1, "a.json:2:1: this is not UTF-8 text" },
    { "[1\0]", 4, "a.json:1:3: this is not UTF-8 text" },
    { "{\n\"a\": }", -1, "a.json:2:6: unexpected character “}”" },
    { "[\"a\\u0000\"]", -1, "a.json:1:4: a string escapes what is no character" },
    { "[\"\\udc00\"]", -1, "a.json:1:3: a string escapes what is no character" },
    { "[\"\\ud800\\u0041\"]", -1, "a.json:1:3: a string escapes what is no character" },
    { "[\"\\300\"]", -1, "a.json:1:3: a string escapes what is no character" },
    { "[1, 2", -1, "a.json:1:5: unexpected number “2”" },
    { "var a = [1]", -1, "a.json:1:7: “=” is no JSON" },
    { "[1]\n [2]", -1, "a.json:2:2: there is more behind the end of the JSON" },
    { "{ \"a\": \"never closed", -1, "a.json:1:" },
    { "\"ends in an escape\\", -1, "a.json:1:" },
    { "]", -1, "a.json:1:" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) root
          = goban_json_parse (cases[i].json, cases[i].length, "a.json", &error);

      g_assert_null (root);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_test_message ("%s", error->message);
      g_assert_true (g_str_has_prefix (error->message, cases[i].start));
      g_assert_null (strstr (error->message, "<data>"));
      g_assert_false (g_str_has_suffix (error->message, "."));
    }
}

static char *
nested (guint depth)
{
  GString *json = g_string_new (NULL);

  for (guint i = 0; i < depth; i++)
    g_string_append (json, i % 2 == 0 ? "[" : "{\"a\":");
  g_string_append (json, "0");
  for (guint i = depth; i > 0; i--)
    g_string_append (json, (i - 1) % 2 == 0 ? "]" : "}");
  return g_string_free (json, FALSE);
}

static void
test_bounds_the_depth (void)
{
  g_autofree char *deepest = nested (GOBAN_JSON_MAX_DEPTH);
  g_autofree char *deeper = nested (GOBAN_JSON_MAX_DEPTH + 1);
  g_autofree char *abyss = g_strnfill (10 * 1000 * 1000, '[');
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = goban_json_parse (deepest, -1, "x", &error);

  g_assert_no_error (error);
  g_assert_nonnull (root);

  g_assert_null (goban_json_parse (deeper, -1, "x", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_true (g_str_has_suffix (error->message, ": this nests too deeply"));
  g_clear_error (&error);

  g_assert_null (goban_json_parse (abyss, -1, "x", &error));
  g_assert_cmpstr (error->message, ==, "x:1:65: this nests too deeply");
}

static void
test_checks_keys (void)
{
  static const char *const known[] = { "from", "to", NULL };
  g_autoptr (JsonNode) root = goban_json_parse ("{\"from\":1,\"zz\":2,\"b\":3}", -1, "x", NULL);
  JsonObject *object = json_node_get_object (root);
  g_autoptr (GError) error = NULL;

  g_assert_false (goban_json_check_keys (object, "x: links[0]", known, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_cmpstr (error->message, ==, "x: links[0]: unknown key “b”; known are from, to");
  g_clear_error (&error);

  json_object_remove_member (object, "b");
  json_object_remove_member (object, "zz");
  g_assert_true (goban_json_check_keys (object, "x", known, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-guard/parses/json", test_parses_json);
  g_test_add_func ("/json-guard/parses/no-further-than-told", test_reads_no_further_than_told);
  g_test_add_func ("/json-guard/errors/name-the-place", test_names_the_place);
  g_test_add_func ("/json-guard/depth/is-bounded", test_bounds_the_depth);
  g_test_add_func ("/json-guard/keys/are-checked", test_checks_keys);
  return g_test_run ();
}
