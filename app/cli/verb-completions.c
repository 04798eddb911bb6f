/* verb-completions.c: completion files of bash and zsh, made from the verbs' options. */
#include "app/cli/cli.h"

#include "engine/graph/workloads/workload.h"
#include "engine/io/apply/apply.h"
#include "engine/study/bench/suite.h"
#include "engine/study/run/collective-run.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/training/training.h"

#include <string.h>

/* --- words ------------------------------------------------------------------------------------ */

static void
add_word (GString *words, const char *word)
{
  /* Placeholders are upper case, and a shell ends a word at a colon. */
  for (const char *p = word; *p != '\0'; p++)
    if (g_ascii_isupper (*p) || *p == ':')
      return;
  g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", word);
}

static void
add_words (GString *words, const char *list, const char *separator)
{
  g_auto (GStrv) all = g_strsplit (list, separator, -1);

  for (guint i = 0; all[i] != NULL; i++)
    add_word (words, all[i]);
}

static void
add_policies (GString *words)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    add_word (words, policies[i].name);
}

static void
add_families (GString *words)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    add_word (words, families[i]->name);
}

static void
add_frameworks (GString *words)
{
  gsize n;
  const GobanApplyTarget *const *targets = goban_apply_targets (&n);

  for (gsize i = 0; i < n; i++)
    add_word (words, goban_apply_get_name (targets[i]));
}

static void
add_clusters (GString *words)
{
  const char *const *presets = goban_cluster_presets ();

  for (guint i = 0; presets[i] != NULL; i += 2)
    add_word (words, presets[i]);
}

static void
add_formats (GString *words)
{
  g_autofree char *readers = goban_graph_source_list_readers ();

  add_words (words, readers, ", ");
}

static void
add_suites (GString *words)
{
  g_auto (GStrv) names = goban_suite_names ();

  for (guint i = 0; names[i] != NULL; i++)
    add_word (words, names[i]);
}

static void
add_networks (GString *words)
{
  const char *const *names = goban_training_get_networks ();

  for (guint i = 0; names[i] != NULL; i++)
    add_word (words, names[i]);
}

static void
add_collectives (GString *words)
{
  for (guint i = 0; i < GOBAN_N_COLLECTIVES; i++)
    add_word (words, goban_collective_names[i]);
}

/* By what the help says for a value or an argument. */
static const struct
{
  const char *placeholder;
  void (*add) (GString *words);
  gboolean is_path; /* as well */
} kinds[] = {
  { "CLUSTER", add_clusters, TRUE },  { "FAMILY", add_families, FALSE },
  { "FORMAT", add_formats, FALSE },   { "FRAMEWORK", add_frameworks, FALSE },
  { "GRAPH", add_families, TRUE },    { "IN", NULL, TRUE },
  { "KIND", add_collectives, FALSE }, { "MODEL", NULL, TRUE },
  { "NETWORK", add_networks, FALSE }, { "POLICY", add_policies, FALSE },
  { "SCRIPT.lua", NULL, TRUE },       { "SPEC", add_families, FALSE },
  { "SUITE", add_suites, TRUE },
};

typedef struct
{
  char *words;
  gboolean is_path;
  gboolean is_list; /* separated by commas */
} Values;

static void
values_clear (Values *self)
{
  g_free (self->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Values, values_clear)

/* @placeholder: "POLICY", "POLICY,…", "ring|tree", as in the help. */
static Values
find_values (const char *placeholder, gboolean is_path)
{
  g_autoptr (GString) words = g_string_new (NULL);
  gboolean is_list = g_str_has_suffix (placeholder, ",…");
  g_autofree char *name
      = g_strndup (placeholder, strlen (placeholder) - (is_list ? strlen (",…") : 0));

  if (strchr (name, '|') != NULL)
    add_words (words, name, "|");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].placeholder, name) == 0)
      {
        if (kinds[i].add != NULL && !is_path)
          kinds[i].add (words);
        is_path |= kinds[i].is_path;
      }
  return (Values){ g_string_free (g_steal_pointer (&words), FALSE), is_path, is_list };
}

/* An argument that belongs to no option. */
static Values
find_argument (const GobanVerb *verb)
{
  const char *first = verb->arguments + (*verb->arguments == '[');
  g_autofree char *name = g_strndup (first, strcspn (first, " ]"));

  return find_values (name, FALSE);
}

