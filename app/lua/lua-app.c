/* lua-app.c: module app: the program itself and the files scripts write. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

/* Without an argument, the session's cluster; else its new one, on which all runs are made anew. */
static int
app_cluster (lua_State *L)
{
  GobanSession *session = goban_lua_get_host (L)->session;

  lua_settop (L, 1);
  if (!lua_isnil (L, 1))
    {
      goban_session_set_cluster (session, goban_lua_opt_cluster (L, 1));
      goban_lua_sync_globals (L);
    }

  goban_lua_push_cluster (L, goban_session_get_cluster (session));
  return 1;
}

static int
app_log (lua_State *L)
{
  const GPtrArray *log = goban_session_get_log (goban_lua_get_host (L)->session);

  lua_createtable (L, log->len, 0);
  for (guint i = 0; i < log->len; i++)
    {
      lua_pushstring (L, g_ptr_array_index (log, i));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
app_quit (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    {
      g_application_quit (application);
      return 0;
    }
  if (host->is_sliced)
    return luaL_error (L, "there is no application to quit");

  host->exit_code = 0;
  host->is_exiting = TRUE;
  return goban_lua_stop (L);
}

static int
app_write (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  size_t n;
  const char *text = luaL_checklstring (L, 2, &n);
  GError *error = NULL;

  if (!goban_file_write (path, text, n, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

/* The text of a file, for data that scripts keep. */
static int
app_read (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GError *error = NULL;
  GBytes *bytes = goban_file_read (path, &error);
  gconstpointer text;
  gsize n;

  if (bytes == NULL)
    return goban_lua_fail (L, error);

  text = g_bytes_get_data (bytes, &n);
  if (n > 0 && memchr (text, '\0', n) != NULL)
    {
      g_bytes_unref (bytes);
      return goban_lua_fail (L, g_error_new (GOBAN_ERROR, GOBAN_ERROR_PARSE,
                                             "%s: is no text, for it has bytes of zero", path));
    }

  char *copy = g_strndup (n > 0 ? text : "", n);

  g_bytes_unref (bytes);
  goban_lua_take_string (L, copy);
  return 1;
}

static int
app_mkdir (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      int code = errno;

      lua_pushnil (L);
      lua_pushfstring (L, "%s: cannot be made: %s", path, g_strerror (code));
      return 2;
    }

  lua_pushboolean (L, TRUE);
  return 1;
}

/* Where the samples may be: beside the source that was built, or installed. */
static const char *const sample_folders[] = { GOBAN_SAMPLES_SOURCE, GOBAN_SAMPLES_INSTALLED };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names of a folder's samples, sorted: (transfer full) (element-type utf8). */
static GPtrArray *
list_samples (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL); /* no folder, no samples */
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (!g_str_has_suffix (name, ".md"))
      g_ptr_array_add (names, g_strdup (name));
  g_clear_pointer (&dir, g_dir_close);
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* By the file's name, with or without its ending; (transfer full) (nullable). Adds what there is
 * to @others. */
static char *
find_sample (const char *folder, const char *name, GString *others)
{
  GPtrArray *names = list_samples (folder);
  gsize n = strlen (name);
  char *path = NULL;

  for (guint i = 0; i < names->len && path == NULL; i++)
    {
      const char *file = g_ptr_array_index (names, i);

      g_string_append_printf (others, " %s", file);
      if (strncmp (file, name, n) == 0 && (file[n] == '\0' || file[n] == '.'))
        path = g_build_filename (folder, file, NULL);
    }
  g_ptr_array_unref (names);
  return path;
}

static int
app_sample (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  GString *others = g_string_new (NULL);
  char *path = NULL;
  GError *error;

  for (gsize i = 0; i < G_N_ELEMENTS (sample_folders) && path == NULL; i++)
    path = find_sample (sample_folders[i], name, others);
  if (path != NULL)
    {
      g_string_free (others, TRUE);
      goban_lua_take_string (L, path);
      return 1;
    }

  error = g_error_new (GOBAN_ERROR, GOBAN_ERROR_IO, "there is no sample '%s'; there are:%s", name,
                       others->str);
  g_string_free (others, TRUE);
  return goban_lua_fail (L, error);
}

static const luaL_Reg functions[] = {
  { "cluster", app_cluster }, { "log", app_log },   { "mkdir", app_mkdir },
  { "quit", app_quit },       { "read", app_read }, { "sample", app_sample },
  { "write", app_write },     { NULL, NULL },
};

void
goban_lua_open_app (lua_State *L)
{
  goban_lua_module (L, "app", functions);
  lua_getglobal (L, "app");
  goban_lua_put_text (L, "version", GOBAN_VERSION);
  lua_pop (L, 1);
}
