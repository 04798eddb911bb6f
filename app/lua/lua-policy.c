#include "app/lua/lua-policy.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/lua-prelude.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-place.h"

static const GobanLuaType policy_type;

/* --- policies ------------------------------------------------------------------------------ */

static int
policy_get (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  char **policy;

  if (!goban_policy_exists (name, NULL))
    {
      lua_pushfstring (L, "there is no policy '%s'; policy.list() tells those there are", name);
      return goban_lua_fail_with (L);
    }

  policy = goban_lua_push_handle (L, &policy_type, 0);
  *policy = g_strdup (name);
  return 1;
}

static void
push_row (lua_State *L, const GobanPolicyInfo *row)
{
  lua_createtable (L, 0, 7);
  goban_lua_put_text (L, "name", row->name);
  goban_lua_put_text (L, "blurb", row->blurb);
  goban_lua_put_text (L, "about", row->about);
  goban_lua_put_text (L, "source", row->source);
  goban_lua_put_text (L, "effort", row->effort);
  goban_lua_put_boolean (L, "random", row->is_random);
  goban_lua_put_integer (L, "evals", row->default_evaluations);
}

static int
policy_list (lua_State *L)
{
  gsize n;
  gpointer *kept = goban_lua_push_policies (L, &n);
  const GobanPolicyInfo *rows = *kept;

  lua_createtable (L, (int) n, 0);
  for (gsize i = 0; i < n; i++)
    {
      push_row (L, &rows[i]);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  g_clear_pointer (kept, g_free);
  return 1;
}

static int
policy_decide (lua_State *L)
{
  const char *policy = goban_lua_check_pointer (L, 1, &policy_type);

  return goban_lua_place (L, policy, goban_lua_check_graph (L, 2), 3);
}

static int
get_name (lua_State *L)
{
  lua_pushstring (L, goban_lua_check_pointer (L, 1, &policy_type));
  return 1;
}

static int
policy_tostring (lua_State *L)
{
  const char *policy = goban_lua_check_pointer (L, 1, &policy_type);

  const char *kind = "";

  goban_lua_push_prelude (L, "policies");
  if (goban_lua_raw_field (L, -1, policy) != LUA_TNIL)
    kind = goban_lua_raw_field (L, -1, "argv") == LUA_TNIL ? ", written in Lua"
                                                           : ", another program";
  lua_pushfstring (L, "Policy %s%s", policy, kind);
  return 1;
}

static const GobanLuaEntry policy_entries[] = {
  GOBAN_LUA_FUNCTION ("decide", policy_decide, "(g, opts)",
                      "Makes a plan; opts: cluster, seed, evals, seconds, tasks; of learned "
                      "policies network (a file), settings ('attention=0') and start (a plan).",
                      "policy.get \"random\":decide(g, { seed = 7 })"),
  GOBAN_LUA_FIELD ("name", FUNCTION, get_name, "Its name.", "policy.get \"heft\".name"),
  GOBAN_LUA_META ("__tostring", policy_tostring),
  { NULL },
};

static const GobanLuaType policy_type = {
  .name = "Policy",
  .variable = "policy",
  .sentence = "A way to make plans.",
  .example = "policy.get \"heft\"",
  .free = g_free,
  .entries = policy_entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Policies by name, also your own.", "p = policy.get \"heft\":decide(g)"),
  GOBAN_LUA_FUNCTION ("get", policy_get, "(name)", "A policy that can decide.",
                      "policy.get \"metis\":decide(g)"),
  GOBAN_LUA_FUNCTION ("list", policy_list, "()",
                      "All policies: name, blurb, about, source, effort (quick, search, "
                      "learned), random (whether another seed may give another plan; of "
                      "your own always true) and how many evals they take.",
                      "pp(policy.list())"),
  { NULL },
};

void
goban_lua_open_policy (lua_State *L)
{
  goban_lua_register (L, &policy_type);
  goban_lua_module (L, "policy", functions);
}