static Values
find_option_values (const GOptionEntry *entry)
{
  return find_values (entry->arg_description != NULL ? entry->arg_description : "",
                      entry->arg == G_OPTION_ARG_FILENAME
                          || entry->arg == G_OPTION_ARG_FILENAME_ARRAY);
}

/* --- bash ------------------------------------------------------------------------------------- */

static const char bash_head[]
    = "# Completes goban-cli in bash; written by \"goban-cli completions bash\".\n"
      "_goban_cli ()\n"
      "{\n"
      "  local word=$2 before=$3 head= words= is_path= is_list= found\n"
      "  [ \"$word\" = = ] && word=\n"
      "  [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  [ \"$COMP_CWORD\" = 1 ] && before=verb\n"
      "  case \"${COMP_WORDS[1]} $before\" in\n"
      "  *' :' | *' -e') return ;;\n";
static const char bash_tail[]
    = "  esac\n"
      "  if [ -n \"$is_list\" ] && [ \"$word\" != \"${word##*,}\" ]; then\n"
      "    head=${word%,*},\n"
      "    word=${word##*,}\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- \"$word\")\n"
      "  if [ -n \"$is_path\" ]; then\n"
      "    compopt -o filenames 2> /dev/null\n"
      "    mapfile -t found < <(compgen -f -- \"$word\")\n"
      "    COMPREPLY+=(\"${found[@]}\")\n"
      "  fi\n"
      "}\n"
      "complete -F _goban_cli goban-cli\n";

static void
add_bash_values (GString *script, const Values *values)
{
  g_string_append_printf (script, "words='%s'%s%s", values->words,
                          values->is_path ? " is_path=1" : "", values->is_list ? " is_list=1" : "");
}

