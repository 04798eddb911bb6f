/* lua-networks.c: functions policy.networks and policy.load: trained networks as tables. */
#include "app/lua/jobs/lua-networks.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"

#include "engine/session/chosen-folders.h"
#include "engine/study/training/networks.h"
#include "engine/study/training/training-film.h"
#include "engine/study/training/training-list.h"

static void
push_network (lua_State *L, const GobanNetworkInfo *info)
{
  lua_createtable (L, 0, 10);
  goban_lua_put_text (L, "name", info->name);
  goban_lua_put_text (L, "file", info->file);
  goban_lua_put_text (L, "network", info->network);
  goban_lua_put_text (L, "decides", info->decides);
  goban_lua_put_text (L, "policy", info->policy);
  goban_lua_put_text (L, "trained_on", *info->trained_on != '\0' ? info->trained_on : NULL);
  if (info->n_updates > 0)
    goban_lua_put_count (L, "updates", info->n_updates);
  goban_lua_put_number (L, "score", info->score);
  goban_lua_put_count (L, "parameters", (double) info->n_parameters);
  goban_lua_put_boolean (L, "shipped", info->is_shipped);
}

typedef struct
{
  GObject *session;
  char **folders;
} Folders;

static void
list_folders_cb (gpointer data)
{
  Folders *self = data;

  self->folders = goban_training_list_dup_folders (self->session, GOBAN_OUT_FOLDER);
}

static int
policy_networks (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_ptr_array_unref);
  Folders folders = { .session = G_OBJECT (host->session) };
  GPtrArray *list;

  goban_lua_on_main (host, list_folders_cb, &folders);
  list = goban_networks_list ((const char *const *) folders.folders);
  g_strfreev (folders.folders);
  *kept = list;
  lua_createtable (L, (int) list->len, 0);
  for (guint i = 0; i < list->len; i++)
    {
      push_network (L, g_ptr_array_index (list, i));
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

/* Pushes the owner of the network in the file. (nullable): %NULL with @error set. */
static const GobanNetworkInfo *
load_network (lua_State *L, const char *path, GError **error)
{
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_network_info_free);

  *kept = goban_network_info_load (path, error);
  return *kept;
}

static int
policy_load (lua_State *L)
{
  GError *error = NULL;
  const GobanNetworkInfo *info = load_network (L, luaL_checkstring (L, 1), &error);

  if (info == NULL)
    return goban_lua_fail (L, error);
  push_network (L, info);
  return 1;
}

/* (path): a list of { step =, file = }. */
static int
policy_film (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_array_unref);
  GArray *frames = *kept = goban_training_film_list (path);

  lua_createtable (L, (int) frames->len, 0);
  for (guint i = 0; i < frames->len; i++)
    {
      const GobanTrainingFilmFrame *frame = &g_array_index (frames, GobanTrainingFilmFrame, i);

      lua_createtable (L, 0, 2);
      goban_lua_put_count (L, "step", frame->step);
      goban_lua_put_text (L, "file", frame->file);
      lua_rawseti (L, -2, (lua_Integer) i + 1);
    }
  return 1;
}

typedef struct
{
  GobanSession *session;
  const GobanNetworkInfo *info; /* (nullable): every policy's own */
} Choice;

static void
choose_cb (gpointer data)
{
  const Choice *self = data;

  if (self->info != NULL)
    goban_chosen_networks_set (self->session, self->info->users, self->info->file);
  else
    goban_chosen_networks_clear (self->session);
}

/* The file is read in the chunk's thread, the choice is the main thread's. */
static int
app_use_network (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  const char *path = luaL_optstring (L, 1, NULL);
  Choice choice = { .session = host->session };
  GError *error = NULL;

  if (path != NULL)
    choice.info = load_network (L, path, &error);
  if (error != NULL)
    return goban_lua_fail (L, error);
  goban_lua_on_main (host, choose_cb, &choice);
  if (choice.info != NULL)
    push_network (L, choice.info);
  else
    lua_pushboolean (L, TRUE);
  return 1;
}

static const GobanLuaEntry app_functions[] = {
  GOBAN_LUA_FUNCTION (
      "use_network", app_use_network, "(path)",
      "The Place menu's policies use that network from now on; without a path their "
      "own. Scripts name theirs: plan.go_zeroshot(g, { network = path }).",
      "app.use_network \"goban-out/builder.net\""),
  { NULL },
};

/* For the prelude: a line for each setting; nil without any. */
static int
policy_settings (lua_State *L)
{
  char *text = goban_training_describe_settings (luaL_optstring (L, 1, "builder"));

  if (text != NULL)
    goban_lua_take_string (L, text);
  else
    lua_pushnil (L);
  return 1;
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION (
      "settings", policy_settings, "(policy)",
      "What can be set of a training (policy.train{ settings = \"rate=0.001\" }) of "
      "builder or moves: a Table of setting, default and meaning.",
      "policy.settings \"moves\""),
  GOBAN_LUA_FUNCTION ("film", policy_film, "(path)",
                      "The networks of earlier updates that a training keeps beside its network, a "
                      "list: step, file. They go on to be there after the training.",
                      "for _, f in ipairs(policy.film(t.output)) do print(f.step, "
                      "plan.go_zeroshot(g, { network = f.file, evals = 1 })) end"),
  GOBAN_LUA_FUNCTION (
      "load", policy_load, "(path)",
      "A trained network, as policy.networks() lists it; nil and why if the file is "
      "none.",
      "plan.go_zeroshot(g, { network = policy.load(\"goban-out/builder.net\").file "
      "})"),
  GOBAN_LUA_FUNCTION ("networks", policy_networks, "()",
                      "The trained networks, those that come with the program first, then those in "
                      "goban-out and beside trainings, a list: name, file, network (which it is), "
                      "decides, policy (that places with it), trained_on, updates, score (in "
                      "trials, lower is better), parameters, shipped."),
  { NULL },
};

void
goban_lua_open_networks (lua_State *L)
{
  goban_lua_module (L, "policy", functions);
  goban_lua_module (L, "app", app_functions);
}
