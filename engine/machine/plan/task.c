#include "engine/machine/plan/task.h"
#include "engine/core/i18n.h"

#include "engine/core/error.h"

#include <string.h>

static const char *const names[] = { N_ ("fusion"), N_ ("placement"), N_ ("scheduling") };

G_STATIC_ASSERT (G_N_ELEMENTS (names) == GOBAN_N_TASKS);

const char *
goban_task_get_name (GobanTask decision)
{
  g_return_val_if_fail (decision < GOBAN_N_TASKS, NULL);
  return names[decision];
}

/* The bit of a word, 0 for a word that is none. */
static GobanTasks
bit_of_word (const char *word)
{
  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if (strcmp (word, names[i]) == 0)
      return 1u << i;
  return 0;
}

gboolean
goban_tasks_parse (const char *text, GobanTasks *decisions, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_auto (GStrv) words = g_strsplit (stripped, ",", -1);
  GobanTasks all = strcmp (stripped, "all") == 0 ? GOBAN_TASKS_ALL : 0;

  if (all != 0)
    {
      *decisions = all;
      return TRUE;
    }
  for (guint i = 0; words[i] != NULL; i++)
    {
      GobanTasks bit = bit_of_word (g_strstrip (words[i]));

      if (bit == 0)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            "there is no decision “%s”; there are fusion, placement and scheduling, or "
            "all for all three",
            words[i]);
      if ((all & bit) != 0)
        return goban_refuse (error, GOBAN_ERROR_INVALID, "decision “%s” is there twice", words[i]);
      all |= bit;
    }
  if (all == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "no decision is named; there are fusion, placement and scheduling");
  *decisions = all;
  return TRUE;
}

char *
goban_tasks_to_text (GobanTasks decisions)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    if ((decisions & (1u << i)) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", names[i]);
  return g_string_free (text, FALSE);
}
