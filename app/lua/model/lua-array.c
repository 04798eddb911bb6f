/* lua-array.c: module array and type Array: many numbers at once; columns and edges of graphs as
 * arrays, and numbers carried along the edges.
 *
 * Arrays never change: an operation makes a new one, so that a function holds the numbers of its
 * arguments while it makes others.
 */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/study/analysis/array-file.h"
#include "engine/study/analysis/propagate.h"

#include <math.h>
#include <string.h>

/* Four hundred times the largest graph here; sorting, which nothing interrupts, takes seconds. */
#define MAX_NUMBERS ((gsize) 1 << 25)
#define SHOWN 8

typedef struct
{
  double *values; /* (n), with room for one more */
  gsize n;
} Array;

static const GobanLuaType array_type;

static int
raise_size (lua_State *L)
{
  return luaL_error (L, "not enough memory: an array of so many numbers");
}

/* Pushes an array to be filled; raises if it is too large. */
static Array *
push_array (lua_State *L, gsize n)
{
  Array *self = goban_lua_push_handle (L, &array_type, 0);

  if (n > MAX_NUMBERS)
    raise_size (L);
  self->values = g_try_new (double, n + 1);
  if (self->values == NULL)
    raise_size (L);
  self->n = n;
  goban_lua_charge (L, -1, (n + 1) * sizeof (double));
  return self;
}

static Array *
check_array (lua_State *L, int index)
{
  return goban_lua_check_handle (L, index, &array_type);
}

/* The same, of a length that @of has, which messages name. */
static Array *
check_array_of (lua_State *L, int index, gsize n, const char *of)
{
  Array *self = check_array (L, index);

  if (self->n != n)
    luaL_error (L, "bad argument #%d (an array of %d numbers for %d %s)", index, (int) self->n,
                (int) n, of);
  return self;
}

/* --- making ------------------------------------------------------------------------------- */

/* array.of (list of numbers), which the prelude calls array (list). */
static int
array_of (lua_State *L)
{
  Array *self;
  gsize n;

  luaL_checktype (L, 1, LUA_TTABLE);
  goban_lua_check_plain (L, 1, "the list");
  n = lua_rawlen (L, 1);
  self = push_array (L, n);
  for (gsize i = 0; i < n; i++, lua_pop (L, 1))
    {
      if (lua_rawgeti (L, 1, (lua_Integer) i + 1) != LUA_TNUMBER)
        return luaL_error (L, "number expected at %d, got %s", (int) i + 1, luaL_typename (L, -1));
      self->values[i] = lua_tonumber (L, -1);
    }
  return 1;
}

static int
array_zeros (lua_State *L)
{
  lua_Integer n = luaL_checkinteger (L, 1);
  Array *self;

  luaL_argcheck (L, n >= 0, 1, "it is negative");
  self = push_array (L, (gsize) n);
  memset (self->values, 0, self->n * sizeof (double));
  return 1;
}

/* array.range (from, to, step) */
static int
array_range (lua_State *L)
{
  double from = luaL_checknumber (L, 1), to = luaL_checknumber (L, 2);
  double step = luaL_optnumber (L, 3, 1);
  double steps = floor ((to - from) / step + 1e-9);
  Array *self;

  luaL_argcheck (L, isfinite (steps) && step != 0, 3, "it has no end");
  if (steps >= (double) MAX_NUMBERS)
    return raise_size (L);
  self = push_array (L, steps < 0 ? 0 : (gsize) steps + 1);
  for (gsize i = 0; i < self->n; i++)
    self->values[i] = from + (double) i * step;
  return 1;
}

/* --- element by element ------------------------------------------------------------------- */

typedef struct
{
  const double *values;
  gsize step; /* 0 for a number, which is the same everywhere */
  gsize n;
  double number;
} Operand;

