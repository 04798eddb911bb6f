#include "tests/support/protocol-document.h"

#include "tests/support/shared-data.h"

#include <string.h>

char *
protocol_document_read (const char *page, const char *kind)
{
  g_autofree char *path = project_path (page);
  g_autofree char *fence = g_strdup_printf ("\n```%s\n", kind);
  g_autofree char *text = NULL;
  char *begin, *end;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  begin = strstr (text, fence);
  g_assert_nonnull (begin);
  begin += strlen (fence);
  end = strstr (begin, "```");
  return g_strndup (begin, (gsize) (end - begin));
}

char *
protocol_document_pick_answers (const char *dialogue)
{
  g_auto (GStrv) lines = g_strsplit (dialogue, "\n", -1);
  g_autoptr (GString) answers = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] == '>')
      g_string_append_printf (answers, "%s\n", lines[i]);
  return g_string_free (g_steal_pointer (&answers), FALSE);
}

void
protocol_document_assert (const char *heard, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (heard, "\n", -1);
  g_auto (GStrv) wanted = g_strsplit (expected, "\n", -1);

  g_test_message ("%s", heard);
  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (wanted));
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_suffix (wanted[i], "…"))
        {
          gsize n = strlen (wanted[i]) - strlen ("…");

          wanted[i][n] = '\0';
          if (strlen (lines[i]) > n)
            lines[i][n] = '\0';
        }
      g_assert_cmpstr (lines[i], ==, wanted[i]);
    }
}
