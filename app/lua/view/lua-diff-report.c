/* lua-diff-report.c: Diff.report, a comparison as text or as an HTML page. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/view/lua-compare.h"
#include "app/lua/view/lua-drawing.h"

#include "engine/core/file.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-origin.h"
#include "ui/draw/export/export.h"
#include "ui/draw/reports/share.h"

#include <string.h>

static void
append_run (GString *script, GobanRun *run)
{
  const char *recipe = goban_run_get_origin (run)->expression;
  char *text = recipe != NULL ? goban_log_run (recipe, goban_run_get_name (run))
                              : goban_lua_text_quote (goban_run_get_name (run));

  g_string_append (script, text);
  if (recipe == NULL)
    g_string_append (script, " --[[ a plan that no line here can make ]]");
  g_free (text);
}

/* Lines that make the page again. Never raises. (transfer full) */
static char *
make_script (lua_State *L, const GobanComparison *comparison)
{
  GString *script = g_string_new (NULL);
  guint n = goban_comparison_get_n_runs (comparison);
  GobanRun *first = goban_comparison_get_run (comparison, 0);
  char *graph = goban_lua_dup_graph_recipe (L, goban_run_get_graph (first));
  char *cluster = goban_log_cluster (goban_run_get_cluster (first));

  g_string_append_printf (script, "%s\n", cluster);
  if (graph != NULL)
    g_string_append_printf (script, "g = %s\n", graph);
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (script, "p%u = ", i + 1);
      append_run (script, goban_comparison_get_run (comparison, i));
      g_string_append_c (script, '\n');
    }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (script, "%sp%u", i == 0 ? "compare(" : ", ", i + 1);
  g_string_append_printf (script, ")%s:report \"report.html\"",
                          goban_comparison_has_own_devices (comparison) ? ":unmatched()" : "");
  g_free (cluster);
  g_free (graph);
  return g_string_free (script, FALSE);
}

static int
write_page (lua_State *L, const GobanComparison *comparison, const char *path)
{
  gpointer *kept = goban_lua_push_kept (L, goban_sharing_free);
  GobanSharing *sharing = *kept = goban_sharing_new (path);

  sharing->shown = 1;
  sharing->has_own_devices = goban_comparison_has_own_devices (comparison);
  sharing->script = make_script (L, comparison);
  for (guint i = 0; i < goban_comparison_get_n_runs (comparison); i++)
    g_ptr_array_add (sharing->runs, goban_run_ref (goban_comparison_get_run (comparison, i)));
  return goban_lua_write_drawing (L, goban_sharing_run);
}

static char *
make_report (lua_State *L, GobanComparison *comparison)
{
  if (goban_lua_has_difference (comparison))
    return goban_report_diff_text (goban_lua_push_difference (L, 0));

  return goban_report_comparison_text (comparison);
}

/* d:report (path): a page if the path ends in .html, else text; d:report (): text. */
static int
comparison_report (lua_State *L)
{
  GobanComparison *comparison = goban_lua_check_comparison (L);
  const char *path = luaL_optstring (L, 2, NULL);
  GError *error = NULL;
  char *text;

  if (path != NULL && !goban_lua_may_write (L, path, &error))
    return goban_lua_fail (L, error);
  if (path != NULL && goban_share_is_path (path))
    return write_page (L, comparison, path);
  /* Else the text would be in a file that no program shows. */
  if (path != NULL && goban_export_check_path (path, NULL)
      && !goban_share_check_path (path, &error))
    return goban_lua_fail (L, error);

  text = make_report (L, comparison);
  if (path == NULL)
    {
      goban_lua_take_string (L, text);
      return 1;
    }

  goban_file_write (path, text, strlen (text), &error);
  g_free (text);
  return goban_lua_answer_path (L, 2, error == NULL, &error);
}

static const GobanLuaEntry diff_entries[] = {
  GOBAN_LUA_FUNCTION ("report", comparison_report, "(path)",
                      "The difference as text, or written to a file, whose path it returns. A path "
                      "that ends in .html gets "
                      "a page of all its runs that any browser shows and prints without a network: "
                      "graph, timelines, figures, comparison with the first, steps, and the Lua "
                      "that makes it again.",
                      "d:report \"report.html\""),
  { NULL },
};

void
goban_lua_open_diff_report (lua_State *L)
{
  goban_lua_extend (L, "Diff", diff_entries);
}