/* Arrays stay on the stack meanwhile. */
static void
check_operand (lua_State *L, int index, Operand *operand)
{
  if (lua_type (L, index) == LUA_TNUMBER)
    *operand = (Operand){ &operand->number, 0, 1, lua_tonumber (L, index) };
  else
    {
      Array *array = check_array (L, index);

      *operand = (Operand){ array->values, 1, array->n, 0 };
    }
}

static int
combine (lua_State *L, GobanNumbersPair pair)
{
  Operand a, b;
  Array *out;
  gsize n;

  check_operand (L, 1, &a);
  check_operand (L, 2, &b);
  if (a.step == 1 && b.step == 1 && a.n != b.n)
    return luaL_error (L, "arrays of %d and %d numbers do not fit", (int) a.n, (int) b.n);
  n = a.step == 1 ? a.n : b.n;
  out = push_array (L, n);
  goban_numbers_pair (pair, out->values, a.values, a.step, b.values, b.step, n);
  return 1;
}

static int
map (lua_State *L, GobanNumbersMap how)
{
  Array *self = check_array (L, 1);
  Array *out = push_array (L, self->n);

  goban_numbers_map (how, out->values, self->values, self->n);
  return 1;
}

static int
fold (lua_State *L, GobanNumbersFold how)
{
  Array *self = check_array (L, 1);

  goban_lua_push_count (L, goban_numbers_fold (how, self->values, self->n));
  return 1;
}

