/* lua-diff-report.c: Diff.report, a difference as text or as a file of pages. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/view/lua-compare.h"

#include "engine/core/file.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/export/export.h"
#include "ui/draw/reports/report-page.h"

#include <string.h>

typedef struct
{
  GobanRun *before;
  GobanRun *after;
  gboolean has_own_devices;
  char *script;
  char *path;
} Reporting;

static void
free_reporting (gpointer data)
{
  Reporting *reporting = data;

  goban_run_unref (reporting->before);
  goban_run_unref (reporting->after);
  g_free (reporting->script);
  g_free (reporting->path);
  g_free (reporting);
}

static gpointer
run_reporting (const GobanProgress *progress, gpointer data, GError **error)
{
  const Reporting *reporting = data;
  GobanReportOrder order = { .before = reporting->before,
                             .after = reporting->after,
                             .has_own_devices = reporting->has_own_devices,
                             .script = reporting->script,
                             .progress = progress };

  return goban_report_page_deliver (&order, reporting->path, error) ? g_strdup (reporting->path)
                                                                    : NULL;
}

static int
finish_reporting (lua_State *L, gpointer result)
{
  g_free (result);
  lua_pushboolean (L, TRUE);
  return 1;
}

static void
append_run (GString *script, GobanRun *run)
{
  const char *recipe = goban_run_get_expression (run);
  char *text = recipe != NULL ? goban_log_run (recipe, goban_run_get_name (run))
                              : goban_lua_text_quote (goban_run_get_name (run));

  g_string_append (script, text);
  if (recipe == NULL)
    g_string_append (script, " --[[ a plan that no line here can make ]]");
  g_free (text);
}

/* Never raises. (transfer full) */
static char *
make_script (lua_State *L, GobanRun *before, GobanRun *after, gboolean has_own_devices)
{
  GString *script = g_string_new (NULL);
  char *graph = goban_lua_dup_graph_recipe (L, goban_run_get_graph (after));
  char *cluster = goban_log_cluster (goban_run_get_cluster (after));

  g_string_append_printf (script, "%s\n", cluster);
  if (graph != NULL)
    g_string_append_printf (script, "g = %s\n", graph);
  g_string_append (script, "a = ");
  append_run (script, before);
  g_string_append (script, "\nb = ");
  append_run (script, after);
  g_string_append_printf (script, "\ncompare(a, b)%s:report \"report.pdf\"",
                          has_own_devices ? ":unmatched()" : "");
  g_free (cluster);
  g_free (graph);
  return g_string_free (script, FALSE);
}

static int
write_report (lua_State *L, GobanComparison *comparison, const char *path)
{
  GobanRun *before = goban_comparison_get_run (comparison, 0);
  GobanRun *after = goban_comparison_get_run (comparison, 1);
  Reporting *reporting = g_new0 (Reporting, 1);

  reporting->before = goban_run_ref (before);
  reporting->after = goban_run_ref (after);
  reporting->has_own_devices = goban_comparison_has_own_devices (comparison);
  reporting->script = make_script (L, before, after, reporting->has_own_devices);
  reporting->path = g_strdup (path);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Writing a report",
                                             .run = run_reporting,
                                             .data = reporting,
                                             .free_data = free_reporting,
                                             .free_result = g_free,
                                             .finish = finish_reporting });
}

static char *
make_report (lua_State *L, GobanComparison *comparison)
{
  if (goban_lua_has_difference (comparison))
    return goban_report_diff_text (goban_lua_push_difference (L, 0));

  return goban_report_comparison_text (comparison);
}

/* d:report (path): pages if the path ends as pictures do, else text; d:report (): text. */
static int
comparison_report (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  const char *path = luaL_optstring (L, 2, NULL);
  GError *error = NULL;
  char *text;

  if (path != NULL && !goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  if (path != NULL && strcmp (path, "-") != 0 && goban_export_check_path (path, NULL)) /* or text */
    {
      goban_lua_push_difference (L, 0); /* or raises if there is none */
      return write_report (L, comparison, path);
    }

  text = make_report (L, comparison);
  if (path == NULL)
    {
      goban_lua_take_string (L, text);
      return 1;
    }

  goban_file_write (path, text, strlen (text), &error);
  g_free (text);
  if (error != NULL)
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static const luaL_Reg diff_methods[] = {
  { "report", comparison_report },
  { NULL, NULL },
};

void
goban_lua_open_diff_report (lua_State *L)
{
  goban_lua_extend (L, "Diff", diff_methods, NULL);
}