static void
tell_bash (const GobanVerb *verb, const GOptionEntry *entries, gpointer user_data)
{
  g_auto (Values) argument = find_argument (verb);
  g_autoptr (GString) names = g_string_new (NULL);
  GString *script = user_data;

  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    {
      g_auto (Values) values = find_option_values (entry);

      g_string_append_printf (names, " --%s", entry->long_name);
      if (entry->arg == G_OPTION_ARG_NONE)
        continue;
      g_string_append_printf (script, "  '%s --%s'", verb->name, entry->long_name);
      if (entry->short_name != 0)
        g_string_append_printf (script, " | '%s -%c'", verb->name, entry->short_name);
      g_string_append (script, ") ");
      add_bash_values (script, &values);
      g_string_append (script, " ;;\n");
    }
  g_string_append_printf (script, "  '%s '*) if [[ $word == -* ]]; then words='%s'; else ",
                          verb->name, names->str + 1);
  add_bash_values (script, &argument);
  g_string_append (script, "; fi ;;\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static const char zsh_head[]
    = "#compdef goban-cli\n"
      "# Completes goban-cli in zsh; written by \"goban-cli completions zsh\".\n"
      "_goban_cli ()\n"
      "{\n"
      "  local verb=$words[2]\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a verbs=(\n";
static const char zsh_middle[] = "    )\n"
                                 "    _describe verb verbs\n"
                                 "    return\n"
                                 "  fi\n"
                                 "  shift words\n"
                                 "  (( CURRENT-- ))\n"
                                 "  case $verb in\n";
static const char zsh_tail[] = "  esac\n"
                               "}\n"
                               "_goban_cli \"$@\"\n";

static void
add_zsh_spec (GString *script, const char *spec)
{
  g_autofree char *quoted = g_shell_quote (spec);

  g_string_append_printf (script, " \\\n      %s", quoted);
}

/* ":POLICY: action". (transfer full) */
static char *
make_zsh_action (const char *placeholder, const Values *values)
{
  g_autoptr (GString) action = g_string_new (NULL);

  if (*values->words != '\0')
    g_string_append_printf (action, values->is_list ? "_values -s , word %s; " : "compadd -- %s; ",
                            values->words);
  if (values->is_path)
    g_string_append (action, "_files; ");
  return g_strdup_printf (":%s:{%s}", placeholder,
                          action->len > 0 ? action->str : "_message value; ");
}

/* @prefix: "--policy="; @others: what does not go with it. */
static void
add_zsh_option (GString *script, const GOptionEntry *entry, const char *names, const char *prefix)
{
  gboolean has_value = entry->arg != G_OPTION_ARG_NONE;
  gboolean is_array
      = entry->arg == G_OPTION_ARG_FILENAME_ARRAY || entry->arg == G_OPTION_ARG_STRING_ARRAY;
  g_auto (Values) values = find_option_values (entry);
  g_autoptr (GString) text = g_string_new (entry->description);
  g_autofree char *action
      = has_value ? make_zsh_action (entry->arg_description, &values) : g_strdup ("");
  g_autofree char *spec = NULL;

  g_string_replace (text, "[", "\\[", 0);
  g_string_replace (text, "]", "\\]", 0);
  spec = is_array ? g_strdup_printf ("*%s[%s]%s", prefix, text->str, action)
                  : g_strdup_printf ("(%s)%s[%s]%s", names, prefix, text->str, action);
  add_zsh_spec (script, spec);
}

static void
tell_zsh (const GobanVerb *verb, const GOptionEntry *entries, gpointer user_data)
{
  g_auto (Values) argument = find_argument (verb);
  g_autofree char *action = make_zsh_action (verb->arguments, &argument);
  g_autofree char *arguments = g_strconcat ("*", action, NULL);
  GString *script = user_data;

  g_string_append_printf (script, "  %s) _arguments", verb->name);
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    {
      gboolean has_value = entry->arg != G_OPTION_ARG_NONE;
      char letter[] = { '-', entry->short_name, has_value ? '+' : '\0', '\0' };
      g_autofree char *names = g_strdup_printf ("-%c --%s", entry->short_name, entry->long_name);
      g_autofree char *prefix = g_strdup_printf ("--%s%s", entry->long_name, has_value ? "=" : "");

      if (entry->short_name != 0)
        add_zsh_option (script, entry, names, letter);
      add_zsh_option (script, entry, entry->short_name != 0 ? names : names + 3, prefix);
    }
  if (*verb->arguments != '\0')
    add_zsh_spec (script, arguments);
  g_string_append (script, " ;;\n");
}

/* --- the verb --------------------------------------------------------------------------------- */

static void
add_verbs (GString *script, GobanCliOptionsFunc tell)
{
  goban_cli_tell_options (tell, script);
  for (guint i = 0; goban_verbs[i] != NULL; i++)
    {
      char *argv[] = { (char *) goban_verbs[i]->name, NULL };

      goban_verbs[i]->run (1, argv);
    }
}

static char *
make_bash (void)
{
  GString *script = g_string_new (bash_head);

  g_string_append (script, "  *' verb') words='");
  for (guint i = 0; goban_verbs[i] != NULL; i++)
    g_string_append_printf (script, "%s ", goban_verbs[i]->name);
  g_string_append (script, "help -e --help --version' ;;\n");
  add_verbs (script, tell_bash);
  g_string_append (script, bash_tail);
  return g_string_free (script, FALSE);
}

static char *
make_zsh (void)
{
  GString *script = g_string_new (zsh_head);

  for (guint i = 0; goban_verbs[i] != NULL; i++)
    {
      g_autofree char *text
          = g_strdup_printf ("%s:%s", goban_verbs[i]->name, goban_verbs[i]->summary);
      g_autofree char *quoted = g_shell_quote (text);

      g_string_append_printf (script, "      %s\n", quoted);
    }
  g_string_append (script, zsh_middle);
  add_verbs (script, tell_zsh);
  g_string_append (script, zsh_tail);
  return g_string_free (script, FALSE);
}

static int
run_completions (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_autofree char *script = NULL;

  if (!goban_cli_parse (&goban_verb_completions, &argc, &argv, &options, GOBAN_CLI_REST, NULL, 1,
                        1))
    return GOBAN_EXIT_USAGE;
  if (strcmp (argv[1], "bash") == 0)
    script = make_bash ();
  else if (strcmp (argv[1], "zsh") == 0)
    script = make_zsh ();
  if (script == NULL)
    {
      g_printerr ("goban-cli completions: “%s” is neither bash nor zsh\n", argv[1]);
      return GOBAN_EXIT_USAGE;
    }
  goban_cli_keep_lines ();
  return goban_cli_print (script);
}

const GobanVerb goban_verb_completions
    = { "completions", "bash|zsh", "Write what this shell needs to complete goban-cli",
        run_completions };