#define PAIR(name, pair)                                                                           \
  static int name (lua_State *L)                                                                   \
  {                                                                                                \
    return combine (L, GOBAN_NUMBERS_##pair);                                                      \
  }
#define MAP(name, how)                                                                             \
  static int name (lua_State *L)                                                                   \
  {                                                                                                \
    return map (L, GOBAN_NUMBERS_##how);                                                           \
  }
#define FOLD(name, how)                                                                            \
  static int name (lua_State *L)                                                                   \
  {                                                                                                \
    return fold (L, GOBAN_NUMBERS_##how);                                                          \
  }

PAIR (array_add, ADD)
PAIR (array_subtract, SUBTRACT)
PAIR (array_multiply, MULTIPLY)
PAIR (array_divide, DIVIDE)
PAIR (array_power, POWER)
PAIR (array_lt, LESS)
PAIR (array_le, LESS_OR_EQUAL)
PAIR (array_gt, GREATER)
PAIR (array_ge, GREATER_OR_EQUAL)
PAIR (array_eq, EQUAL)
PAIR (array_ne, UNEQUAL)
MAP (array_exp, EXP)
MAP (array_log, LOG)
MAP (array_abs, ABS)
MAP (array_sqrt, SQRT)
MAP (array_floor, FLOOR)
MAP (array_negative, NEGATIVE)
MAP (array_cumsum, RUNNING_SUM)
FOLD (array_sum, SUM)
FOLD (array_mean, MEAN)
FOLD (array_std, SPREAD)
FOLD (array_count, COUNT)

/* a:min (): the least of all; a:min (b): of each two. */
static int
array_min (lua_State *L)
{
  return lua_isnoneornil (L, 2) ? fold (L, GOBAN_NUMBERS_MIN) : combine (L, GOBAN_NUMBERS_LEAST);
}

static int
array_max (lua_State *L)
{
  return lua_isnoneornil (L, 2) ? fold (L, GOBAN_NUMBERS_MAX) : combine (L, GOBAN_NUMBERS_MOST);
}

static int
array_clamp (lua_State *L)
{
  Array *self = check_array (L, 1), *out;
  double low = luaL_checknumber (L, 2), high = luaL_checknumber (L, 3);

  luaL_argcheck (L, low <= high, 3, "it is below the other");
  out = push_array (L, self->n);
  for (gsize i = 0; i < self->n; i++)
    out->values[i] = CLAMP (self->values[i], low, high);
  return 1;
}

/* --- places ------------------------------------------------------------------------------- */

static int
push_least (lua_State *L, double sign)
{
  Array *self = check_array (L, 1);
  gsize found = goban_numbers_find_least (self->values, self->n, sign);

  if (found == self->n)
    lua_pushnil (L);
  else
    lua_pushinteger (L, (lua_Integer) found + 1);
  return 1;
}

static int
array_argmin (lua_State *L)
{
  return push_least (L, 1);
}

static int
array_argmax (lua_State *L)
{
  return push_least (L, -1);
}

/* Pushes scratch memory of n numbers of 32 bits, which Lua collects. */
static guint32 *
push_places (lua_State *L, gsize n)
{
  return lua_newuserdatauv (L, (n + 1) * sizeof (guint32), 0);
}

static int
array_sort (lua_State *L)
{
  Array *self = check_array (L, 1);
  Array *out = push_array (L, self->n);

  goban_numbers_sort (out->values, self->values, self->n);
  return 1;
}

static int
array_argsort (lua_State *L)
{
  Array *self = check_array (L, 1);
  guint32 *order = push_places (L, self->n);
  Array *out = push_array (L, self->n);

  goban_numbers_order (order, self->values, self->n);
  for (gsize i = 0; i < self->n; i++)
    out->values[i] = (double) order[i] + 1;
  return 1;
}

/* A share at @index; a half without one. */
static double
opt_share (lua_State *L, int index)
{
  double share = luaL_optnumber (L, index, 0.5);

  luaL_argcheck (L, share >= 0 && share <= 1, index, "a share from 0 to 1 expected");
  return share;
}

static int
array_quantile (lua_State *L)
{
  Array *self = check_array (L, 1);
  double q = opt_share (L, 2);

  lua_settop (L, 1);
  array_sort (L);
  goban_lua_push_number (L, goban_numbers_quantile (check_array (L, -1)->values, self->n, q));
  return 1;
}

static int
array_median (lua_State *L)
{
  lua_settop (L, 1);
  return array_quantile (L);
}

/* The places of numbers that are not 0. */
static int
array_where (lua_State *L)
{
  Array *self = check_array (L, 1);
  gsize n = (gsize) goban_numbers_fold (GOBAN_NUMBERS_COUNT, self->values, self->n), k = 0;
  Array *out = push_array (L, n);

  for (gsize i = 0; i < self->n; i++)
    if (self->values[i] != 0)
      out->values[k++] = (double) i + 1;
  return 1;
}

/* The place, from 0, that a number of an array of places means. */
static gsize
check_place (lua_State *L, const Array *places, gsize i, gsize n)
{
  double place = places->values[i];

  if (!(place >= 1 && place <= (double) n && place == floor (place)))
    luaL_error (L, "index %d is %f: whole numbers from 1 to %d expected", (int) i + 1, place,
                (int) n);
  return (gsize) place - 1;
}

static int
array_take (lua_State *L)
{
  Array *self = check_array (L, 1);
  Array *places = check_array (L, 2);
  Array *out = push_array (L, places->n);

  for (gsize i = 0; i < places->n; i++)
    out->values[i] = self->values[check_place (L, places, i, self->n)];
  return 1;
}

/* a:add_at (places, numbers) */
static int
array_add_at (lua_State *L)
{
  Array *self = check_array (L, 1);
  Array *places = check_array (L, 2);
  Array *out;
  Operand added;

  check_operand (L, 3, &added);
  if (added.step == 1 && added.n != places->n)
    return luaL_error (L, "%d numbers for %d indexes", (int) added.n, (int) places->n);
  out = push_array (L, self->n);
  memcpy (out->values, self->values, self->n * sizeof (double));
  for (gsize i = 0; i < places->n; i++)
    out->values[check_place (L, places, i, self->n)] += added.values[i * added.step];
  return 1;
}

/* a:by (groups, share): { key =, n =, sum =, ... }, arrays of a number a group. */
static int
array_by (lua_State *L)
{
  static const struct
  {
    const char *name;
    GobanNumbersFold fold;
  } folds[] = { { "sum", GOBAN_NUMBERS_SUM },
                { "mean", GOBAN_NUMBERS_MEAN },
                { "std", GOBAN_NUMBERS_SPREAD },
                { "min", GOBAN_NUMBERS_MIN },
                { "max", GOBAN_NUMBERS_MAX } };
  Array *self = check_array (L, 1);
  Array *groups = check_array_of (L, 2, self->n, "groups");
  double share = opt_share (L, 3);
  guint32 *group = push_places (L, self->n);
  Array *keys = push_array (L, self->n), *gathered = push_array (L, self->n);
  Array *counts, *medians, *quantiles;
  int key_index = lua_gettop (L) - 1;
  gsize n = goban_numbers_group (group, keys->values, groups->values, self->n);
  gsize *begins = lua_newuserdatauv (L, (n + 1) * sizeof *begins, 0);

  keys->n = n;
  goban_numbers_gather_groups (gathered->values, begins, n, self->values, group, self->n);
  lua_createtable (L, 0, G_N_ELEMENTS (folds) + 4);
  lua_pushvalue (L, key_index);
  lua_setfield (L, -2, "key");
  counts = push_array (L, n);
  lua_setfield (L, -2, "n");
  for (gsize k = 0; k < n; k++)
    counts->values[k] = (double) (begins[k + 1] - begins[k]);
  for (guint f = 0; f < G_N_ELEMENTS (folds); f++)
    {
      Array *out = push_array (L, n);

      for (gsize k = 0; k < n; k++)
        out->values[k] = goban_numbers_fold (folds[f].fold, gathered->values + begins[k],
                                             begins[k + 1] - begins[k]);
      lua_setfield (L, -2, folds[f].name);
    }
  medians = push_array (L, n);
  lua_setfield (L, -2, "median");
  quantiles = push_array (L, n);
  lua_setfield (L, -2, "quantile");
  for (gsize k = 0; k < n; k++)
    {
      double *values = gathered->values + begins[k];
      gsize n_values = begins[k + 1] - begins[k];

      goban_numbers_sort (values, values, n_values);
      medians->values[k] = goban_numbers_quantile (values, n_values, 0.5);
      quantiles->values[k] = goban_numbers_quantile (values, n_values, share);
    }
  return 1;
}

/* --- as other values ---------------------------------------------------------------------- */

static int
array_list (lua_State *L)
{
  Array *self = check_array (L, 1);

  lua_createtable (L, (int) MIN (self->n, G_MAXINT), 0);
  for (gsize i = 0; i < self->n; i++)
    {
      lua_pushnumber (L, self->values[i]);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* a[i]; nil outside, as of a list */
static int
get_item (lua_State *L)
{
  Array *self = check_array (L, 1);
  lua_Integer i = lua_tointeger (L, 2);

  if (i < 1 || (lua_Unsigned) i > self->n)
    lua_pushnil (L);
  else
    lua_pushnumber (L, self->values[i - 1]);
  return 1;
}

static int
array_len (lua_State *L)
{
  lua_pushinteger (L, (lua_Integer) check_array (L, 1)->n);
  return 1;
}

static int
array_tostring (lua_State *L)
{
  Array *self = check_array (L, 1);
  luaL_Buffer buffer;
  char text[32];

  luaL_buffinit (L, &buffer);
  g_snprintf (text, sizeof text, "Array of %" G_GSIZE_FORMAT, self->n);
  luaL_addstring (&buffer, text);
  for (gsize i = 0; i < MIN (self->n, SHOWN); i++)
    {
      g_snprintf (text, sizeof text, "%s%.6g", i == 0 ? ": " : ", ", self->values[i]);
      luaL_addstring (&buffer, text);
    }
  if (self->n > SHOWN)
    luaL_addstring (&buffer, ", …");
  luaL_pushresult (&buffer);
  return 1;
}

/* --- files -------------------------------------------------------------------------------- */

static int
write_file (lua_State *L, const char *path, const GobanNamedArray *arrays, guint n)
{
  GError *error = NULL;

  if (!goban_lua_may_write (L, path, &error) || !goban_array_file_write (path, arrays, n, &error))
    return goban_lua_fail (L, error);
  lua_pushstring (L, path);
  return 1;
}

static int
array_save (lua_State *L)
{
  Array *self = check_array (L, 1);
  const char *path = luaL_checkstring (L, 2);

  luaL_argcheck (L, g_str_has_suffix (path, ".npy") || g_str_has_suffix (path, ".npz"), 2,
                 "a path that ends in .npy or .npz expected");
  return write_file (L, path, &(GobanNamedArray){ (char *) "array", self->values, self->n }, 1);
}

static int
compare_arrays (gconstpointer a, gconstpointer b)
{
  return strcmp (((const GobanNamedArray *) a)->name, ((const GobanNamedArray *) b)->name);
}

/* array.save (path, arrays by name), which the table keeps. */
static int
save_arrays (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GobanNamedArray *arrays;
  guint n = 0;

  luaL_checktype (L, 2, LUA_TTABLE);
  lua_settop (L, 2);
  for (lua_pushnil (L); lua_next (L, 2) != 0; lua_pop (L, 1))
    n++;
  arrays = lua_newuserdatauv (L, (n + 1) * sizeof *arrays, 0);
  n = 0;
  for (lua_pushnil (L); lua_next (L, 2) != 0; lua_pop (L, 1))
    {
      Array *array = check_array (L, -1);

      if (lua_type (L, -2) != LUA_TSTRING)
        return luaL_error (L, "names of arrays are texts");
      arrays[n++] = (GobanNamedArray){ (char *) lua_tostring (L, -2), array->values, array->n };
    }
  qsort (arrays, n, sizeof *arrays, compare_arrays);
  return write_file (L, path, arrays, n);
}

/* array.load (path): an Array, or a table of them by name. */
static int
load_arrays (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_ptr_array_unref);
  GError *error = NULL;
  GPtrArray *arrays
      = goban_lua_may_read (L, path, &error) ? goban_array_file_read (path, &error) : NULL;

  if (arrays == NULL)
    return goban_lua_fail (L, error);
  *kept = arrays;
  lua_createtable (L, 0, (int) arrays->len);
  for (guint i = 0; i < arrays->len; i++)
    {
      const GobanNamedArray *read = g_ptr_array_index (arrays, i);
      Array *array = push_array (L, read->n);

      memcpy (array->values, read->values, read->n * sizeof (double));
      if (*read->name == '\0')
        return 1;
      lua_setfield (L, -2, read->name);
    }
  return 1;
}

/* --- nodes of graphs ---------------------------------------------------------------------- */

/* Pushes the numbers of a field; of texts, their places in a list of the different ones, which
 * becomes names[field] in the table at @names. */
static void
push_column (lua_State *L, const GobanNodeField *field, const GobanNodeContext *context, int names)
{
  guint n = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  Array *column = push_array (L, n);
  lua_Integer n_words = 0;

  if (field->kind != GOBAN_FIELD_TEXT)
    {
      double unit = field->kind == GOBAN_FIELD_TIME ? 1e6 : 1;

      for (GobanNodeId v = 0; v < n; v++)
        column->values[v] = field->number (context, v) / unit;
      return;
    }
  lua_newtable (L); /* column words */
  lua_newtable (L); /* column words places */
  for (GobanNodeId v = 0; v < n; v++)
    {
      const char *text = field->text (context, v);

      column->values[v] = NAN;
      if (text == NULL)
        continue;
      lua_pushstring (L, text);
      lua_pushvalue (L, -1);
      if (lua_rawget (L, -3) == LUA_TNIL) /* column words places text nil */
        {
          lua_pop (L, 1);
          lua_pushvalue (L, -1);
          lua_rawseti (L, -4, ++n_words);
          lua_pushinteger (L, n_words);
          column->values[v] = (double) n_words;
          lua_rawset (L, -3);
          continue;
        }
      column->values[v] = lua_tonumber (L, -1);
      lua_pop (L, 2);
    }
  lua_pop (L, 1);
  lua_setfield (L, names, field->name);
}

static void
put_order (lua_State *L, const GobanGraph *graph)
{
  guint n = goban_graph_get_n_nodes (graph);
  Array *ones = push_array (L, n);
  Array *level = push_array (L, n);

  for (guint v = 0; v < n; v++)
    ones->values[v] = 1;
  goban_propagate (graph, GOBAN_NUMBERS_MAX, FALSE, level->values, ones->values, NULL);
  lua_setfield (L, -3, "level");
  for (guint v = 0; v < n; v++) /* ids are topological */
    ones->values[v] = v + 1;
  lua_setfield (L, -2, "order");
}

/* --- edges of graphs ---------------------------------------------------------------------- */

/* By their heads, in the order of the inputs of each, as Graph:edges() has them. */
static void
put_edges (lua_State *L, const GobanGraph *graph)
{
  static const char *const names[] = { "from", "to", "output", "bytes", "control" };
  guint n = goban_graph_get_n_edges (graph);
  Array *columns[G_N_ELEMENTS (names)];
  gsize k = 0;

  lua_createtable (L, 0, G_N_ELEMENTS (names));
  for (guint c = 0; c < G_N_ELEMENTS (names); c++)
    {
      columns[c] = push_array (L, n);
      lua_setfield (L, -2, names[c]);
    }
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n; i++, k++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
          const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);
          guint n_tensors;
          GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

          columns[0]->values[k] = edge->tail + 1;
          columns[1]->values[k] = v + 1;
          columns[2]->values[k] = edge->tensor - first + 1;
          columns[3]->values[k] = tensor->size_bytes;
          columns[4]->values[k] = tensor->is_control;
        }
    }
  lua_setfield (L, -2, "edges");
}

/* --- methods of graphs -------------------------------------------------------------------- */

typedef struct
{
  int nodes;
  gboolean edges;
} ArraysOptions;

static const GobanLuaOption options_of_arrays[] = {
  { "nodes", GOBAN_LUA_ANY, G_STRUCT_OFFSET (ArraysOptions, nodes) },
  { "edges", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ArraysOptions, edges) },
  { NULL },
};

