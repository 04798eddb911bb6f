/* test-json-stream.c: streams give what the reader of the whole text gives, places included. */
#include "engine/core/error.h"
#include "engine/core/json-stream.h"
#include "tests/support/test-program.h"

#include <string.h>

static GobanJsonStream *
open_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  GobanJsonStream *stream = goban_json_stream_new (text, strlen (text), "a.json", &error);

  g_assert_no_error (error);
  return stream;
}

static void
assert_refused (const char *text, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJsonStream) stream
      = goban_json_stream_new (text, strlen (text), "a.json", &error);

  g_assert_true (stream == NULL || !goban_json_stream_enter (stream, "list", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_root (void)
{
  g_autoptr (GobanJsonStream) stream
      = open_text (" {\"name\": \"first\", \"none\": null, \"list\" : [],\n\"name\": \"last\"}");
  g_autoptr (GError) error = NULL;
  GobanJsonValue element, name = goban_json_stream_read (stream, "name");
  GobanJsonItems items;

  g_assert_cmpstr (goban_json_peek_text (name), ==, "last");
  g_assert_false (goban_json_read_list (name, &items, &error));
  g_assert_cmpstr (error->message, ==, "a.json:2: name is “last”: a list is needed");
  g_assert_true (goban_json_is_missing (goban_json_stream_read (stream, "none")));
  g_assert_true (goban_json_is_missing (goban_json_stream_read (stream, "other")));
  g_assert_true (goban_json_stream_enter (stream, "list", NULL)); /* asserted */
  g_assert_false (goban_json_stream_next (stream, &element));
}

static void
test_refuses (void)
{
  assert_refused ("", "a.json: the file is empty");
  assert_refused ("\n[1]", "a.json:2: the top level is a list: an object is needed");
  assert_refused ("{\"list\": [1, 2}", "a.json:1:15: unexpected “}”; “,” or “]” is expected");
  assert_refused ("{}", "a.json:1: list is missing");
  assert_refused ("{\"list\": null}", "a.json:1: list is missing");
  assert_refused ("{\n\"list\": 3}", "a.json:2: list is 3: a list is needed");
}

/* The elements one by one, and again in a reader of the whole. */
static void
test_elements (void)
{
  static const char text[] = "{\"a\": 0,\n \"list\" : [ {\"x\": [1,\n2]},\n\n3 , \"x\",[],{\"x\":\n"
                             "[1,\n\n{\"y\": 4}]}\n]}";
  g_autoptr (GobanJsonStream) stream = open_text (text);
  g_autoptr (GobanJsonReader) reader = goban_json_reader_new (text, -1, "a.json", NULL);
  g_autoptr (GError) error = NULL;
  GobanJsonValue element, twin;
  GobanJsonItems items;
  guint n = 0;

  g_assert_true (goban_json_get_list (goban_json_reader_get_root (reader), "list", &items, NULL));
  g_assert_true (goban_json_stream_enter (stream, "list", &error));
  for (; goban_json_stream_next (stream, &element); n++)
    {
      g_autofree char *place = goban_json_dup_place (element);
      g_autofree char *twin_place = NULL;

      g_assert_true (goban_json_items_next (&items, &twin));
      twin_place = goban_json_dup_place (twin);
      g_assert_cmpstr (place, ==, twin_place);
      g_assert_cmpint (goban_json_get_type (element), ==, goban_json_get_type (twin));
      if (n == 4)
        {
          GobanJsonItems inner;

          g_assert_true (goban_json_get_list (element, "x", &inner, NULL));
          g_assert_true (goban_json_items_next (&inner, &element));
          g_assert_true (goban_json_items_next (&inner, &element));
          g_assert_false (goban_json_get_list (element, "y", &inner, &error));
          g_assert_cmpstr (error->message, ==, "a.json:8: list[4].x[1].y is 4: a list is needed");
          g_clear_error (&error);
        }
    }
  g_assert_cmpuint (n, ==, 5);
  g_assert_false (goban_json_stream_refuse (stream, 1, &error, "it is %d", 9));
  g_assert_cmpstr (error->message, ==, "a.json:5: list[1]: it is 9");
}

/* Memory that is given back is not read again, even for the lines of later mistakes. */
static void
test_forgets (void)
{
  const gsize n = 200000, bytes = 60;
  g_autoptr (GString) text = g_string_new ("{\"list\": [");
  g_autoptr (GobanJsonStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  GobanJsonValue element;
  gint64 number;

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s\n{\"i\": %-*" G_GSIZE_FORMAT "}", i > 0 ? "," : "",
                            (int) bytes, i);
  g_string_append (text, "]}");
  stream = open_text (text->str);
  g_assert_true (goban_json_stream_enter (stream, "list", &error));
  for (gsize i = 0; goban_json_stream_next (stream, &element); i++)
    {
      g_assert_true (goban_json_get_whole (element, "i", GOBAN_JSON_COUNT, &number, &error));
      g_assert_cmpuint (number, ==, i);
      goban_json_stream_forget (stream);
    }
  g_assert_cmpuint (number, ==, n - 1);
  /* The pages in the middle are empty now. */
  g_assert_cmpint (text->str[n * bytes / 4], ==, '\0');
  g_assert_false (goban_json_stream_refuse (stream, n / 2, &error, "late"));
  g_assert_cmpstr (error->message, ==, "a.json:100002: list[100000]: late");
}

/* A text that may end early is read up to its last whole value; a mistake before that is one. */
static void
test_lenient (void)
{
  static const struct
  {
    const char *text;
    int n; /* elements; -1: refused */
    gboolean is_cut;
  } cases[] = {
    { "{\"list\": [1, NaN, [2]]}", 3, FALSE },
    { "{\"list\": [1, 2,], }", 2, FALSE },
    { "{\"list\": [1, 2], \"x\": [", 2, FALSE },
    { "{\"list\": [1, 2], \"x\": {\"y\"", 2, TRUE },
    { "{\"list\": [1, 2], \"x\"", 2, TRUE },
    { "{\"list\": [1, 2", 2, FALSE },
    { "{\"list\": [1, 2, {\"a\": [3, 4]", 2, TRUE },
    { "{\"list\": [", 0, FALSE },
    { "{\"list\": ", -1, TRUE },
    { "{\"x\": 1", -1, FALSE },
    { "{", -1, FALSE },
    { " ", -1, FALSE },
    { "{\"list\": [1,, 2]}", -1, FALSE },
    { "{\"list\": [1 2]}", -1, FALSE },
    { "{\"list\": [1]} 2", -1, FALSE },
    { "{\"list\": [nan]}", -1, FALSE },
    { "{\"list\": [1], \"x\": -Inf}", -1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanJsonStream) stream
          = goban_json_stream_new_lenient (cases[i].text, strlen (cases[i].text), "a.json", &error);
      gboolean fine = stream != NULL && goban_json_stream_enter (stream, "list", &error);
      GobanJsonValue element;
      int n = 0;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (fine, ==, cases[i].n >= 0);
      if (!fine)
        {
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
          continue;
        }
      g_assert_cmpint (goban_json_stream_is_cut (stream), ==, cases[i].is_cut);
      while (goban_json_stream_next (stream, &element))
        n++;
      g_assert_cmpint (n, ==, cases[i].n);
      /* The usual streams are as strict as before. */
      g_assert_null (goban_json_stream_new (cases[i].text, strlen (cases[i].text), "a.json", NULL));
    }
}

/* Programs write zeros, halves of surrogate pairs and paths of Windows into traces. */
static void
test_lenient_escapes (void)
{
  static const char text[]
      = "{\"list\": [\"\\u0000a\", \"\\udc00b\", \"\\ud83d\", \"C:\\x\\y\\\\z\", \"\\u12\"]}";
  static const char *const texts[] = { "\xef\xbf\xbd"
                                       "a",
                                       "\xef\xbf\xbd"
                                       "b",
                                       "\xef\xbf\xbd", "C:\\x\\y\\z", "\\u12" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJsonStream) stream
      = goban_json_stream_new_lenient (text, strlen (text), "a.json", &error);
  GobanJsonValue element;

  g_assert_no_error (error);
  g_assert_true (goban_json_stream_enter (stream, "list", &error));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_assert_true (goban_json_stream_next (stream, &element));
      g_assert_cmpstr (goban_json_peek_text (element), ==, texts[i]);
    }
  g_assert_null (goban_json_stream_new (text, strlen (text), "a.json", NULL));
}

/* The digits of a number, which a double would round. */
static void
test_digits (void)
{
  g_autoptr (GobanJsonStream) stream
      = open_text ("{\"a\": 18446744073709551615 , \"b\":-1.50e+3,\"c\": \"1\", \"d\": 7}");
  static const char *const digits[][2] = {
    { "a", "18446744073709551615" }, { "b", "-1.50e+3" }, { "c", NULL }, { "d", "7" }, { "e", NULL }
  };

  for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
    {
      gsize n = 0;
      const char *found
          = goban_json_peek_digits (goban_json_stream_read (stream, digits[i][0]), &n);
      g_autofree char *text = found != NULL ? g_strndup (found, n) : NULL;

      g_assert_cmpstr (text, ==, digits[i][1]);
    }
}

TEST_PROGRAM (json_stream)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-stream/root", test_root);
  g_test_add_func ("/json-stream/refuses", test_refuses);
  g_test_add_func ("/json-stream/elements", test_elements);
  g_test_add_func ("/json-stream/forgets", test_forgets);
  g_test_add_func ("/json-stream/lenient", test_lenient);
  g_test_add_func ("/json-stream/lenient-escapes", test_lenient_escapes);
  g_test_add_func ("/json-stream/digits", test_digits);
  return g_test_run ();
}
