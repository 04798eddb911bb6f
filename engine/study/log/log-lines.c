#include "engine/study/log/log-lines.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/study/run/graph-source.h"

#include <math.h>
#include <string.h>

/* Limits of the list of names; longer node lists are written as id ranges. */
#define MAX_NAMES 8
#define MAX_NAMED 200
/* A single node is named unless its name would fill a screen. */
#define MAX_SINGLE 1000
/* Characters of ",FIRST-LAST". */
#define MAX_RANGE 22

void
goban_log_emit (gpointer object, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  g_signal_emit_by_name (object, "log", line);
}

/* By hand and a page at a time: half of 80,000 nodes, here and there, are 40,000 numbers, each time
 * they are selected. */
static void
append_ranges (GString *line, const GobanNodeId *ids, guint n)
{
  char page[4096];
  char *at = page;

  for (guint first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && ids[end] == ids[end - 1] + 1;)
        end++;
      if (first > 0)
        *at++ = ',';
      at = goban_put_number (at, ids[first]);
      if (end - first > 1)
        {
          *at++ = '-';
          at = goban_put_number (at, ids[end - 1]);
        }
      if (end == n || at + MAX_RANGE > page + sizeof page)
        {
          g_string_append_len (line, page, at - page);
          at = page;
        }
    }
}

/* One number or range at *@at, which then is behind it. FALSE if there is none. */
static gboolean
parse_range (const char **at, guint64 *first, guint64 *last)
{
  char *end;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  *first = *last = g_ascii_strtoull (*at, &end, 10);
  if (*end == '-' && g_ascii_isdigit (end[1]))
    *last = g_ascii_strtoull (end + 1, &end, 10);
  *at = *end == ',' ? end + 1 : end;
  return *end == ',' || *end == '\0';
}

GobanSelection *
goban_log_parse_ranges (const char *text, guint n_nodes, GError **error)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n_nodes + 1);
  guint64 first, last, next = 0;
  guint n = 0;

  for (const char *at = text; *at != '\0';)
    {
      if (!parse_range (&at, &first, &last))
        {
          goban_set_error (error, GOBAN_ERROR_PARSE,
                           "ranges of indices expected, as in \"0-11,40\"");
          return NULL;
        }
      if (first < next || first > last || last >= n_nodes)
        {
          goban_set_error (error, GOBAN_ERROR_PARSE,
                           "the indices do not ascend, or are beyond the graph");
          return NULL;
        }
      for (next = first; next <= last; next++)
        ids[n++] = (GobanNodeId) next;
    }
  return goban_selection_new (ids, n);
}

char *
goban_log_nodes (GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  GString *line = g_string_new ("g:nodes{");

  for (guint i = 0; i < n && n <= MAX_NAMES && line->len <= MAX_SINGLE; i++)
    {
      g_autofree char *name = goban_lua_text_quote (goban_graph_get_node (graph, ids[i])->name);

      g_string_append_printf (line, "%s%s", i > 0 ? ", " : "", name);
    }
  if (n <= MAX_NAMES && line->len <= (n <= 1 ? MAX_SINGLE : MAX_NAMED))
    return g_string_free (g_string_append_c (line, '}'), FALSE);

  g_string_assign (line, "g:nodes \"");
  append_ranges (line, ids, n);
  return g_string_free (g_string_append_c (line, '"'), FALSE);
}

char *
goban_log_cluster (GobanCluster *cluster)
{
  g_autofree char *name = goban_lua_text_quote (goban_cluster_get_name (cluster));
  g_autofree char *json = goban_cluster_to_json (cluster);
  /* A file's or a script's name need not be a spec. */
  g_autoptr (GobanCluster) preset
      = goban_cluster_new_from_spec (goban_cluster_get_name (cluster), NULL);
  g_autofree char *preset_json = preset != NULL ? goban_cluster_to_json (preset) : NULL;
  g_autofree char *quoted = NULL;

  if (g_strcmp0 (json, preset_json) == 0)
    return g_strdup_printf ("app.cluster %s", name);

  g_strdelimit (json, "\n", ' ');
  quoted = goban_lua_text_quote (json);
  return g_strdup_printf ("app.cluster(cluster.parse(%s))", quoted);
}

/* A double as Lua reads it back, to the last bit; (transfer full). */
static char *
log_number (double value)
{
  char text[GOBAN_QUANTITY_LEN];

  return g_strdup (isinf (value) ? "math.huge" : goban_format_double (text, value));
}

