/* lua-paths.c: the files that a script may read as text, and write.
 *
 * Folders are compared by their real names, so that neither ".." nor a link leads out of one.
 * Graphs, plans, clusters, suites and networks are read from anywhere, for a script sees only what
 * their readers make of them.
 *
 * Decision A11 (app/NOTES.md).
 */
#include "app/lua/core/lua-paths.h"

#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/real-path.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/document/document.h"

#include <glib/gstdio.h>

/* More text than a script has a use for, less than hurts. */
#define MAX_READ_BYTES ((gint64) 256 << 20)

void
goban_lua_host_allow (GobanLuaHost *self, const char *path)
{
  char *real = goban_real_path (path);

  if (real != NULL)
    g_ptr_array_add (self->allowed, real);
}

void
goban_lua_note_opened (lua_State *L, const char *path)
{
  GPtrArray *opened = goban_lua_get_host (L)->opened;

  if (path != NULL && !g_ptr_array_find_with_equal_func (opened, path, g_str_equal, NULL))
    g_ptr_array_add (opened, g_strdup (path));
}

void
goban_lua_host_set_trusted (GobanLuaHost *self, gboolean is_trusted)
{
  self->is_trusted = is_trusted;
}

void
goban_lua_host_confine (GobanLuaHost *self)
{
  self->is_confined = TRUE;
}

typedef struct
{
  GobanLuaHost *host;
  const char *path; /* resolved */
  gboolean is_found;
} Search;

static void
search_folder (Search *self, const char *folder)
{
  g_autofree char *real = goban_real_path (folder);

  if (real != NULL && goban_real_path_is_below (self->path, real))
    self->is_found = TRUE;
}

/* The folder of a file that people opened or saved. Files that a script opened do not count: they
 * may be anywhere. */
static void
search_beside (Search *self, const char *file)
{
  g_autofree char *folder = NULL;

  if (file == NULL || g_str_equal (file, "-")
      || g_ptr_array_find_with_equal_func (self->host->opened, file, g_str_equal, NULL))
    return;
  folder = g_path_get_dirname (file);
  search_folder (self, folder);
}

/* In the main thread, whose session it is. */
static void
search_session_cb (gpointer data)
{
  Search *self = data;
  const GPtrArray *chosen = goban_chosen_folders_get (self->host->session);

  for (guint i = 0; i < chosen->len; i++)
    search_folder (self, g_ptr_array_index (chosen, i));
  search_beside (self, goban_document_get_path (goban_document_get (self->host->session)));
  search_beside (self, goban_session_get_path (self->host->session));
}

static gboolean
is_in_working_folder (GobanLuaHost *self, const char *path)
{
  g_autofree char *working = goban_real_path (".");
  g_autofree char *out
      = working != NULL ? g_build_filename (working, GOBAN_OUT_FOLDER, NULL) : NULL;

  return working != NULL && goban_real_path_is_below (path, self->is_confined ? out : working);
}

/* @path is resolved. */
static gboolean
is_allowed (GobanLuaHost *self, const char *path)
{
  g_autofree char *script = self->script_dir != NULL ? goban_real_path (self->script_dir) : NULL;
  Search search = { self, path, FALSE };

  if (script != NULL && goban_real_path_is_below (path, script))
    return TRUE;
  for (guint i = 0; i < self->allowed->len; i++)
    if (goban_real_path_is_below (path, g_ptr_array_index (self->allowed, i)))
      return TRUE;
  if (is_in_working_folder (self, path))
    return TRUE;
  if (self->is_confined)
    goban_lua_on_main (self, search_session_cb, &search);
  return search.is_found;
}

static gboolean
refuse (GobanLuaHost *self, const char *path, GError **error)
{
  return goban_refuse (
      error, GOBAN_ERROR_IO,
      self->is_confined
          ? "%s: a script may use the folders of its own file, of what is open and of "
            "what you saved, "
            "and goban-out in the working folder"
          : "%s: a script may use the working folder, its own, and what the command line "
            "names; --trust lifts this",
      path);
}

gboolean
goban_lua_may_write (lua_State *L, const char *path, GError **error)
{
  GobanLuaHost *self = goban_lua_get_host (L);
  g_autofree char *real = NULL;
  GStatBuf about;

  if (self->is_trusted || (g_str_equal (path, "-") && !self->is_confined))
    return TRUE;

  real = goban_real_path (path);
  if (real == NULL || !is_allowed (self, real))
    return refuse (self, path, error);
  if (g_stat (real, &about) == 0 && !S_ISREG (about.st_mode) && !S_ISDIR (about.st_mode))
    return goban_refuse (error, GOBAN_ERROR_IO,
                         "%s: is neither a file nor a folder, so a script may not write to it",
                         path);
  goban_checked_path_add (path, real);
  return TRUE;
}

gboolean
goban_lua_may_copy (lua_State *L, const char *path, GError **error)
{
  GobanLuaHost *self = goban_lua_get_host (L);
  g_autofree char *real = goban_real_path (path);
  /* Measurements are stored with the name of the processor. */
  gboolean is_processor = real != NULL && g_str_equal (real, "/proc/cpuinfo");
  GStatBuf about;

  if (!self->is_trusted && !is_processor && (real == NULL || !is_allowed (self, real)))
    return refuse (self, path, error);
  if (g_stat (path, &about) != 0)
    return TRUE; /* the reader reports the error */
  if (!S_ISREG (about.st_mode) && !S_ISDIR (about.st_mode))
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: is not a regular file", path);
  return TRUE;
}

gboolean
goban_lua_may_read (lua_State *L, const char *path, GError **error)
{
  GStatBuf about;

  if (!goban_lua_may_copy (L, path, error))
    return FALSE;
  if (g_stat (path, &about) == 0 && about.st_size > MAX_READ_BYTES)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: is larger than the %d MB that app.read takes",
                         path, (int) (MAX_READ_BYTES >> 20));
  return TRUE;
}

void
goban_lua_check_write (lua_State *L, const char *path)
{
  GError *error = NULL;

  if (path != NULL && !goban_lua_may_write (L, path, &error))
    goban_lua_raise (L, error);
}
