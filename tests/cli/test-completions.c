/* completions: the words that bash, and zsh where it is installed, offer for an unfinished line. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

/* The last word is completed; bash takes "=" and ":" for words of their own. */
static const struct
{
  const char *line;   /* words separated by blanks, the last may be "''" */
  const char *offers; /* separated by " & ": must be among the answers */
  const char *lacks;  /* "" or one that must not */
} cases[] = {
  { "goban-cli pl", "place", "info" },
  { "goban-cli ''", "info & place & bench & completions & -e", "" },
  { "goban-cli place --pol", "--policy", "--plan" },
  { "goban-cli place --policy hef", "heft", "metis" },
  { "goban-cli place --policy = hef", "heft", "metis" },
  { "goban-cli place -p =", "heft & metis & go-zeroshot", "toy.dot" },
  { "goban-cli compare toy.dot -p heft,met", "heft,metis", "metis" },
  { "goban-cli place --tasks placement,f", "placement,fusion", "placement,all" },
  { "goban-cli place to", "toy.dot", "transformer" },
  { "goban-cli place g", "gpt & gnmt & graph one.json", "toy.dot" },
  { "goban-cli place toy.dot --fusion ''", "none & default", "toy.dot" },
  { "goban-cli place toy.dot -o ''", "toy.dot", "none" },
  { "goban-cli place toy.dot --cluster p100x", "p100x2 & p100x8", "v100x4" },
  { "goban-cli bench q", "quick", "go14" },
  { "goban-cli policies hef", "heft", "toy.dot" },
  { "goban-cli train b", "builder", "regal" },
  { "goban-cli collective all", "all-reduce & all-gather", "send" },
  { "goban-cli pipeline toy.dot --schedule g", "gpipe & graph one.json", "1f1b" },
  { "goban-cli apply --for op", "openvino", "ort" },
  { "goban-cli render --view t", "timeline & table", "graph" },
  { "goban-cli run --tr", "--trust", "--json" },
  { "goban-cli completions ''", "bash & zsh", "toy.dot" },
};

/* A folder with files, in which the shell is. */
static char *
make_files (void)
{
  g_autofree char *toy = cli_temp_with ("toy.dot", "digraph {}", -1);
  g_autofree char *named = cli_temp_with ("graph one.json", "{}", -1);

  return g_path_get_dirname (toy);
}

static gboolean
offers_word (const char *answers, const char *word)
{
  g_autofree char *between = g_strdup_printf ("|%s|", word);

  return strstr (answers, between) != NULL;
}

static void
test_bash (void)
{
  g_autofree char *folder = make_files ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GStrv) offers = g_strsplit (cases[i].offers, " & ", -1);
      g_autofree char *script = g_strdup_printf (
          "cd '%s' && source <(\"$CLI\" completions bash) && words=(%s) COMP_WORDS=(%s)\n"
          "COMP_CWORD=$((${#words[@]} - 1))\n"
          "[ \"$(complete -p goban-cli)\" = 'complete -F _goban_cli goban-cli' ] || exit 1\n"
          "_goban_cli goban-cli \"${words[-1]}\" \"${words[-2]}\"\n"
          "printf '|%%s' \"${COMPREPLY[@]}\"; echo '|'\n",
          folder, cases[i].line, cases[i].line);
      g_autofree char *path = cli_temp_with ("complete.sh", script, -1);
      g_autofree char *quoted = g_shell_quote (path);
      g_autofree char *line = g_strconcat ("bash ", quoted, NULL);
      g_auto (CliResult) result = cli_run_shell (line);

      cli_assert (&result, 0);
      g_assert_cmpstr (result.err, ==, "");
      g_test_message ("%s →%s", cases[i].line, result.out);
      g_assert_false (*cases[i].lacks != '\0' && offers_word (result.out, cases[i].lacks));
      for (guint k = 0; offers[k] != NULL; k++)
        g_assert_true (offers_word (result.out, offers[k]));
    }
}

static void
test_words (void)
{
  g_auto (CliResult) other = cli_run ("completions", "fish", NULL);
  g_auto (CliResult) zsh = cli_run ("completions", "zsh", NULL);
  g_auto (CliResult) parsed = { 0 };
  g_autofree char *parser = g_find_program_in_path ("zsh");
  g_autofree char *path = NULL;
  g_autofree char *quoted = NULL;
  g_autofree char *line = NULL;

  cli_assert (&other, 2);
  g_assert_nonnull (strstr (other.err, "“fish” is neither bash nor zsh"));
  cli_assert (&zsh, 0);
  g_assert_true (g_str_has_prefix (zsh.out, "#compdef goban-cli\n"));
  g_assert_nonnull (strstr (zsh.out, "(-p --policy)--policy="));
  if (parser == NULL)
    {
      g_test_skip ("zsh is not installed: nobody reads what is for it");
      return;
    }
  path = cli_temp_with ("_goban-cli", zsh.out, (gssize) zsh.out_size);
  quoted = g_shell_quote (path);
  line = g_strconcat ("zsh -n ", quoted, NULL);
  parsed = cli_run_shell (line);
  cli_assert (&parsed, 0);
  g_assert_cmpstr (parsed.err, ==, "");
}

TEST_PROGRAM (completions)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/completions/bash", test_bash);
  g_test_add_func ("/cli/completions/words", test_words);
  return cli_end ();
}
