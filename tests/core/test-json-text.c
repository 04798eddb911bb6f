#include "engine/core/json-text.h"
#include "tests/support/test-program.h"

#include <math.h>

static void
test_writes_objects (void)
{
  static const char *const words[] = { "a", "\"b\"", NULL };
  g_autoptr (GString) json = g_string_new ("{");

  goban_json_add_string (json, "name", "a \"b\" \\ \n\t\x01 é");
  goban_json_add_number (json, "x", 0.1);
  goban_json_add_number (json, "never", (double) INFINITY);
  g_string_append (json, ",\n ");
  goban_json_add_boolean (json, "valid", TRUE);
  goban_json_add_string (json, "why", NULL);
  goban_json_append_key (json, "list");
  g_string_append (json, "[{");
  goban_json_add_number (json, "n", 1);
  g_string_append (json, "}]");
  goban_json_add_strings (json, "words", words);
  goban_json_add_strings (json, "none", words + 2);
  g_string_append_c (json, '}');

  g_assert_cmpstr (
      json->str, ==,
      "{\"name\": \"a \\\"b\\\" \\\\ \\n\\t\\u0001 é\", \"x\": 0.1, \"never\": null,\n "
      "\"valid\": true, \"why\": null, \"list\": [{\"n\": 1}], "
      "\"words\": [\"a\", \"\\\"b\\\"\"], \"none\": []}");
}

TEST_PROGRAM (json_text)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/json-text/writes-objects", test_writes_objects);
  return g_test_run ();
}
