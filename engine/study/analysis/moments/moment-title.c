#include "engine/study/analysis/moments/moment-title.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/analysis/scopes.h"

#include <string.h>

/* A shorter common beginning of two parts of names says nothing. */
#define LEAST_COMMON 3
/* Modules that a title names if the nodes have no scope in common. */
#define MAX_MODULES 2

gsize
goban_node_get_module_length (const char *name)
{
  return goban_scopes_get_prefix_length (name, 1);
}

static const char *
get_name (const GobanCostModel *costs, GobanNodeId node)
{
  return goban_graph_get_node (goban_cost_model_get_graph (costs), node)->name;
}

static gsize
find_common_length (const GobanCostModel *costs, const GobanNodeId *nodes, guint n)
{
  const char *first = get_name (costs, nodes[0]);
  gsize length = strlen (first);

  for (guint i = 1; i < n; i++)
    {
      const char *other = get_name (costs, nodes[i]);
      gsize same = 0;

      while (same < length && first[same] == other[same])
        same++;
      length = same;
    }
  return length;
}

/* The last two parts of a name. */
static const char *
find_end (const char *name)
{
  const char *last = strrchr (name, '/');

  while (last != NULL && last > name && *--last != '/')
    ;
  return last != NULL && *last == '/' ? last + 1 : name;
}

/* "maxpool2, Mixed_5b and 1 more", or "maxpool2 +2". */
static void
append_modules (GString *text, const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
                GobanTitleStyle style)
{
  guint max_modules = style == GOBAN_TITLE_SHORT ? 1 : MAX_MODULES;
  g_autoptr (GHashTable) modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_modules;

  for (guint i = 0; i < n; i++)
    {
      const char *name = get_name (costs, nodes[i]);
      char *module = g_strndup (name, goban_node_get_module_length (name));

      if (!g_hash_table_contains (modules, module) && g_hash_table_size (modules) < max_modules)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", module);
      g_hash_table_add (modules, module);
    }
  n_modules = g_hash_table_size (modules);
  if (n_modules > max_modules)
    g_string_append_printf (text, style == GOBAN_TITLE_SHORT ? " +%u" : _ (" and %u more"),
                            n_modules - max_modules);
}

static void
append_ops (GString *text, guint n)
{
  char number[GOBAN_QUANTITY_LEN];

  g_string_append_printf (text, goban_i18n_get_plural ("%s op", "%s ops", n),
                          goban_format_grouped (number, n));
}

static void
append_nodes (GString *text, const GobanCostModel *costs, const GobanNodeId *nodes, guint n,
              GobanTitleStyle style)
{
  gboolean is_short = style == GOBAN_TITLE_SHORT;
  const char *first = get_name (costs, nodes[0]);
  gsize length, end;
  g_autofree char *scope = NULL;
  g_autofree char *part = NULL;

  if (n == 1)
    {
      g_string_append (text, is_short ? find_end (first) : first);
      return;
    }
  end = find_common_length (costs, nodes, n);
  for (length = end; length > 0 && first[length - 1] != '/';)
    length--;
  while (end > length && !g_ascii_isalnum (first[end - 1]))
    end--;
  if (end < length + LEAST_COMMON)
    end = length;
  /* Half a module is no scope. */
  if (length == 0)
    {
      append_modules (text, costs, nodes, n, style);
      return;
    }
  scope = g_strndup (first, length - 1);
  part = g_strndup (first + length, end - length);
  g_string_append (text, is_short ? find_end (scope) : scope);
  if (*part != '\0')
    g_string_append_printf (text, "%s%s", is_short ? " " : " · ", part);
  else if (is_short)
    {
      g_string_append (text, " · ");
      append_ops (text, n);
    }
}

/* A move, a plan or a rule. */
static void
append_change (GString *text, const GobanDecisions *decisions, const GobanDecision *decision)
{
  g_autoptr (GobanSelection) changed = NULL;
  guint n;

  if (decision->options == GOBAN_OPTION_RULE)
    {
      g_string_append_printf (text, _ ("%s rule"), _ (goban_task_get_name (decision->task)));
      return;
    }
  changed = goban_moment_dup_changed (decisions, decision->number, GOBAN_N_TASKS);
  goban_selection_get_ids (changed, &n);
  if (n == 0)
    g_string_append (text, _ ("no change"));
  else
    {
      g_string_append (text,
                       decision->options == GOBAN_OPTION_MOVE ? _ ("move of ") : _ ("plan of "));
      append_ops (text, n);
    }
}

char *
goban_moment_dup_title (const GobanCostModel *costs, const GobanDecisions *decisions,
                        const GobanDecision *decision, GobanTitleStyle style)
{
  GString *text = g_string_new (NULL);
  char first[8] = "";

  if (goban_option_is_choice (decision->options) && decision->n_nodes > 0)
    {
      append_nodes (text, costs, decision->nodes, decision->n_nodes, style);
      return g_string_free (text, FALSE);
    }
  append_change (text, decisions, decision);
  first[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (text->str)), first)] = '\0';
  g_string_erase (text, 0, g_utf8_next_char (text->str) - text->str);
  g_string_prepend (text, first);
  return g_string_free (text, FALSE);
}
