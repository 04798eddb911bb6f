#include "tests/support/session-text.h"

#include <string.h>

char *
session_to_text (GobanSession *session, const char *folder)
{
  g_autoptr (GobanSnapshot) snapshot = goban_snapshot_new (session);
  g_autoptr (GError) error = NULL;
  gsize size;
  char *text = goban_snapshot_to_text (snapshot, folder, &size, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (size, ==, strlen (text));
  return text;
}

GobanSnapshot *
session_read_text (const char *text, const char *path, GobanGraph *graph)
{
  const GobanSnapshotOptions options = { .graph = graph };
  g_autoptr (GError) error = NULL;
  GobanSnapshot *snapshot = goban_snapshot_read (text, strlen (text), path, &options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  return snapshot;
}

void
session_assert_refused (const char *text, const SessionDamage *damage, GobanError code)
{
  g_autoptr (GString) changed = g_string_new (text);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_string_replace (changed, damage->from, damage->to, 1), ==, 1);
  g_assert_null (goban_snapshot_read (changed->str, changed->len, "s.goban", NULL, &error));
  g_assert_error (error, GOBAN_ERROR, (int) code);
  if (strstr (error->message, damage->message) == NULL)
    g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, damage->message));
}