/* g:arrays (opts) of the prelude, which makes a value of the table. */
static int
graph_arrays (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanNodeContext context = { goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph) };
  ArraysOptions options = { 0 };
  lua_Integer n = 0;
  int names;

  luaL_checktype (L, 2, LUA_TTABLE);
  goban_lua_check_options (L, 2, "opts", options_of_arrays, &options);
  if (options.nodes != 0)
    {
      goban_lua_check_texts (L, options.nodes, "opts.nodes");
      n = (lua_Integer) lua_rawlen (L, options.nodes);
    }
  lua_newtable (L);
  names = lua_gettop (L);
  lua_newtable (L);
  for (lua_Integer i = 1; i <= n; i++)
    {
      const GobanNodeField *field;

      lua_rawgeti (L, options.nodes, i);
      field = goban_lua_check_field (L, lua_gettop (L));
      lua_pop (L, 1);
      push_column (L, field, &context, names);
      lua_setfield (L, -2, field->name);
    }
  put_order (L, graph);
  if (options.edges)
    put_edges (L, graph);
  lua_pushvalue (L, names);
  lua_setfield (L, -2, "names");
  return 1;
}

/* g:propagate (values, how, along, direction) */
static int
graph_propagate (lua_State *L)
{
  static const char *const words[] = { "max", "min", "sum", NULL };
  static const GobanNumbersFold folds[]
      = { GOBAN_NUMBERS_MAX, GOBAN_NUMBERS_MIN, GOBAN_NUMBERS_SUM };
  static const char *const directions[] = { "forward", "back", NULL };
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  guint n = goban_graph_get_n_nodes (graph);
  Array *values = check_array_of (L, 2, n, "nodes");
  int how = luaL_checkoption (L, 3, NULL, words);
  const Array *along = lua_isnoneornil (L, 4)
                           ? NULL
                           : check_array_of (L, 4, goban_graph_get_n_edges (graph), "edges");
  int direction = luaL_checkoption (L, 5, "forward", directions);
  Array *out = push_array (L, n);

  goban_propagate (graph, folds[how], direction == 1, out->values, values->values,
                   along != NULL ? along->values : NULL);
  return 1;
}

