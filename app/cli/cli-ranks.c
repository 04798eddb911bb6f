#include "app/cli/cli-ranks.h"

#include "engine/core/end-signal.h"
#include "engine/core/ranks/ranks-start.h"

#include <string.h>

/* Longer than mpirun waits for rank 0. */
#define PATIENCE_US (3 * G_USEC_PER_SEC)

static GobanRanks *ranks; /* (nullable) */
/* Other verbs run once in each process. */
static const GobanVerb *const shared[]
    = { &goban_verb_bench, &goban_verb_place, &goban_verb_run, &goban_verb_train };

static GString *messages; /* of a rank that prints nothing; else NULL */

GobanRanks *
goban_cli_get_ranks (void)
{
  return ranks;
}

gboolean
goban_cli_is_first_rank (void)
{
  return goban_ranks_get_rank (ranks) == 0;
}

static void
keep_message (const char *text)
{
  g_string_append (messages, g_str_has_prefix (text, "goban-cli: ") ? text + 11 : text);
}

static void
print_nothing (const char *text)
{
}

static void
stop_cb (gpointer data)
{
  goban_cli_interrupt ();
}

/* mpirun ends a job by SIGTERM if a rank has died; rank 0 then has a second to save its work. */
static gboolean
begin (GError **error)
{
  if (!goban_ranks_start (goban_cli_progress (), &ranks, error))
    return FALSE;
  if (ranks == NULL)
    return TRUE;
  goban_end_signal_set_handler (stop_cb, NULL);
  if (goban_cli_is_first_rank ())
    return TRUE;
  messages = g_string_new (NULL);
  g_set_printerr_handler (keep_message);
  g_set_print_handler (print_nothing);
  return TRUE;
}

/* All ranks end together, unless one was interrupted: then mpirun ends the others. It sends SIGKILL
 * a second after SIGTERM, or as soon as one of them ends: so rank 0, which saves, is the first. */
static int
end (int exit_code)
{
  gboolean has_failed = exit_code == GOBAN_EXIT_USAGE || exit_code == GOBAN_EXIT_FILE;
  const char *failure = NULL;
  g_autoptr (GError) error = NULL;

  if (exit_code == GOBAN_EXIT_INTERRUPTED && !goban_cli_is_first_rank ())
    g_usleep (PATIENCE_US);
  if (has_failed)
    failure = messages != NULL ? g_strchomp (messages->str) : "";
  if (exit_code != GOBAN_EXIT_INTERRUPTED && !goban_ranks_end (ranks, failure, &error)
      && !has_failed)
    exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
  g_clear_pointer (&ranks, goban_ranks_free);
  return exit_code;
}

static gboolean
is_shared (const GobanVerb *verb)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shared); i++)
    if (shared[i] == verb)
      return TRUE;
  return FALSE;
}

static gboolean
asks_for_help (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--help") == 0 || strcmp (argv[i], "-h") == 0)
      return TRUE;
  return FALSE;
}

int
goban_cli_run_in_ranks (const GobanVerb *verb, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (!is_shared (verb) || goban_ranks_count_started () == 1 || asks_for_help (argc, argv))
    return verb->run (argc, argv);
  if (!begin (&error))
    return goban_cli_fail (error, GOBAN_EXIT_USAGE);
  return end (verb->run (argc, argv));
}
