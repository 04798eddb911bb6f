/* lua-figure.c: Lua's Plot: a figure made by the prelude (scripts/prelude/plot.lua), and its files.
 *
 * The prelude hands over plain lists; a handle owns the figure before the first of them is read, so
 * that a raise leaves nothing behind.
 */
#include "app/lua/view/lua-figure.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-drawing.h"

#include <math.h>
#include <string.h>

#define PIPE_COLUMNS 80
#define MAX_SERIES 100

static const GobanLuaType plot_type;

/* --- references ------------------------------------------------------------------------------- */

/* The target of a Node, a Set or a Run at @index; NULL for anything else. Never raises. (transfer
 * full) */
static GobanReference *
dup_reference (lua_State *L, int index)
{
  GobanLuaNode *node = goban_lua_test_node (L, index);
  GobanLuaSet *set = goban_lua_test_set (L, index);
  GobanRun *run = goban_lua_test_run (L, index);
  GobanSelection *nodes = NULL;
  GobanReference *reference;

  if (run != NULL)
    return goban_reference_new (NULL, NULL, run);
  if (node == NULL && set == NULL)
    return NULL;
  nodes
      = node != NULL ? goban_selection_new (&node->id, 1) : goban_selection_new (set->ids, set->n);
  reference = goban_reference_new (
      goban_cost_model_get_graph (node != NULL ? node->costs : set->costs), nodes, NULL);
  goban_selection_unref (nodes);
  return reference;
}

/* --- from tables ------------------------------------------------------------------------------ */

/* The text under @key of the table on top; "" for none. (transfer full) */
static char *
dup_text (lua_State *L, const char *key)
{
  char *text;

  goban_lua_raw_field (L, -1, key);
  text = g_strdup (lua_type (L, -1) == LUA_TSTRING ? lua_tostring (L, -1) : "");
  lua_pop (L, 1);
  return text;
}

/* Puts it in the place of another; if it raises, the handle frees that. */
static void
replace_text (lua_State *L, const char *key, char **text)
{
  char *other = dup_text (L, key);

  g_free (*text);
  *text = other;
}

/* The list of numbers under @key of the table on top: (n), NAN for missing ones; NULL without a
 * list. (transfer full) */
static double *
dup_numbers (lua_State *L, const char *key, guint n)
{
  double *numbers = NULL;

  if (goban_lua_raw_field (L, -1, key) == LUA_TTABLE)
    {
      numbers = g_new (double, n);
      for (guint i = 0; i < n; i++)
        {
          lua_rawgeti (L, -1, (lua_Integer) i + 1);
          numbers[i] = lua_type (L, -1) == LUA_TNUMBER ? lua_tonumber (L, -1) : (double) NAN;
          lua_pop (L, 1);
        }
    }
  lua_pop (L, 1);
  return numbers;
}

/* The same for texts. */
static char **
dup_labels (lua_State *L, const char *key, guint n)
{
  char **labels = NULL;

  if (goban_lua_raw_field (L, -1, key) == LUA_TTABLE)
    {
      labels = g_new0 (char *, n + 1);
      for (guint i = 0; i < n; i++)
        {
          lua_rawgeti (L, -1, (lua_Integer) i + 1);
          if (lua_type (L, -1) == LUA_TSTRING)
            labels[i] = g_strdup (lua_tostring (L, -1));
          lua_pop (L, 1);
        }
    }
  lua_pop (L, 1);
  return labels;
}

static GPtrArray *
dup_references (lua_State *L, const char *key, guint n)
{
  GPtrArray *references = NULL;

  if (goban_lua_raw_field (L, -1, key) == LUA_TTABLE)
    {
      references = goban_references_new ();
      for (guint i = 0; i < n; i++)
        {
          lua_rawgeti (L, -1, (lua_Integer) i + 1);
          g_ptr_array_add (references, dup_reference (L, lua_gettop (L)));
          lua_pop (L, 1);
        }
    }
  lua_pop (L, 1);
  return references;
}

static guint
count_list (lua_State *L, const char *key)
{
  guint n = 0;

  if (goban_lua_raw_field (L, -1, key) == LUA_TTABLE)
    n = (guint) MIN (lua_rawlen (L, -1), G_MAXINT / 2);
  lua_pop (L, 1);
  return n;
}

static void
read_axis (lua_State *L, const char *key, GobanFigureAxis *axis)
{
  if (goban_lua_raw_field (L, -1, key) == LUA_TTABLE)
    {
      guint n_words = count_list (L, "words");

      replace_text (L, "label", &axis->label);
      replace_text (L, "unit", &axis->unit);
      goban_lua_raw_field (L, -1, "log");
      axis->is_log = lua_toboolean (L, -1);
      lua_pop (L, 1);
      if (n_words > 0)
        axis->words = dup_labels (L, "words", n_words);
    }
  lua_pop (L, 1);
}

