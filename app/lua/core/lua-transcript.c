#include "app/lua/core/lua-transcript.h"

#include "engine/session/session-edit.h"
#include "engine/session/session-log.h"

typedef enum
{
  CLICKED,
  CAUSED, /* by the typed text before it */
  TYPED,
} Kind;

typedef struct
{
  Kind kind;
  gboolean is_expression;
  gboolean is_fine; /* of a typed text: it has ended without an error */
  char *text;       /* (nullable): typed ... */
  guint line;       /* ... else a line of the session's log */
} Entry;

static void
free_entry (gpointer data)
{
  g_free (((Entry *) data)->text);
  g_free (data);
}

static Entry *
add (GobanLuaHost *host, Kind kind, const char *text, guint line)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->kind = kind;
  entry->text = g_strdup (text);
  entry->line = line;
  g_ptr_array_add (host->transcript, entry);
  return entry;
}

/* A chunk calls the session from its own thread's place, or while the main one serves it; or waits
 * for an edit that it has asked for. */
static void
log_cb (GobanLuaHost *host, guint line)
{
  GCancellable *edits = goban_session_get_committing (host->session);
  gboolean is_caused = edits != NULL ? edits == host->edits
                                     : host->is_serving || (host->is_at_work && !host->is_threaded);

  add (host, is_caused ? CAUSED : CLICKED, NULL, line);
}

void
goban_lua_transcript_open (GobanLuaHost *host)
{
  const GPtrArray *log = goban_session_get_log (host->session);

  host->transcript = g_ptr_array_new_with_free_func (free_entry);
  for (guint i = 0; i < log->len; i++)
    add (host, CLICKED, NULL, i);
  g_signal_connect_swapped (host->session, "log", G_CALLBACK (log_cb), host);
}

void
goban_lua_transcript_free (GobanLuaHost *host)
{
  g_clear_pointer (&host->transcript, g_ptr_array_unref);
}

void
goban_lua_transcript_begin (GobanLuaHost *host, const char *text, gboolean is_expression)
{
  Entry *entry = add (host, TYPED, text, 0);

  entry->is_expression = is_expression;
  host->typed = entry;
}

void
goban_lua_transcript_end (GobanLuaHost *host, gboolean is_fine)
{
  Entry *entry = g_steal_pointer (&host->typed);

  if (entry != NULL)
    entry->is_fine = is_fine;
}

static void
push_text (lua_State *L, const Entry *entry)
{
  const GPtrArray *log = goban_session_get_log (goban_lua_get_session (L));

  if (entry->kind != TYPED)
    lua_pushstring (L, g_ptr_array_index (log, entry->line));
  else if (entry->is_expression)
    lua_pushfstring (L, "_ = %s", entry->text);
  else /* its local variables end with it */
    lua_pushfstring (L, "do %s\nend", entry->text);
}

int
goban_lua_transcript (lua_State *L)
{
  GPtrArray *transcript = goban_lua_get_host (L)->transcript;
  gboolean is_covered = FALSE; /* caused lines are in the typed text */
  lua_Integer n = 0;

  lua_newtable (L);
  for (guint i = 0; i < transcript->len; i++)
    {
      const Entry *entry = g_ptr_array_index (transcript, i);

      if (entry->kind == TYPED)
        is_covered = entry->is_fine;
      if ((entry->kind == TYPED && !entry->is_fine) || (entry->kind == CAUSED && is_covered))
        continue;
      push_text (L, entry);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}
