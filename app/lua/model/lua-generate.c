/* lua-generate.c: the graphs of model families, made instead of read. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-graph.h"

#include "engine/core/lua-text.h"
#include "engine/graph/workloads/workload.h"

static void
keep_spec (lua_State *L, GobanGraph *graph)
{
  char *quoted = goban_lua_text_quote (goban_graph_get_name (graph));

  goban_lua_take_graph_recipe (L, graph, g_strdup_printf ("graph.generate(%s)", quoted));
  g_free (quoted);
}

/* The prelude has made one spec of a family and a table of keys. */
static int
graph_generate (lua_State *L)
{
  const char *spec = luaL_checkstring (L, 1);
  GobanGraph **slot = goban_lua_push_empty_graph (L);
  GError *error = NULL;

  goban_lua_begin_work (L);
  *slot = goban_workload_generate (spec, &error);
  goban_lua_end_work (L, &error);
  if (*slot == NULL)
    return goban_lua_fail (L, error);
  keep_spec (L, *slot);
  goban_lua_charge_graph (L, -1, *slot);
  return 1;
}

/* --- families ------------------------------------------------------------------------------ */

static void
push_knob (lua_State *L, const GobanKnob *knob)
{
  lua_createtable (L, 0, 5);
  goban_lua_put_text (L, "name", knob->name);
  goban_lua_put_text (L, "meaning", knob->meaning);
  if (knob->words == NULL)
    {
      goban_lua_put_integer (L, "default", knob->initial);
      goban_lua_put_integer (L, "minimum", knob->minimum);
      goban_lua_put_integer (L, "maximum", knob->maximum);
      return;
    }

  goban_lua_put_text (L, "default", knob->words[0]);
  goban_lua_push_texts (L, knob->words);
  lua_setfield (L, -2, "words");
}

/* The family's own knobs, then those that all have. */
static void
push_knobs (lua_State *L, const GobanFamily *family)
{
  const GobanKnob *knob;

  lua_newtable (L);
  for (gsize i = 0; (knob = goban_family_get_knob (family, i)) != NULL; i++)
    {
      push_knob (L, knob);
      lua_rawseti (L, -2, i + 1);
    }
}

static int
graph_families (lua_State *L)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  lua_createtable (L, n, 0);
  for (gsize i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 4);
      goban_lua_put_text (L, "name", families[i]->name);
      goban_lua_put_text (L, "blurb", families[i]->blurb);
      goban_lua_put_text (L, "source", families[i]->source);
      push_knobs (L, families[i]);
      lua_setfield (L, -2, "knobs");
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION ("families", graph_families, "()",
                      "The families of generated graphs: name, blurb, source, knobs.",
                      "pp(graph.families())"),
  GOBAN_LUA_FUNCTION ("generate", graph_generate, "(family or spec, opts)",
                      "Makes the graph of a model family; opts are its keys, as graph.families() "
                      "tells them.",
                      "g = graph.generate(\"gnmt\", { layers = 2, granularity = \"coarse\" })"),
  { NULL },
};

void
goban_lua_open_generate (lua_State *L)
{
  goban_lua_module (L, "graph", functions);
}
