/* goban-cli serve's answers, without the program around them. */
#include "engine/study/programs/server.h"

#include "tests/support/protocol-document.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Asserts that the answer has @part. */
static void
ask (GobanServer *server, const char *line, const char *part)
{
  g_autofree char *answer = goban_server_answer (server, line, strlen (line), NULL);

  g_assert_true (g_str_has_suffix (answer, "}\n"));
  g_assert_true (strchr (answer, '\n') == answer + strlen (answer) - 1);
  if (strstr (answer, part) == NULL)
    g_test_message ("%s: %s", line, answer);
  g_assert_nonnull (strstr (answer, part));
}

/* The dialogue of docs/protocol.md takes place as it stands there. */
static void
test_document (void)
{
  g_autoptr (GobanServer) server = goban_server_new (FALSE);
  g_autofree char *greeting = goban_server_greet ();
  g_autofree char *dialogue = protocol_document_read ("docs/protocol.md", "serve");
  g_autofree char *expected = protocol_document_pick_answers (dialogue);
  g_auto (GStrv) lines = g_strsplit (dialogue, "\n", -1);
  g_autoptr (GString) heard = g_string_new ("> ");

  g_string_append (heard, greeting);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '<')
      {
        g_autofree char *answer
            = goban_server_answer (server, lines[i] + 2, strlen (lines[i] + 2), NULL);

        g_string_append_printf (heard, "> %s", answer);
      }
  protocol_document_assert (heard->str, expected);
}

static void
test_moves (void)
{
  g_autoptr (GobanServer) server = goban_server_new (TRUE);
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *load = g_strdup_printf (
      "{\"id\":\"a\",\"do\":\"load\",\"graph\":\"%s\",\"cluster\":\"p100x2\",\"arrays\":true}",
      toy);

  ask (server, load, "{\"id\": \"a\", \"graph\": \"g1\", \"n_nodes\": 12, \"n_edges\": 14");
  ask (server, load, "\"graph\": \"g2\"");
  ask (server, load, "\"mean_transfer_us\": [");
  ask (server, "{\"do\":\"simulate\",\"graph\":\"g1\",\"devices\":[0,0,0,0,0,0,0,0,0,0,0,0]}",
       "\"plan\": \"p1\", \"makespan_us\": 1810");
  ask (server, "{\"do\":\"move\",\"plan\":\"p1\",\"moves\":[[1,1],[2,1]],\"keep\":false}",
       "\"valid\": true");
  ask (server, "{\"do\":\"move\",\"plan\":\"p1\",\"moves\":[]}", "\"makespan_us\": 1810");
  ask (server, "{\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"anneal\",\"evals\":30,\"seed\":2}",
       "\"plan\": \"p2\", \"makespan_us\": 1");
  ask (server, "{\"do\":\"drop\",\"graph\":\"g1\"}", "{\"id\": null}");
  ask (server, "{\"do\":\"why\",\"plan\":\"p1\"}", "plan: there is no plan p1");
  ask (server, "{\"do\":\"place\",\"graph\":\"g2\",\"policy\":\"heft\"}", "\"plan\": \"p3\"");
}

static void
test_mistakes (void)
{
  static const struct
  {
    const char *line, *says;
  } cases[] = {
    { "", "line 2: " },
    { "x", "\"error\": \"line 3, column 1: unexpected" },
    { "[]", "line 4: an object is needed" },
    { "{}", "line 5: do is missing" },
    { "{\"id\":7,\"do\":\"fly\"}", "{\"id\": 7, \"error\": \"line 6: do is “fly”: one of load, " },
    { "{\"do\":\"load\",\"grahp\":\"x\"}", "grahp is not known: did you mean graph?" },
    { "{\"do\":\"load\"}", "either graph, a path or a generator's words, or text is needed" },
    { "{\"do\":\"load\",\"graph\":\"/etc/passwd\"}", "this server reads no files: send the text" },
    { "{\"do\":\"load\",\"graph\":\"rnnlm:layers=1,granularity=coarse\",\"cluster\":\"a.json\"}",
      "this server reads no files: send a description" },
    { "{\"do\":\"load\",\"text\":\"x\",\"format\":\"y\"}", "y" },
    { "{\"do\":\"place\",\"graph\":\"g9\",\"policy\":\"heft\"}", "graph: there is no graph g9" },
    { "{\"do\":\"place\",\"graph\":\"g1\"}", "policy is missing" },
    { "{\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"hefft\"}", "there is no policy “hefft”" },
    { "{\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"heft\",\"seed\":-1}", "seed is -1: " },
    { "{\"do\":\"simulate\",\"graph\":\"g1\"}", "devices is missing" },
    { "{\"do\":\"simulate\",\"graph\":\"g1\",\"devices\":[1]}", "numbers are needed, not 1" },
    { "{\"do\":\"compare\",\"graph\":\"g1\"}", "policies: a list of 1 to 100 names is needed" },
    { "{\"do\":\"move\",\"moves\":[]}", "plan is missing" },
  };
  g_autoptr (GobanServer) server = goban_server_new (FALSE);
  g_autofree char *too_long = NULL;

  ask (server,
       "{\"do\":\"load\",\"graph\":\"rnnlm:layers=1,granularity=coarse\",\"cluster\":\"p100x2\"}",
       "\"graph\": \"g1\"");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    ask (server, cases[i].line, cases[i].says);
  too_long = goban_server_refuse_line (server);
  g_assert_nonnull (strstr (too_long, "is longer than 16 MB"));
}

static gboolean
stop_at_once (gpointer user_data)
{
  return TRUE;
}

static void
test_stopped (void)
{
  static const char line[] = "{\"do\":\"place\",\"graph\":\"g1\",\"policy\":\"anneal\"}";
  const GobanProgress progress = { .should_stop = stop_at_once };
  g_autoptr (GobanServer) server = goban_server_new (FALSE);
  g_autofree char *answer = NULL;

  ask (server, "{\"do\":\"load\",\"graph\":\"rnnlm:layers=1,granularity=coarse\"}", "\"g1\"");
  answer = goban_server_answer (server, line, strlen (line), &progress);
  g_assert_true (g_str_has_prefix (answer, "{\"id\": null, \"error\": \""));
  ask (server, line, "\"plan\": \"p1\"");
}

TEST_PROGRAM (server)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/server/document", test_document);
  g_test_add_func ("/server/moves", test_moves);
  g_test_add_func ("/server/mistakes", test_mistakes);
  g_test_add_func ("/server/stopped", test_stopped);
  return g_test_run ();
}