char *
goban_log_what_if (GobanCluster *cluster, const GobanWhatIf *change)
{
  g_autofree char *first
      = goban_lua_text_quote (goban_cluster_get_vertex_name (cluster, change->from));
  g_autofree char *second
      = change->is_link ? goban_lua_text_quote (goban_cluster_get_vertex_name (cluster, change->to))
                        : NULL;
  g_autofree char *number = log_number (change->value);
  const char *alike = change->is_alike ? ", alike = true" : "";

  if (change->is_link)
    return g_strdup_printf ("app.link(%s, %s, { %s = %s%s })", first, second, change->what, number,
                            alike);
  return g_strdup_printf ("app.device(%s, { %s = %s%s })", first, change->what, number, alike);
}

/* "seed = 3, evals = 50": options that differ from their defaults. (transfer full) */
static char *
dup_keys (const GobanRunOptions *options)
{
  GString *keys = g_string_new (NULL);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];

  if (options->seed > 0)
    g_string_append_printf (keys, ", seed = %" G_GUINT64_FORMAT, options->seed);
  if (options->max_evaluations > 0)
    g_string_append_printf (keys, ", evals = %" G_GUINT64_FORMAT, options->max_evaluations);
  if (options->max_seconds > 0)
    g_string_append_printf (keys, ", seconds = %s",
                            g_ascii_dtostr (seconds, sizeof seconds, options->max_seconds));
  goban_lua_text_add (keys, "network", options->network);
  goban_lua_text_add (keys, "settings", options->settings);

  if (options->decisions != 0 && options->decisions != GOBAN_TASKS_DEFAULT)
    {
      g_autofree char *tasks = goban_tasks_to_text (options->decisions);

      g_string_append_printf (keys, ", tasks = \"%s\"", tasks);
    }

  if (options->pinned != NULL)
    g_string_append (keys, ", pinned = true");
  if (keys->len > 0)
    g_string_erase (keys, 0, strlen (", "));
  return g_string_free (keys, FALSE);
}

char *
goban_log_policy (const char *policy, const GobanRunOptions *options)
{
  g_autofree char *name = g_strdelimit (g_strdup (policy), "-", '_');
  g_autofree char *keys = dup_keys (options);

  if (*keys == '\0')
    return g_strdup_printf ("plan.%s(g)", name);
  return g_strdup_printf ("plan.%s(g, { %s })", name, keys);
}

char *
goban_log_fork (GobanMoment moment, const char *policy, const GobanRunOptions *options)
{
  g_autofree char *quoted = goban_lua_text_quote (policy);
  g_autofree char *keys = dup_keys (options);

  if (*keys == '\0')
    return g_strdup_printf ("view.show(r.decisions[%u]:continue(%s))", moment, quoted);
  return g_strdup_printf ("view.show(r.decisions[%u]:continue(%s, { %s }))", moment, quoted, keys);
}

char *
goban_log_path (const char *path)
{
  g_autofree char *absolute = NULL;

  if (goban_graph_source_is_spec (path))
    return goban_lua_text_quote (path);
  absolute = g_canonicalize_filename (path, NULL);
  return goban_lua_text_quote (absolute);
}

char *
goban_log_load (const char *path, const GobanLoadOptions *options)
{
  g_autofree char *quoted = goban_log_path (path);
  g_autoptr (GString) opts = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  goban_lua_text_add (opts, "format", options->format);
  if (options->time_unit_us > 0)
    g_string_append_printf (
        opts, ", time_unit = \"%sus\"",
        g_ascii_formatd (number, sizeof number, "%.17g", options->time_unit_us));
  if (options->batch > 0)
    g_string_append_printf (opts, ", batch = %" G_GINT64_FORMAT, options->batch);
  g_string_append (opts, options->with_backward ? ", with_backward = true" : "");
  g_string_append (opts, options->training ? ", training = true" : "");
  g_string_append (opts, options->keep_constants ? ", keep_constants = true" : "");

  if (opts->len == 0)
    return g_strdup_printf ("graph.load(%s)", quoted);
  return g_strdup_printf ("graph.load(%s, {%s })", quoted, opts->str + 1);
}

char *
goban_log_run (const char *plan, const char *name)
{
  g_autofree char *quoted = goban_lua_text_quote (name);

  return g_strdup_printf ("sim.run(%s, { name = %s })", plan, quoted);
}