/* The series on top. Its number of points is set last: until then it owns no list of labels. */
static void
read_series (lua_State *L, GobanFigureSeries *series)
{
  guint n;

  goban_lua_raw_field (L, -1, "n");
  n = (guint) CLAMP (lua_tointeger (L, -1), 0, G_MAXINT / 2);
  lua_pop (L, 1);
  series->name = dup_text (L, "name");
  series->x = dup_numbers (L, "x", n);
  series->y = dup_numbers (L, "y", n);
  series->z = dup_numbers (L, "z", n);
  series->errors = dup_numbers (L, "errors", n);
  series->labels = dup_labels (L, "labels", n);
  series->n = n;
  series->references = dup_references (L, "links", n);
}

/* core.figure (table): the Plot, or nil and the reason. */
static int
core_figure (lua_State *L)
{
  guint kind = 0, n_series;
  GobanFigure *figure;
  gpointer *slot;
  GError *error = NULL;

  luaL_checktype (L, 1, LUA_TTABLE);
  lua_settop (L, 1);
  goban_lua_raw_field (L, 1, "kind");
  while (kind < GOBAN_FIGURE_N_KINDS
         && !g_str_equal (goban_figure_kind_name (kind), luaL_checkstring (L, 2)))
    kind++;
  luaL_argcheck (L, kind < GOBAN_FIGURE_N_KINDS, 1, "unknown kind of plot");
  n_series = (lua_settop (L, 1), count_list (L, "series"));
  luaL_argcheck (L, n_series <= MAX_SERIES, 1, "a plot has at most 100 series");
  slot = goban_lua_push_handle (L, &plot_type, 0);
  *slot = figure = goban_figure_new ((GobanFigureKind) kind, n_series);
  lua_pushvalue (L, 1);
  replace_text (L, "title", &figure->title);
  goban_lua_raw_field (L, -1, "bins");
  figure->n_bins = (guint) CLAMP (lua_tointeger (L, -1), 0, 1000);
  lua_pop (L, 1);
  goban_lua_raw_field (L, -1, "identity");
  figure->has_identity = lua_toboolean (L, -1);
  lua_pop (L, 1);
  read_axis (L, "x", &figure->x);
  read_axis (L, "y", &figure->y);
  read_axis (L, "z", &figure->z);
  goban_lua_raw_field (L, -1, "series");
  for (guint k = 0; k < n_series; k++, lua_pop (L, 1))
    {
      lua_rawgeti (L, -1, (lua_Integer) k + 1);
      read_series (L, &figure->series[k]);
    }
  lua_settop (L, 2);
  if (!goban_figure_complete (figure, &error))
    return goban_lua_fail (L, error);
  goban_lua_charge (L, 2, goban_figure_count_points (figure) * 4 * sizeof (double));
  return 1;
}

/* --- files ------------------------------------------------------------------------------------ */

/* p:save (path, opts) */
static int
plot_save (lua_State *L)
{
  return goban_lua_save_drawing (L, goban_lua_check_pointer (L, 1, &plot_type), NULL);
}

static int
plot_csv (lua_State *L)
{
  goban_lua_take_string (L, goban_figure_to_csv (goban_lua_check_pointer (L, 1, &plot_type)));
  return 1;
}

static int
plot_tostring (lua_State *L)
{
  goban_lua_take_string (L, goban_figure_describe (goban_lua_check_pointer (L, 1, &plot_type)));
  return 1;
}

static const char *
get_kind (GobanFigure *figure)
{
  return goban_figure_kind_name (figure->kind);
}

static const char *
get_title (GobanFigure *figure)
{
  return figure->title;
}

/* --- showing ---------------------------------------------------------------------------------- */

typedef struct
{
  GobanLuaHost *host;
  const GobanExhibit *exhibit;
} Showing;

static void
show_cb (gpointer data)
{
  Showing *showing = data;

  showing->host->display (showing->exhibit, showing->host->output_data);
}

gboolean
goban_lua_exhibit (lua_State *L, const GobanExhibit *exhibit)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  Showing showing = { host, exhibit };

  if (host->display == NULL)
    return FALSE;
  goban_lua_on_main (host, show_cb, &showing);
  return TRUE;
}

typedef struct
{
  GobanLuaHost *host;
  double fraction;
  const char *text;
} Step;

static void
step_cb (gpointer data)
{
  Step *step = data;

  step->host->progress (step->fraction, step->text, step->host->progress_data);
}

/* core.progress (fraction, text); nil at the end */
static int
core_progress (lua_State *L)
{
  Step step = { goban_lua_get_host (L), luaL_optnumber (L, 1, -1), luaL_optstring (L, 2, "") };

  if (step.host->progress != NULL)
    goban_lua_on_main (step.host, step_cb, &step);
  return 0;
}

/* core.terminal (): its columns, 0 for none; whether values of a prompt are JSON. */
static int
core_terminal (lua_State *L)
{
  lua_pushinteger (L, goban_lua_get_host (L)->n_columns);
  lua_pushboolean (L, goban_lua_get_host (L)->as_json);
  return 2;
}