/* --- the type ----------------------------------------------------------------------------- */

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("abs", array_abs, "()", "Sizes of the numbers.", "(a - 2):abs()"),
  GOBAN_LUA_FUNCTION ("add_at", array_add_at, "(indexes, numbers)",
                      "The array with numbers added at these places, which may repeat: scattering.",
                      "array.zeros(3):add_at(array{ 1, 1, 3 }, 10)"),
  GOBAN_LUA_FUNCTION ("argmax", array_argmax, "()", "The place of the first largest number.",
                      "a:argmax()"),
  GOBAN_LUA_FUNCTION ("argmin", array_argmin, "()", "The place of the first smallest number.",
                      "a:argmin()"),
  GOBAN_LUA_FUNCTION ("argsort", array_argsort, "()",
                      "Places from the smallest to the largest number, equal ones in order.",
                      "a:take(a:argsort())"),
  GOBAN_LUA_FUNCTION ("by", array_by, "(groups, share)",
                      "Of the numbers that have the same number in another array: key, n, sum, "
                      "mean, std, min, max, median and quantile (below which the share from 0 to 1 "
                      "lies; 0.5 unless told), arrays with a number for each group.",
                      "a:by(array{ 1, 2, 1 }, 0.9).quantile"),
  GOBAN_LUA_FUNCTION ("clamp", array_clamp, "(low, high)", "The numbers, at least and at most so.",
                      "a:clamp(0, 1)"),
  GOBAN_LUA_FUNCTION ("count", array_count, "()", "How many numbers are not 0.", "a:gt(1):count()"),
  GOBAN_LUA_FUNCTION ("cumsum", array_cumsum, "()", "Sums of the first, the first two, and so on.",
                      "a:cumsum()"),
  GOBAN_LUA_FUNCTION ("eq", array_eq, "(b)", "1 where it equals a number or an array, else 0.",
                      "a:eq(2)"),
  GOBAN_LUA_FUNCTION ("exp", array_exp, "()", "Powers of e.", "a:exp()"),
  GOBAN_LUA_FUNCTION ("floor", array_floor, "()", "The next whole numbers below.",
                      "(a / 2):floor()"),
  GOBAN_LUA_FUNCTION ("ge", array_ge, "(b)", "1 where it is greater or equal, else 0.", "a:ge(2)"),
  GOBAN_LUA_FUNCTION ("gt", array_gt, "(b)", "1 where it is greater, else 0.", "a:gt(2)"),
  GOBAN_LUA_FUNCTION ("le", array_le, "(b)", "1 where it is less or equal, else 0.", "a:le(2)"),
  GOBAN_LUA_FUNCTION ("list", array_list, "()", "The numbers as a list.", "a:list()"),
  GOBAN_LUA_FUNCTION ("log", array_log, "()", "Natural logarithms.", "a:log()"),
  GOBAN_LUA_FUNCTION ("lt", array_lt, "(b)",
                      "1 where it is less than a number or an array, else 0.", "a:lt(2)"),
  GOBAN_LUA_FUNCTION ("max", array_max, "(b)",
                      "The largest number; with another array or number, the larger of each two.",
                      "a:max()"),
  GOBAN_LUA_FUNCTION ("mean", array_mean, "()", "The mean.", "a:mean()"),
  GOBAN_LUA_FUNCTION ("median", array_median, "()", "The median.", "a:median()"),
  GOBAN_LUA_FUNCTION ("min", array_min, "(b)",
                      "The smallest number; with another array or number, the smaller of each two.",
                      "a:min(2)"),
  GOBAN_LUA_FUNCTION ("ne", array_ne, "(b)", "1 where it does not equal, else 0.", "a:ne(2)"),
  GOBAN_LUA_FUNCTION ("quantile", array_quantile, "(share)",
                      "The number below which a share from 0 to 1 of them lies, by linear "
                      "interpolation.",
                      "a:quantile(0.9)"),
  GOBAN_LUA_FUNCTION ("save", array_save, "(path)",
                      "Writes it as NumPy's .npy (or .npz, where it is called array) and returns "
                      "the path.",
                      "a:save \"costs.npy\""),
  GOBAN_LUA_FUNCTION ("sort", array_sort, "()", "The numbers from small to large.", "a:sort()"),
  GOBAN_LUA_FUNCTION ("sqrt", array_sqrt, "()", "Square roots.", "a:sqrt()"),
  GOBAN_LUA_FUNCTION ("std", array_std, "()", "The sample standard deviation.", "a:std()"),
  GOBAN_LUA_FUNCTION ("sum", array_sum, "()", "The sum.", "a:sum()"),
  GOBAN_LUA_FUNCTION ("take", array_take, "(indexes)",
                      "The numbers at these places, from 1: gathering.",
                      "a:take(array{ 3, 1, 1 })"),
  GOBAN_LUA_FUNCTION ("where", array_where, "()", "The places of the numbers that are not 0.",
                      "a:gt(1):where()"),
  GOBAN_LUA_META ("__add", array_add),
  GOBAN_LUA_META ("__div", array_divide),
  GOBAN_LUA_META ("__len", array_len),
  GOBAN_LUA_META ("__mul", array_multiply),
  GOBAN_LUA_META ("__pow", array_power),
  GOBAN_LUA_META ("__sub", array_subtract),
  GOBAN_LUA_META ("__tostring", array_tostring),
  GOBAN_LUA_META ("__unm", array_negative),
  { NULL },
};

