/* docs/graph-json.md: its tables and its schema are those of the reader, and its example runs. */
#include "tests/io/io-support.h"

#include "engine/core/json-reader.h"
#include "engine/graph/collectives.h"
#include "engine/io/json-keys.h"
#include "engine/io/node-fields.h"
#include "tests/support/protocol-document.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

#define PAGE "docs/graph-json.md"
#define BEGIN "<!-- From engine/io/json-keys.c by scripts/dev/golden-update.sh: -->\n"

static const struct
{
  const char *title;
  const char *required;
} objects[] = {
  /* by GobanJsonObject */
  { "The file", "\"goban\", \"version\", \"nodes\"" },
  { "A node", "\"name\"" },
  { "An output", "" },
};

static void
append_schema (GString *out, guint i, const char *indent)
{
  const GobanJsonKey *keys = goban_json_get_keys ((GobanJsonObject) i);

  g_string_append_printf (out,
                          "\"type\": \"object\", \"additionalProperties\": false, \"required\": "
                          "[%s],\n%s\"properties\": {",
                          objects[i].required, indent);
  for (guint k = 0; keys[k].name != NULL; k++)
    g_string_append_printf (out, "%s\n%s  \"%s\": %s", k > 0 ? "," : "", indent, keys[k].name,
                            keys[k].schema);
  g_string_append (out, "}");
}

/* What stands behind BEGIN. */
static char *
make_tables (void)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      g_string_append_printf (out, "\n## %s\n\n| key | type | unit | |\n|---|---|---|---|\n",
                              objects[i].title);
      for (const GobanJsonKey *key = goban_json_get_keys ((GobanJsonObject) i); key->name != NULL;
           key++)
        g_string_append_printf (out, "| `%s` | %s | %s | %s |\n", key->name, key->type, key->unit,
                                key->sentence);
    }
  g_string_append (out, "\n## Schema\n\n```json\n"
                        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n ");
  append_schema (out, 0, " ");
  g_string_append (out, ",\n \"$defs\": {\n  \"node\": {");
  append_schema (out, 1, "   ");
  g_string_append (out, "},\n  \"output\": {");
  append_schema (out, 2, "   ");
  g_string_append (out, "}}}\n```\n");
  return g_string_free (out, FALSE);
}

static void
test_is_current (void)
{
  g_autofree char *path = project_path (PAGE);
  g_autofree char *tables = make_tables ();
  g_autofree char *text = NULL;
  char *begin;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  begin = strstr (text, BEGIN);
  g_assert_nonnull (begin);
  begin += strlen (BEGIN);
  if (g_getenv ("GOBAN_GOLDEN_UPDATE") != NULL)
    {
      g_autofree char *whole = NULL;

      *begin = '\0';
      whole = g_strconcat (text, tables, NULL);
      g_assert_true (g_file_set_contents (path, whole, -1, NULL));
      return;
    }
  g_assert_cmpstr (begin, ==, tables);
}

static gboolean
has_key (const GobanJsonKey *keys, const char *name)
{
  for (; keys->name != NULL; keys++)
    if (strcmp (keys->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* The words of a schema are those that the reader knows. */
static void
check_words (GobanJsonValue node, const char *key, const char *const *words)
{
  GobanJsonValue property = goban_json_find (goban_json_find (node, "properties"), key);
  GobanJsonItems items;
  GobanJsonValue item;

  g_assert_true (goban_json_get_list (property, "enum", &items, NULL));
  g_assert_cmpuint (items.n, ==, g_strv_length ((char **) words));
  for (guint i = 0; goban_json_items_next (&items, &item); i++)
    g_assert_cmpstr (goban_json_peek_text (item), ==, words[i]);
}

/* The schema is JSON, and the reader agrees about the graphs that it is given. */
static void
test_schema (void)
{
  g_autofree char *text = protocol_document_read (PAGE, "json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJsonReader) reader = goban_json_reader_new (text, -1, "schema", &error);
  GobanJsonValue node;

  g_assert_no_error (error);
  node = goban_json_find (goban_json_find (goban_json_reader_get_root (reader), "$defs"), "node");
  check_words (node, "phase", goban_phase_names);
  check_words (node, "time_source", goban_source_names);
  check_words (node, "collective", goban_collective_names);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    g_assert_true (has_key (goban_json_get_keys (GOBAN_JSON_NODE), goban_node_fields[i].name));
}

/* The example in Python writes a graph. */
static void
test_example (void)
{
  g_autofree char *code = protocol_document_read (PAGE, "python");
  g_autofree char *python = g_find_program_in_path ("python3");
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mlp.json", NULL);
  char *argv[] = { python, (char *) "-c", code, NULL };
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (python == NULL)
    {
      g_rmdir (folder);
      g_test_skip ("there is no python3");
      return;
    }
  g_assert_true (
      g_spawn_sync (folder, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  graph = goban_graph_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 4);
  g_assert_cmpfloat (node_of (graph, "layer_2/MatMul")->flops, ==, 2 * 64 * 256 * 10);
  g_assert_cmpfloat (bytes_of (graph, "input"), ==, 4 * 64 * 784);
  g_unlink (path);
  g_rmdir (folder);
}

TEST_PROGRAM (json_page)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/json-page/is-current", test_is_current);
  g_test_add_func ("/io/json-page/schema", test_schema);
  g_test_add_func ("/io/json-page/example", test_example);
  return g_test_run ();
}
