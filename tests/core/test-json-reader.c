/* test-json-reader.c: values, paths, lines and messages of JSON texts, small and random. */
#include "engine/core/error.h"
#include "engine/core/json-reader.h"
#include "engine/core/json-text.h"
#include "engine/core/rng.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define N_RANDOM 300

static GobanJsonReader *
open_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  GobanJsonReader *reader = goban_json_reader_new (text, -1, "a.json", &error);

  g_assert_no_error (error);
  return reader;
}

static void
assert_message (gboolean is_read, GError **error, const char *message)
{
  g_assert_false (is_read);
  g_assert_error (*error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_cmpstr ((*error)->message, ==, message);
  g_clear_error (error);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Blanks, texts and what ends them at every place of the blocks of eight bytes that are read at
 * once, and at the very end of the memory. */
static void
test_blocks (void)
{
  static const char *const breaks[] = { "", "\n", "\t", "\r\n", "\n\t", " \n" };
  static const struct
  {
    const char *text, *value;
  } ends[] = {
    { "", "" }, { "\\\"", "\"" }, { "\\n!", "\n!" }, { "#", "#" }, { "\xc3\xa2", "\xc3\xa2" }
  };

  for (guint i = 0; i < 20 * 20 * G_N_ELEMENTS (breaks) * G_N_ELEMENTS (ends); i++)
    {
      guint n_blanks = i % 20, n_letters = i / 20 % 20;
      const char *end = breaks[i / 400 % G_N_ELEMENTS (breaks)];
      guint e = i / 400 / G_N_ELEMENTS (breaks);
      g_autofree char *blanks = g_strnfill (n_blanks, ' ');
      g_autofree char *letters = g_strnfill (n_letters, 'x');
      g_autofree char *text
          = g_strdup_printf ("%s%s[%s\"%s%s%s\"%s%s,%s7]%s%s", blanks, end, blanks, letters,
                             ends[e].text, letters, end, blanks, end, end, blanks);
      g_autofree char *exact = g_memdup2 (text, strlen (text));
      g_autofree char *expected = g_strconcat (letters, ends[e].value, letters, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanJsonReader) reader
          = goban_json_reader_new (exact, (gssize) strlen (text), "a.json", &error);
      GobanJsonItems items;
      GobanJsonValue item;
      double number = 0;

      g_assert_no_error (error);
      g_assert_true (goban_json_read_list (goban_json_reader_get_root (reader), &items, &error));
      g_assert_true (goban_json_items_next (&items, &item));
      g_assert_cmpstr (goban_json_peek_text (item), ==, expected);
      g_assert_true (goban_json_items_next (&items, &item));
      g_assert_true (goban_json_is_number (item, &number));
      g_assert_cmpfloat (number, ==, 7);
    }
}

/* --- grammar ---------------------------------------------------------------------------------- */

static void
test_grammar (void)
{
  static const struct
  {
    const char *text;
    gssize length;
    const char *message;
  } cases[] = {
    { "", -1, "a.json: the file is empty" },
    { " \n", -1, "a.json:2:1: unexpected end of file; is the file complete?" },
    { "[1, 2", -1, "a.json:1:6: unexpected end of file; is the file complete?" },
    { "[1, 2]", 5, "a.json:1:6: unexpected end of file; is the file complete?" },
    { "[\n\"é", -1, "a.json:2:3: unexpected end of file; is the file complete?" },
    { "[\"\\", -1, "a.json:1:4: unexpected end of file; is the file complete?" },
    { "{\n  \"a\": 1,\n  \"é\": /* no */ 2 }", -1,
      "a.json:3:8: unexpected “/”; a value is expected" },
    { "[1, # one\n 2]", -1, "a.json:1:5: unexpected “#”; a value is expected" },
    { "['x']", -1, "a.json:1:2: unexpected “'”; a value is expected" },
    { "[é]", -1, "a.json:1:2: unexpected “é”; a value is expected" },
    { "var a = [1]", -1, "a.json:1:1: unexpected “v”; a value is expected" },
    { "[1,]", -1, "a.json:1:4: unexpected “]”; a value is expected" },
    { "[1 2]", -1, "a.json:1:4: unexpected “2”; “,” or “]” is expected" },
    { "{\n \"a\" 1}", -1, "a.json:2:6: unexpected “1”; “:” is expected" },
    { "{1: 2}", -1, "a.json:1:2: unexpected “1”; a name in quotes is expected" },
    { "{\"a\": 1,}", -1, "a.json:1:9: unexpected “}”; a name in quotes is expected" },
    { "[01]", -1, "a.json:1:2: unexpected “0”; a number is expected" },
    { "[-]", -1, "a.json:1:3: unexpected “]”; a number is expected" },
    { "[0x1]", -1, "a.json:1:3: unexpected “x”; “,” or “]” is expected" },
    { "[1.]", -1, "a.json:1:4: unexpected “]”; a digit is expected" },
    { "[1e]", -1, "a.json:1:4: unexpected “]”; a digit is expected" },
    { "[+1]", -1, "a.json:1:2: unexpected “+”; a value is expected" },
    { "[.5]", -1, "a.json:1:2: unexpected “.”; a value is expected" },
    { "[nan]", -1, "a.json:1:2: unexpected “n”; a value is expected" },
    { "[tru]", -1, "a.json:1:2: unexpected “t”; a value is expected" },
    { "{} x", -1, "a.json:1:4: unexpected “x”; the end of the file is expected" },
    { "[1]]", -1, "a.json:1:4: unexpected “]”; the end of the file is expected" },
    { "1 2", -1, "a.json:1:3: unexpected “2”; the end of the file is expected" },
    { "[\"\xff\"]", -1, "a.json:1:3: this is not UTF-8 text" },
    { "[\"a\0b\"]", 7, "a.json:1:4: this is not UTF-8 text" },
    { "[\"a\\u0000\"]", -1, "a.json:1:4: this escape does not stand for a character" },
    { "[\"\\udc00\"]", -1, "a.json:1:3: this escape does not stand for a character" },
    { "[\"\\ud800\\u0041\"]", -1, "a.json:1:3: this escape does not stand for a character" },
    { "[\"\\u12g4\"]", -1, "a.json:1:3: this escape does not stand for a character" },
    { "[\"\\300\"]", -1, "a.json:1:3: this escape does not stand for a character" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanJsonReader) reader
          = goban_json_reader_new (cases[i].text, cases[i].length, "a.json", &error);

      g_assert_null (reader);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

static void
test_depth (void)
{
  g_autofree char *deepest = g_strnfill (2 * GOBAN_JSON_MAX_DEPTH, '[');
  g_autofree char *deeper = g_strnfill (GOBAN_JSON_MAX_DEPTH + 1, '[');
  g_autofree char *abyss = g_strnfill (1000000, '[');
  g_autoptr (GobanJsonReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  memset (deepest + GOBAN_JSON_MAX_DEPTH, ']', GOBAN_JSON_MAX_DEPTH);
  reader = open_text (deepest);
  g_assert_cmpint (goban_json_get_type (goban_json_reader_get_root (reader)), ==, GOBAN_JSON_ARRAY);
  g_assert_null (goban_json_reader_new (deeper, -1, "a.json", &error));
  g_assert_cmpstr (error->message, ==, "a.json:1:65: this nests too deeply");
  g_clear_error (&error);
  g_assert_null (goban_json_reader_new (abyss, -1, "a.json", &error));
  g_assert_cmpstr (error->message, ==, "a.json:1:65: this nests too deeply");
}

/* --- values ----------------------------------------------------------------------------------- */

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
      g_autoptr (GobanJsonReader) reader = open_text (cases[i].text);
      GobanJsonValue root = goban_json_reader_get_root (reader);
      double value = NAN;

      g_assert_cmpint (goban_json_get_type (root), ==, cases[i].type);
      g_assert_true (goban_json_is_number (root, &value));
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

static void
test_whole_numbers (void)
{
  g_autoptr (GobanJsonReader) reader
      = open_text ("{\"a\": 4.0, \"b\": 1e3, \"c\": 9223372036854775807, \"d\": 2.5,\n"
                   "\"e\": 9223372036854775808, \"f\": 1e400, \"g\": -1, \"h\": 1e16}");
  GobanJsonValue root = goban_json_reader_get_root (reader);
  GobanJsonWhole any = { G_MININT64, G_MAXINT64 };
  GobanJsonWhole few = { 1, 1024 };
  g_autoptr (GError) error = NULL;
  gint64 n = 7;

  g_assert_true (goban_json_get_whole (root, "none", few, &n, &error));
  g_assert_cmpint (n, ==, 7);
  g_assert_true (goban_json_get_whole (root, "a", few, &n, &error));
  g_assert_cmpint (n, ==, 4);
  g_assert_true (goban_json_get_whole (root, "b", few, &n, &error));
  g_assert_cmpint (n, ==, 1000);
  g_assert_true (goban_json_get_whole (root, "c", GOBAN_JSON_COUNT, &n, &error));
  g_assert_cmpint (n, ==, G_MAXINT64);
  assert_message (goban_json_get_whole (root, "d", few, &n, &error), &error,
                  "a.json:1: d is 2.5: a whole number from 1 to 1024 is needed");
  assert_message (goban_json_get_whole (root, "e", any, &n, &error), &error,
                  "a.json:2: e is 9223372036854775808: a whole number is needed");
  assert_message (goban_json_get_whole (root, "f", any, &n, &error), &error,
                  "a.json:2: f is 1e400: a whole number is needed");
  assert_message (goban_json_get_whole (root, "g", GOBAN_JSON_COUNT, &n, &error), &error,
                  "a.json:2: g is -1: a whole number of at least 0 is needed");
  assert_message (goban_json_get_whole (root, "h", any, &n, &error), &error,
                  "a.json:2: h is 1e16: a whole number is needed");
  g_assert_cmpint (n, ==, G_MAXINT64);
}

static void
test_texts (void)
{
  g_autoptr (GobanJsonReader) reader = open_text ("{\"t\": [\"\", \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\","
                                                  " \"\\u00e9\\u20ac\\ud83d\\ude00\", \"é\"]}");
  g_autofree const char **texts = NULL;

  g_assert_true (
      goban_json_get_texts (goban_json_reader_get_root (reader), "t", &texts, NULL)); /* asserted */
  g_assert_cmpuint (g_strv_length ((char **) texts), ==, 4);
  g_assert_cmpstr (texts[0], ==, "");
  g_assert_cmpstr (texts[1], ==, "a\"\\/\b\f\n\r\t");
  g_assert_cmpstr (texts[2], ==, "é€😀");
  g_assert_cmpstr (texts[3], ==, "é");
}

/* Of members with one key the last counts, among few and among many. */
static void
test_duplicates (void)
{
  static const guint counts[] = { 2, 16, 17, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autoptr (GString) text = g_string_new ("{");
      g_autoptr (GobanJsonReader) reader = NULL;
      GobanJsonValue root, value;
      GobanJsonItems members;
      const char *key;
      double number = NAN;
      guint n = 0;

      for (guint k = 0; k < counts[i]; k++)
        g_string_append_printf (text, "\"k%u\": [%u, {}], \"twice\": %u,", k, k, k);
      g_string_append (text, "\"no\": null}");
      reader = open_text (text->str);
      root = goban_json_reader_get_root (reader);
      g_assert_true (goban_json_get_number (root, "twice", GOBAN_JSON_ANY, &number, NULL));
      g_assert_cmpfloat (number, ==, counts[i] - 1);
      g_assert_true (goban_json_get_number (root, "no", GOBAN_JSON_ANY, &number, NULL));
      g_assert_cmpfloat (number, ==, counts[i] - 1);
      g_assert_false (goban_json_has (root, "no"));
      g_clear_pointer (&reader, goban_json_reader_free);

      g_string_prepend (text, "{\"m\":");
      g_string_append_c (text, '}');
      reader = open_text (text->str);
      g_assert_true (
          goban_json_get_members (goban_json_reader_get_root (reader), "m", &members, NULL));
      while (goban_json_members_next (&members, &key, &value))
        n++;
      g_assert_cmpuint (n, ==, counts[i] + 2);
    }
}

/* --- mistakes --------------------------------------------------------------------------------- */

static const char every_type[]
    = "{\n\"null\": null,\n\"true\": true,\n\"whole\": 12,\n\"real\": -1.5e3,\n\"text\": \"x\",\n"
      "\"list\": [\n1],\n\"object\": {}}";

/* Calls one getter on a member of every type; the message, if the type is wrong. (transfer full) */
static char *
get_as (GobanJsonValue root, const char *key, guint getter)
{
  static const char *const words[] = { "one", "two", NULL };
  g_autofree const char **texts = NULL;
  g_autoptr (GError) error = NULL;
  GobanJsonItems items;
  const char *text;
  gboolean is_fine = FALSE, truth;
  double number;
  gint64 whole;
  guint index;

  switch (getter)
    {
    case 0:
      is_fine = goban_json_get_number (root, key, GOBAN_JSON_AMOUNT, &number, &error);
      break;
    case 1:
      is_fine = goban_json_get_boolean (root, key, &truth, &error);
      break;
    case 2:
      is_fine = goban_json_get_text (root, key, &text, &error);
      break;
    case 3:
      is_fine = goban_json_get_texts (root, key, &texts, &error);
      break;
    case 4:
      is_fine = goban_json_get_members (root, key, &items, &error);
      break;
    case 5:
      is_fine = goban_json_get_word (root, key, words, &index, &error);
      break;
    case 6:
      is_fine = goban_json_get_whole (root, key, (GobanJsonWhole){ G_MININT64, 9 }, &whole, &error);
      break;
    default:
      g_assert_not_reached ();
    }
  g_assert_cmpint (is_fine, ==, error == NULL);
  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_wrong_types (void)
{
  static const char *const needs[] = { "a number of at least 0",
                                       "true or false",
                                       "a text",
                                       "a list",
                                       "an object",
                                       "one of one, two",
                                       "a whole number of at most 9" };
  static const struct
  {
    const char *key;
    guint line;
    const char *words;
    guint right; /* bits: the getters that it is right for */
  } cases[] = {
    { "null", 2, "null", 127 },       { "true", 3, "true", 2 }, { "whole", 4, "12", 1 },
    { "real", 5, "-1.5e3", 64 },      { "text", 6, "“x”", 4 },  { "list", 7, "a list", 0 },
    { "object", 9, "an object", 16 },
  };
  g_autoptr (GobanJsonReader) reader = open_text (every_type);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint getter = 0; getter < G_N_ELEMENTS (needs); getter++)
      {
        g_autofree char *got = get_as (goban_json_reader_get_root (reader), cases[i].key, getter);
        g_autofree char *wanted
            = (cases[i].right >> getter & 1) != 0
                  ? NULL
                  : g_strdup_printf ("a.json:%u: %s is %s: %s is needed", cases[i].line,
                                     cases[i].key, cases[i].words, needs[getter]);

        /* A list of texts is a list, but its element is not a text. */
        if (getter == 3 && strcmp (cases[i].key, "list") == 0)
          g_assert_cmpstr (got, ==, "a.json:8: list[0] is 1: a text is needed");
        else
          g_assert_cmpstr (got, ==, wanted);
      }
}

static void
test_keys (void)
{
  static const char *const keys[] = { "!name", "memory", "kind", "devices", NULL };
  g_autoptr (GobanJsonReader) reader
      = open_text ("{\"name\": \"a\", \"devices\": [\n {\"name\": \"b\", \"memroy\": 1},\n"
                   " {\"name\": \"b\",\n  \"speed\": 1},\n {\"kind\": 1, \"name\": null}, 3]}");
  GobanJsonValue root = goban_json_reader_get_root (reader);
  static const char *const messages[]
      = { "a.json:2: devices[0].memroy is not known: did you mean memory?",
          "a.json:4: devices[1].speed is not known; known are name, memory, kind, devices",
          "a.json:5: devices[2].name is missing",
          "a.json:5: devices[3] is 3: an object is needed" };
  g_autoptr (GError) error = NULL;
  GobanJsonItems items;
  GobanJsonValue item;
  guint i = 0;

  g_assert_true (goban_json_check_object (root, keys, &error));
  g_assert_true (goban_json_get_list (root, "devices", &items, &error));
  g_assert_cmpuint (items.n, ==, G_N_ELEMENTS (messages));
  while (goban_json_items_next (&items, &item))
    assert_message (goban_json_check_object (item, keys, &error), &error, messages[i++]);
  g_assert_cmpuint (i, ==, G_N_ELEMENTS (messages));
}

/* Long values and keys are cut between characters; the root has a name. */
static void
test_excerpts (void)
{
  g_autofree char *e = g_strnfill (60, 'e');
  g_autofree char *text = g_strdup_printf ("{\"%s\": \"%sé\",\n\"t\": \"x%sééééé\"}", e, e, e + 25);
  g_autofree char *long_key
      = g_strdup_printf ("a.json:1: %.40s is “%.40s”…: a list is needed", e, e);
  g_autofree char *cut = g_strdup_printf ("a.json:2: t is “x%.35séé”…: a list is needed", e);
  g_autoptr (GobanJsonReader) reader = open_text (text);
  g_autoptr (GobanJsonReader) scalar = open_text ("\n 12 ");
  GobanJsonValue root = goban_json_reader_get_root (reader);
  g_autoptr (GError) error = NULL;
  GobanJsonItems items;

  assert_message (goban_json_get_list (root, e, &items, &error), &error, long_key);
  assert_message (goban_json_get_list (root, "t", &items, &error), &error, cut);
  assert_message (goban_json_read_list (goban_json_reader_get_root (scalar), &items, &error),
                  &error, "a.json:2: the top level is 12: a list is needed");
  assert_message (goban_json_refuse (root, &error, "it is %d", 4), &error, "a.json:1: it is 4");
  assert_message (goban_json_refuse_missing (root, "x", &error), &error, "a.json:1: x is missing");
}

/* --- random texts ----------------------------------------------------------------------------- */

/* Writes a random value and appends what must be found again: a line for every scalar with its line
 * and path. */
static void
write_random (GString *text, GString *found, const char *path, guint depth, GobanRng *rng)
{
  guint kind = depth == 0 ? 3 + goban_rng_below (rng, 2) : goban_rng_below (rng, depth > 5 ? 3 : 5);
  guint n = goban_rng_below (rng, 5);
  guint line = 1;

  for (const char *p = text->str; (p = strchr (p, '\n')) != NULL; p++)
    line++;
  if (kind < 3)
    {
      static const char *const scalars[] = { "false", "-12.5", "\"a,]}\\n\\\"b\\u00e9\"" };

      g_string_append (text, scalars[kind]);
      g_string_append_printf (found, "a.json:%u%s%s\n", line, *path != '\0' ? ": " : "", path);
      return;
    }
  g_string_append_c (text, kind == 3 ? '[' : '{');
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("%s%u", i % 2 == 0 ? "k.[" : "ä", i);
      g_autofree char *inner
          = kind == 3 ? g_strdup_printf ("%s[%u]", path, i)
                      : g_strdup_printf ("%s%s%s", path, *path != '\0' ? "." : "", key);

      g_string_append (text, i > 0 ? "," : "");
      g_string_append (text, goban_rng_below (rng, 3) == 0 ? "\n\t" : " ");
      if (kind == 4)
        {
          goban_json_append_string (text, key);
          g_string_append (text, goban_rng_below (rng, 4) == 0 ? "\r\n:\n" : ":");
        }
      write_random (text, found, inner, depth + 1, rng);
    }
  g_string_append (text, kind == 3 ? "\n]" : "}");
}

static void
walk (GobanJsonValue value, GString *found)
{
  GobanJsonType type = goban_json_get_type (value);
  g_autofree char *place = goban_json_dup_place (value);
  g_autoptr (GError) error = NULL;
  GobanJsonItems items;
  GobanJsonValue item;
  const char *key;

  if (type == GOBAN_JSON_ARRAY)
    {
      g_assert_true (goban_json_read_list (value, &items, &error));
      while (goban_json_items_next (&items, &item))
        walk (item, found);
    }
  else if (type != GOBAN_JSON_OBJECT)
    g_string_append_printf (found, "%s\n", place);
  else
    {
      g_assert_true (goban_json_read_members (value, &items, &error));
      while (goban_json_members_next (&items, &key, &item))
        {
          g_assert_cmpuint (goban_json_find (value, key).token, ==, item.token);
          walk (item, found);
        }
    }
}

static void
test_random (void)
{
  GobanRng rng;
  guint n_deep = 0;

  goban_rng_init (&rng, 5);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      g_autoptr (GString) text = g_string_new ("");
      g_autoptr (GString) expected = g_string_new ("");
      g_autoptr (GString) found = g_string_new ("");
      g_autoptr (GobanJsonReader) reader = NULL;

      write_random (text, expected, "", 0, &rng);
      reader = open_text (text->str);
      walk (goban_json_reader_get_root (reader), found);
      g_assert_cmpstr (found->str, ==, expected->str);
      n_deep += strstr (found->str, "][") != NULL;
    }
  g_assert_cmpuint (n_deep, >, N_RANDOM / 10);
}

/* Every text with one byte changed is read or refused, in bounds (sanitizers look on). */
static void
test_damaged (void)
{
  static const char bytes[] = "{}[],:\"\\0-e.tn \n\x80u";
  guint n_read = 0, n = 0;

  for (gsize i = 0; i < strlen (every_type); i++)
    for (gsize b = 0; b < strlen (bytes); b++, n++)
      {
        /* Without a zero behind it. */
        g_autofree char *text = g_memdup2 (every_type, strlen (every_type));
        g_autoptr (GobanJsonReader) reader = NULL;
        g_autoptr (GError) error = NULL;

        text[i] = bytes[b];
        reader = goban_json_reader_new (text, strlen (every_type), "a.json", &error);
        g_assert_cmpint (reader != NULL, ==, error == NULL);
        n_read += reader != NULL;
      }
  g_assert_cmpuint (n_read, >, n / 20);
  g_assert_cmpuint (n_read, <, n / 2);
}

TEST_PROGRAM (json_reader)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-reader/blocks", test_blocks);
  g_test_add_func ("/json-reader/grammar", test_grammar);
  g_test_add_func ("/json-reader/depth", test_depth);
  g_test_add_func ("/json-reader/numbers", test_numbers);
  g_test_add_func ("/json-reader/whole-numbers", test_whole_numbers);
  g_test_add_func ("/json-reader/texts", test_texts);
  g_test_add_func ("/json-reader/duplicates", test_duplicates);
  g_test_add_func ("/json-reader/wrong-types", test_wrong_types);
  g_test_add_func ("/json-reader/keys", test_keys);
  g_test_add_func ("/json-reader/excerpts", test_excerpts);
  g_test_add_func ("/json-reader/random", test_random);
  g_test_add_func ("/json-reader/damaged", test_damaged);
  return g_test_run ();
}