static const GobanLuaType array_type = {
  .name = "Array",
  .variable = "a",
  .sentence
  = "Many numbers that never change: a[i], #a, and + - * / ^ with a number or an array of "
    "the same length.",
  .example = "(a * 2 + 1):sum()",
  .size = sizeof (Array),
  .free = g_free,
  .entries = entries,
  .get_item = get_item,
};

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION ("arrays", graph_arrays, "(opts)", NULL),
  GOBAN_LUA_FUNCTION (
      "propagate", graph_propagate, "(numbers, how, along, direction)",
      "For each node its number and what comes over its edges from the nodes before: the max, min "
      "or sum of their results, each with the edge's number of along (in the order of g:edges()) "
      "added, 0 where nothing comes. With the direction \"back\" it comes from the nodes behind.",
      "g:propagate(g:arrays{ nodes = { \"cost\" } }.cost, \"max\"):max()"),
  { NULL },
};

/* The prelude completes those without help. */
static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION ("load", load_arrays, "(path)", NULL),
  GOBAN_LUA_FUNCTION ("of", array_of, "(list)", NULL),
  GOBAN_LUA_FUNCTION ("range", array_range, "(from, to, step)",
                      "The numbers from one to another; step is 1 unless told.",
                      "array.range(0, 1, 0.25)"),
  GOBAN_LUA_FUNCTION ("save", save_arrays, "(path, arrays)", NULL),
  GOBAN_LUA_FUNCTION ("zeros", array_zeros, "(n)", "So many zeros.", "array.zeros(10)"),
  { NULL },
};

void
goban_lua_open_array (lua_State *L)
{
  goban_lua_register (L, &array_type);
  goban_lua_extend (L, "Graph", graph_entries);
  goban_lua_module (L, "array", functions);
}