/* core.sketch (plot): for the terminal, or for a pipe. */
static int
core_sketch (lua_State *L)
{
  const GobanLuaHost *host = goban_lua_get_host (L);

  goban_lua_take_string (L,
                         goban_figure_sketch (goban_lua_check_pointer (L, 1, &plot_type),
                                              host->n_columns > 0 ? host->n_columns : PIPE_COLUMNS,
                                              host->is_ascii));
  return 1;
}

/* core.can_display () */
static int
core_can_display (lua_State *L)
{
  lua_pushboolean (L, goban_lua_get_host (L)->display != NULL);
  return 1;
}

/* core.display_plot (plot, slot): FALSE without a console that shows plots. */
static int
core_display_plot (lua_State *L)
{
  GobanExhibit exhibit = { .figure = goban_lua_check_pointer (L, 1, &plot_type),
                           .slot = (guint) luaL_optinteger (L, 2, 0) };

  lua_pushboolean (L, goban_lua_exhibit (L, &exhibit));
  return 1;
}

/* The column on top: { name =, is_number =, texts =, numbers = }. */
static void
read_column (lua_State *L, GobanRecordColumn *column, guint n_rows)
{
  column->name = dup_text (L, "name");
  goban_lua_raw_field (L, -1, "is_number");
  column->is_number = lua_toboolean (L, -1);
  lua_pop (L, 1);
  goban_lua_raw_field (L, -1, "texts");
  for (guint i = 0; i < n_rows; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, -1, (lua_Integer) i + 1);
      column->texts[i] = g_strdup (lua_type (L, -1) == LUA_TSTRING ? lua_tostring (L, -1) : "");
    }
  lua_pop (L, 1);
  goban_lua_raw_field (L, -1, "numbers");
  for (guint i = 0; i < n_rows; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, -1, (lua_Integer) i + 1);
      if (lua_type (L, -1) == LUA_TNUMBER)
        column->numbers[i] = lua_tonumber (L, -1);
    }
  lua_pop (L, 1);
}

/* core.display_records (columns, n_rows, links, n_left_out, slot) */
static int
core_display_records (lua_State *L)
{
  guint n_columns, n_rows = (guint) luaL_checkinteger (L, 2);
  GobanRecords *records;
  GPtrArray *references;
  gpointer *slot;

  luaL_checktype (L, 1, LUA_TTABLE);
  luaL_checktype (L, 3, LUA_TTABLE);
  lua_settop (L, 5);
  n_columns = (guint) lua_rawlen (L, 1);
  slot = goban_lua_push_kept (L, (GDestroyNotify) goban_records_unref);
  *slot = records = goban_records_new (n_columns, n_rows);
  records->n_left_out = (guint) luaL_optinteger (L, 4, 0);
  for (guint c = 0; c < n_columns; c++, lua_pop (L, 1))
    {
      lua_rawgeti (L, 1, (lua_Integer) c + 1);
      read_column (L, &records->columns[c], n_rows);
    }
  references = records->references;
  for (guint i = 0; i < n_rows; i++, lua_pop (L, 1))
    {
      lua_rawgeti (L, 3, (lua_Integer) i + 1);
      references->pdata[i] = dup_reference (L, lua_gettop (L));
    }
  lua_pushboolean (
      L, goban_lua_exhibit (
             L, &(GobanExhibit){ .records = records, .slot = (guint) luaL_optinteger (L, 5, 0) }));
  return 1;
}

/* --- the type --------------------------------------------------------------------------------- */

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("csv", plot_csv, "()", "Its points as CSV; times in seconds, sizes in bytes.",
                      "print(p:csv())"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "save", plot_save, "(path, opts)",
                      "Writes it as .svg, .png or .pdf, or its points as .csv; opts: theme (light, "
                      "dark), width, height, scale (of a .png).",
                      "p:save \"curve.svg\""),
  GOBAN_LUA_FIELD ("kind", TEXT, get_kind,
                   "\"lines\", \"bars\", \"scatter\", \"histogram\" or \"heat\"."),
  GOBAN_LUA_FIELD ("points", WHOLE, goban_figure_count_points, "How many points it has."),
  GOBAN_LUA_FIELD ("title", TEXT, get_title, "The line above it."),
  GOBAN_LUA_META ("__tostring", plot_tostring),
  { NULL },
};

static const GobanLuaType plot_type = {
  .name = "Plot",
  .variable = "p",
  .sentence = "A plot; a prompt shows it, show(p) shows it in a script.",
  .example = "p = plot{ 1, 4, 9 }",
  .free = (GDestroyNotify) goban_figure_unref,
  .entries = entries,
};

static const luaL_Reg core[] = {
  { "can_display", core_can_display },
  { "display_plot", core_display_plot },
  { "display_records", core_display_records },
  { "figure", core_figure },
  { "progress", core_progress },
  { "sketch", core_sketch },
  { "terminal", core_terminal },
  { NULL, NULL },
};

void
goban_lua_add_figure_core (lua_State *L)
{
  luaL_setfuncs (L, core, 0);
}

void
goban_lua_open_figure (lua_State *L)
{
  goban_lua_register (L, &plot_type);
}
