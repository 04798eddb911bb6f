/* lua-prelude.c: loads the half of the host that is written in Lua, compiled in as a resource.
 *
 * Its files get one table, `core`: what we give them (types, node fields, write, format) and
 * what they give us (evaluate, place, policies, complete).
 */
#include "app/lua/lua-prelude.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-names.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-transcript.h"
#include "app/lua/core/lua-unknown.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/jobs/lua-trainer.h"
#include "app/lua/lua-guest.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/view/lua-figure.h"
#include "app/lua/view/lua-picture.h"

#include "app/lua/prelude-resources.h"
#include "engine/core/i18n.h"
#include "engine/core/json-reader.h"
#include "engine/core/new-file.h"
#include "engine/core/quantity.h"
#include "engine/decisions/settling.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/programs/child-program.h"
#include "engine/study/programs/program-message.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/org/goban/Goban/prelude/"

/* Its address is the key of `core` in the registry. */
static const char core_key;

/* In this order: later files use definitions of earlier ones. */
static const char *const files[]
    = { "help",        "printer", "records",  "json",     "statistics", "tables",   "table-text",
        "arrays",      "graphs",  "clusters", "complete", "arguments",  "policies", "plot",
        "fingerprint", "sweep",   "controls", "trainer",  "session",    "lesson" };

void
goban_lua_push_prelude (lua_State *L, const char *name)
{
  lua_rawgetp (L, LUA_REGISTRYINDEX, &core_key);
  lua_getfield (L, -1, name);
  lua_remove (L, -2);
}

static int
core_write (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  size_t n;
  const char *text = luaL_checklstring (L, 1, &n);

  goban_lua_write (host, text, n);
  return 0;
}

/* core.note(text): a line beside the output, which may be data for another program. */
static int
core_note (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  const char *line = lua_pushfstring (L, "%s\n", luaL_checkstring (L, 1));

  if (host->display == NULL)
    g_printerr ("goban: %s", line);
  else
    goban_lua_write (host, line, strlen (line));
  return 0;
}

/* core.fail (message): nil and it, which an error about the nil tells, too. */
static int
core_fail (lua_State *L)
{
  luaL_checkstring (L, 1);
  lua_settop (L, 1);
  return goban_lua_fail_with (L);
}

/* core.translate (text): in the language of the window. */
static int
core_translate (lua_State *L)
{
  lua_pushstring (L, goban_i18n_get (luaL_checkstring (L, 1)));
  return 1;
}

/* A number of a kind of field, with its unit, as people read it. */
static int
core_format (lua_State *L)
{
  static const char *const kinds[] = { "time", "bytes", "count", NULL };
  int kind = luaL_checkoption (L, 1, NULL, kinds);
  double value = luaL_checknumber (L, 2);
  char buffer[GOBAN_QUANTITY_LEN];

  if (kind == 0)
    goban_format_time (buffer, value * 1e6);
  else if (kind == 1)
    goban_format_bytes (buffer, value);
  else
    goban_format_count (buffer, value);
  lua_pushstring (L, buffer);
  return 1;
}

/* core.quantity_of("time" or "bytes", text or number): seconds or bytes; raises for other texts. */
static int
core_quantity_of (lua_State *L)
{
  static const char *const kinds[] = { "time", "bytes", NULL };

  if (luaL_checkoption (L, 1, NULL, kinds) == 0)
    lua_pushnumber (L, goban_lua_check_time_us (L, 2) / 1e6);
  else
    lua_pushnumber (L, goban_lua_check_bytes (L, 2));
  return 1;
}

static int
core_clock (lua_State *L)
{
  lua_pushnumber (L, g_get_monotonic_time () / 1e6);
  return 1;
}

/* core.left (text): what a stop leaves, for its message; nil: nothing */
static int
core_left (lua_State *L)
{
  goban_lua_set_left (goban_lua_get_host (L), luaL_optstring (L, 1, NULL));
  return 0;
}

/* core.nearest_key(table, word): nil if no key is near. */
static int
core_nearest_key (lua_State *L)
{
  luaL_checktype (L, 1, LUA_TTABLE);
  lua_pushstring (L, goban_lua_find_nearest_key (L, 1, luaL_checkstring (L, 2)));
  return 1;
}

static int
core_type (lua_State *L)
{
  const char *name = NULL;

  if (lua_type (L, 1) == LUA_TUSERDATA && luaL_getmetafield (L, 1, "__name") != LUA_TNIL)
    name = lua_tostring (L, -1);
  lua_pushstring (L, name != NULL ? name : luaL_typename (L, 1));
  return 1;
}

static void push_value (lua_State *L, GobanJsonValue value);

static void
push_list (lua_State *L, GobanJsonValue value)
{
  GobanJsonItems items;
  GobanJsonValue item;

  goban_json_read_list (value, &items, NULL);
  lua_createtable (L, (int) MIN (items.n, G_MAXINT), 0);
  for (lua_Integer i = 1; goban_json_items_next (&items, &item); i++)
    {
      push_value (L, item);
      lua_rawseti (L, -2, i);
    }
}

static void
push_object (lua_State *L, GobanJsonValue value)
{
  GobanJsonItems members;
  GobanJsonValue member;
  const char *key;

  goban_json_read_members (value, &members, NULL);
  lua_createtable (L, 0, (int) MIN (members.n, G_MAXINT));
  while (goban_json_members_next (&members, &key, &member))
    if (goban_json_get_type (member) != GOBAN_JSON_NULL)
      {
        lua_pushstring (L, key);
        push_value (L, member);
        lua_rawset (L, -3);
      }
}

/* The depth is that which the reader allows. null is false in a list, which has no holes, and
 * nothing in an object. */
static void
push_value (lua_State *L, GobanJsonValue value)
{
  gint64 whole = 0;
  double number = 0;

  luaL_checkstack (L, 4, "too deep");
  goban_lua_check_stop (L);
  switch (goban_json_get_type (value))
    {
    case GOBAN_JSON_INTEGER:
      goban_json_read_whole (value, ((GobanJsonWhole){ G_MININT64, G_MAXINT64 }), &whole, NULL);
      lua_pushinteger (L, whole);
      break;
    case GOBAN_JSON_REAL:
      goban_json_read_number (value, GOBAN_JSON_ANY, &number, NULL);
      lua_pushnumber (L, number);
      break;
    case GOBAN_JSON_STRING:
      lua_pushstring (L, goban_json_peek_text (value));
      break;
    case GOBAN_JSON_ARRAY:
      push_list (L, value);
      break;
    case GOBAN_JSON_OBJECT:
      push_object (L, value);
      break;
    default:
      lua_pushboolean (L, goban_json_is_true (value));
    }
}

/* core.parse_json(text): its value; nil and why if it is not JSON. */
static int
core_parse_json (lua_State *L)
{
  size_t size;
  const char *text = luaL_checklstring (L, 1, &size);
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) goban_json_reader_free);
  GError *error = NULL;

  *kept = goban_json_reader_new (text, (gssize) size, "(text)", &error);
  if (*kept == NULL)
    return goban_lua_fail (L, error);
  push_value (L, goban_json_reader_get_root (*kept));
  return 1;
}

/* core.edges(graph): a record for each edge, by reader and in the order of its inputs. */
static int
core_edges (lua_State *L)
{
  const GobanGraph *graph = goban_lua_check_graph (L, 1);
  lua_Integer n = 0;

  lua_createtable (L, (int) MIN (goban_graph_get_n_edges (graph), G_MAXINT), 0);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanEdgeSpan edges = goban_graph_get_in_edges (graph, v);

      goban_lua_check_stop (L);
      for (guint i = 0; i < edges.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);
          const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);
          guint n_tensors;
          GobanTensorId first = goban_graph_get_node_tensors (graph, edge->tail, &n_tensors);

          lua_createtable (L, 0, 5);
          goban_lua_put_text (L, "from", goban_graph_get_node (graph, edge->tail)->name);
          goban_lua_put_text (L, "to", goban_graph_get_node (graph, v)->name);
          goban_lua_put_count (L, "output", edge->tensor - first + 1);
          goban_lua_put_count (L, "bytes", tensor->size_bytes);
          goban_lua_put_boolean (L, "control", tensor->is_control);
          lua_rawseti (L, -2, ++n);
        }
    }
  return 1;
}

/* --- what a function depends on --------------------------------------------------------------- */

/* What lua_dump() writes of a function (ldump.c of Lua 5.4) is read without its numbers of lines,
 * so that a change elsewhere in the file changes nothing here. */
#define DUMP_HEADER_BYTES 32 /* and the number of upvalues */
#define OP_SETUPVAL 10
#define OP_GETTABUP 11
#define SHORT_TEXT LUA_TSTRING
#define LONG_TEXT (LUA_TSTRING | 1 << 4)
#define WHOLE_NUMBER LUA_TNUMBER
#define OTHER_NUMBER (LUA_TNUMBER | 1 << 4)

typedef struct
{
  lua_State *L; /* the list of names is on top */
  const guint8 *at;
  GByteArray *code;
  GByteArray *assigned; /* numbers of upvalues that the outer function sets */
} Reader;

static int
write_cb (lua_State *L, const void *bytes, size_t n, void *data)
{
  g_byte_array_append (data, bytes, (guint) n);
  return 0;
}

static gsize
read_size (Reader *self)
{
  gsize size = 0;

  do
    size = size << 7 | (*self->at & 0x7f);
  while ((*self->at++ & 0x80) == 0);
  return size;
}

/* Sizes of texts count one more; 0 is none. */
static void
read_text (Reader *self, gboolean is_name)
{
  gsize n = read_size (self);

  if (n > 0 && is_name)
    {
      lua_pushlstring (self->L, (const char *) self->at, n - 1);
      lua_rawseti (self->L, -2, (lua_Integer) lua_rawlen (self->L, -2) + 1);
    }
  self->at += n > 0 ? n - 1 : 0;
}

/* @is_name: of the first constants, whether each is a name of a global, or of a field of a variable
 * outside. */
static void
read_instructions (Reader *self, gboolean is_outer, gboolean is_name[G_MAXUINT8 + 1])
{
  gsize n = read_size (self);

  for (gsize i = 0; i < n; i++, self->at += sizeof (guint32))
    {
      guint32 instruction;
      guint8 upvalue;

      memcpy (&instruction, self->at, sizeof instruction);
      upvalue = (guint8) (instruction >> 16);
      if (is_outer && (instruction & 0x7f) == OP_SETUPVAL)
        g_byte_array_append (self->assigned, &upvalue, 1);
      if ((instruction & 0x7f) == OP_GETTABUP)
        is_name[instruction >> 24] = TRUE;
    }
}

static void
read_function (Reader *self, gboolean is_outer)
{
  gboolean is_name[G_MAXUINT8 + 1] = { FALSE };
  const guint8 *from;
  gsize n;

  luaL_checkstack (self->L, 4, "functions within functions");
  read_text (self, FALSE); /* the file */
  read_size (self);        /* the first line and the last one */
  read_size (self);
  from = self->at;
  self->at += 3; /* parameters, whether there may be more, registers */
  read_instructions (self, is_outer, is_name);
  n = read_size (self);
  for (gsize i = 0; i < n; i++)
    {
      guint8 type = *self->at++;

      if (type == SHORT_TEXT || type == LONG_TEXT)
        read_text (self, i <= G_MAXUINT8 && is_name[i]);
      else if (type == WHOLE_NUMBER || type == OTHER_NUMBER)
        self->at += 8;
    }
  for (gsize i = read_size (self); i > 0; i--)
    self->at += 3;
  n = read_size (self);
  g_byte_array_append (self->code, from, (guint) (self->at - from));
  for (gsize i = 0; i < n; i++)
    read_function (self, FALSE);
  for (guint i = 0; i < 4; i++) /* lines and names, which are left out */
    read_size (self);
}

static void
push_variables (Reader *self, int function)
{
  lua_State *L = self->L;
  const char *name;

  lua_newtable (L);
  for (int i = 1; (name = lua_getupvalue (L, function, i)) != NULL; i++)
    {
      const GByteArray *assigned = self->assigned;
      gboolean is_set = assigned->len > 0 && memchr (assigned->data, i - 1, assigned->len) != NULL;

      lua_createtable (L, 0, 3);
      goban_lua_put_text (L, "name", name);
      goban_lua_put_boolean (L, "is_set", is_set);
      lua_rotate (L, -2, 1); /* row value */
      lua_setfield (L, -2, "value");
      lua_rawseti (L, -2, i);
    }
}

/* core.inspect(f): a checksum of its code, which does not depend on where it stands in a file; the
 * names of the globals that it uses, and maybe of fields; the variables outside, a list of
 * { name =, value =, is_set = }, where is_set says that the function itself assigns it. Nothing for
 * a function in C. */
static int
core_inspect (lua_State *L)
{
  GByteArray *buffers[3]; /* the dump, the code, the numbers */
  Reader self = { .L = L };

  luaL_checktype (L, 1, LUA_TFUNCTION);
  lua_settop (L, 1);
  if (lua_iscfunction (L, 1))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    {
      gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_byte_array_unref);

      *kept = buffers[i] = g_byte_array_new ();
    }
  self.code = buffers[1];
  self.assigned = buffers[2];
  lua_pushvalue (L, 1);
  lua_dump (L, write_cb, buffers[0], TRUE);
  lua_pop (L, 1);
  g_assert (buffers[0]->data[4] == LUA_VERSION_NUM / 100 * 16 + LUA_VERSION_NUM % 100);
  self.at = buffers[0]->data + DUMP_HEADER_BYTES;
  lua_newtable (L);
  read_function (&self, TRUE);
  goban_lua_take_string (
      L, g_compute_checksum_for_data (G_CHECKSUM_SHA256, self.code->data, self.code->len));
  lua_rotate (L, -2, 1); /* checksum names */
  push_variables (&self, 1);
  return 3;
}

/* core.checksum(text), core.graph_checksum(graph), core.plan_checksum(plan): equal for equal
 * ones. */
static int
core_checksum (lua_State *L)
{
  size_t n;
  const char *text = luaL_checklstring (L, 1, &n);

  goban_lua_take_string (L,
                         g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, n));
  return 1;
}

static int
core_graph_checksum (lua_State *L)
{
  goban_lua_take_string (
      L, g_strdup_printf ("%" PRIx64, goban_graph_get_hash (goban_lua_check_graph (L, 1))));
  return 1;
}

static int
core_plan_checksum (lua_State *L)
{
  const GobanPlan *plan = goban_lua_check_plan (L, 1)->plan;

  goban_lua_take_string (L,
                         g_strdup_printf ("%" PRIx64 "%" PRIx64, goban_plan_get_graph_hash (plan),
                                          goban_settling_digest_plan (plan)));
  return 1;
}

/* core.cluster_json(cluster): all that it is. */
static int
core_cluster_json (lua_State *L)
{
  goban_lua_take_string (L, goban_cluster_to_json (goban_lua_opt_cluster (L, 1)));
  return 1;
}

/* --- other programs --------------------------------------------------------------------------- */

/* core.observe_graph(graph, cluster): what other programs are told of a problem, as JSON. */
static int
core_observe_graph (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanCostModel *costs = goban_lua_dup_costs (L, graph, goban_lua_opt_cluster_for (L, 2, graph),
                                               GOBAN_EXECUTION_EVENTS);
  GString *line = g_string_new ("{");

  goban_program_write_graph (line, costs);
  goban_cost_model_unref (costs);
  g_string_append_c (line, '}');
  goban_lua_take_string (L, g_string_free (line, FALSE));
  return 1;
}

/* --- processes of a sweep: decision A20 (app/NOTES.md) ---------------------------------------- */

/* A cell takes as long as it takes. */
#define PATIENCE_S 1e9
#define GRACE_S 2

typedef struct
{
  GPtrArray *programs; /* GobanChildProgram */
  GobanChildProgramOptions options;
} Followers;

static gboolean
should_stop (gpointer data)
{
  const GobanLuaHost *host = data;

  return g_atomic_int_get (&host->is_interrupted) != 0;
}

static void
end_program (gpointer program)
{
  goban_child_program_free (program, GRACE_S);
}

static void
followers_free (Followers *self)
{
  g_ptr_array_unref (self->programs);
  g_free (self);
}

static Followers *
check_followers (lua_State *L)
{
  gpointer *slot = lua_touserdata (L, 1);

  g_assert (slot != NULL && *slot != NULL);
  return *slot;
}

/* core.start_followers (n); nil where a script cannot be run again, or with why. */
static int
start_followers (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  lua_Integer n = luaL_checkinteger (L, 1);
  gpointer *slot;
  Followers *self;
  GError *error = NULL;

  if (host->followers == NULL)
    {
      lua_pushnil (L);
      return 1;
    }
  slot = goban_lua_push_kept (L, (GDestroyNotify) followers_free);
  *slot = self = g_new0 (Followers, 1);
  self->programs = g_ptr_array_new_with_free_func (end_program);
  self->options = (GobanChildProgramOptions){ .name = "a process of the sweep",
                                              .argv = (const char *const *) host->followers,
                                              .timeout_s = PATIENCE_S,
                                              .should_stop = should_stop,
                                              .user_data = host };
  for (lua_Integer i = 0; i < n; i++)
    {
      GobanChildProgram *program = goban_child_program_start (&self->options, &error);

      if (program == NULL)
        return goban_lua_fail (L, error);
      g_ptr_array_add (self->programs, program);
    }
  return 1;
}

/* core.hear_follower (followers): its number and its line; nil and why. */
static int
hear_follower (lua_State *L)
{
  Followers *self = check_followers (L);
  GError *error = NULL;
  int i = goban_child_programs_wait ((GobanChildProgram *const *) self->programs->pdata,
                                     self->programs->len, &error);
  const char *line = NULL;
  gsize n;

  if (i >= 0)
    {
      line = goban_child_program_read (self->programs->pdata[i], &n, &error);
      if (line == NULL)
        goban_child_program_explain (self->programs->pdata[i], &error);
    }
  if (line == NULL)
    return goban_lua_fail (L, error);
  lua_pushinteger (L, i + 1);
  lua_pushlstring (L, line, n);
  return 2;
}

/* core.tell_follower (followers, number, line); nil and why. */
static int
tell_follower (lua_State *L)
{
  Followers *self = check_followers (L);
  GobanChildProgram *program = self->programs->pdata[luaL_checkinteger (L, 2) - 1];
  GString *line = g_string_new (luaL_checkstring (L, 3));
  GError *error = NULL;
  gboolean is_told;

  g_string_append_c (line, '\n');
  is_told = goban_child_program_write (program, line, &error);
  g_string_free (line, TRUE);
  if (!is_told)
    goban_child_program_explain (program, &error);
  return goban_lua_answer (L, is_told, &error);
}

/* core.end_followers (followers) */
static int
end_followers (lua_State *L)
{
  gpointer *slot = lua_touserdata (L, 1);

  g_clear_pointer ((Followers **) slot, followers_free);
  return 0;
}

/* core.is_follower () */
static int
is_follower (lua_State *L)
{
  lua_pushboolean (L, goban_lua_get_host (L)->orders != NULL);
  return 1;
}

/* core.report (line): the order that it is answered with. */
static int
report (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  size_t n;
  const char *line = lua_pushfstring (L, "%s\n", luaL_checkstring (L, 1));
  char *order;

  n = lua_rawlen (L, -1);
  for (ssize_t written; n > 0; n -= (size_t) written, line += written)
    if ((written = write (host->reports, line, n)) <= 0)
      _exit (EXIT_SUCCESS);
  order = g_async_queue_pop (host->orders);
  goban_lua_take_string (L, order);
  return 1;
}

/* core.rank (): from 0, and how many there are. */
static int
rank (lua_State *L)
{
  const GobanRanks *ranks = goban_lua_get_host (L)->ranks;

  lua_pushinteger (L, goban_ranks_get_rank (ranks));
  lua_pushinteger (L, goban_ranks_get_size (ranks));
  return 2;
}

/* core.gather (line): those of all ranks, each with an end; nil and why. */
static int
gather (lua_State *L)
{
  size_t n;
  const char *line = lua_pushfstring (L, "%s\n", luaL_checkstring (L, 1));
  GByteArray *all = g_byte_array_new ();
  gpointer *kept = goban_lua_push_kept (L, (GDestroyNotify) g_byte_array_unref);
  GError *error = NULL;

  *kept = all;
  n = lua_rawlen (L, -2);
  if (!goban_ranks_gather (goban_lua_get_host (L)->ranks, line, n, all, &error))
    return goban_lua_fail (L, error);
  lua_pushlstring (L, (const char *) all->data, all->len);
  return 1;
}

/* core.discard_files (true or false) */
static int
discard_files (lua_State *L)
{
  goban_new_files_discard (lua_toboolean (L, 1));
  return 0;
}

/* --- the table -------------------------------------------------------------------------------- */

/* core.fields: name to { kind =, blurb =, needs_run = }. */
static void
push_fields (lua_State *L)
{
  static const char *const kinds[] = { "text", "time", "bytes", "count" };
  gsize n;
  const GobanNodeField *fields = goban_node_field_table (&n);

  lua_createtable (L, 0, n);
  for (gsize i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 3);
      goban_lua_put_text (L, "kind", kinds[fields[i].kind]);
      goban_lua_put_text (L, "blurb", fields[i].blurb);
      goban_lua_put_boolean (L, "needs_run", fields[i].needs_run);
      lua_setfield (L, -2, fields[i].name);
    }
}

/* Sets g, r, p and sel, whatever a script has made of them. */
static int
sync_globals (lua_State *L)
{
  goban_lua_get_host (L)->stale = GOBAN_LUA_STALE_ALL;
  goban_lua_sync_globals (L);
  return 0;
}

/* core.hide_learning(true or false): within a chunk. */
static int
core_hide_learning (lua_State *L)
{
  goban_lua_get_host (L)->hides_learning = lua_toboolean (L, 1);
  return 0;
}

static int
core_sync (lua_State *L)
{
  return goban_lua_call_on_main (L, sync_globals);
}

static int
is_figures (lua_State *L)
{
  lua_pushboolean (L, goban_lua_is_figures (L, 1));
  return 1;
}

/* core.is_nil_local (n): the n-th local variable, an argument, of the caller's caller. */
static int
is_nil_local (lua_State *L)
{
  lua_Debug frame;
  gboolean is_found = lua_getstack (L, 2, &frame)
                      && lua_getlocal (L, &frame, (int) luaL_checkinteger (L, 1)) != NULL;

  lua_pushboolean (L, is_found && lua_isnil (L, -1));
  return 1;
}

static const luaL_Reg core[] = {
  { "add_policy", goban_lua_add_policy },
  { "checksum", core_checksum },
  { "cluster_json", core_cluster_json },
  { "graph_checksum", core_graph_checksum },
  { "plan_checksum", core_plan_checksum },
  { "clock", core_clock },
  { "edges", core_edges },
  { "fail", core_fail },
  { "forget_policies", goban_lua_forget_policies },
  { "format", core_format },
  { "hide_learning", core_hide_learning },
  { "inspect", core_inspect },
  { "left", core_left },
  { "limit", goban_lua_limit },
  { "names", goban_lua_names },
  { "nearest_key", core_nearest_key },
  { "note", core_note },
  { "observe_graph", core_observe_graph },
  { "parse_json", core_parse_json },
  { "discard_files", discard_files },
  { "end_followers", end_followers },
  { "gather", gather },
  { "hear_follower", hear_follower },
  { "is_figures", is_figures },
  { "is_follower", is_follower },
  { "is_nil_local", is_nil_local },
  { "rank", rank },
  { "report", report },
  { "start_followers", start_followers },
  { "tell_follower", tell_follower },
  { "quantity_of", core_quantity_of },
  { "sync", core_sync },
  { "last_failure", goban_lua_last_failure },
  { "transcript", goban_lua_transcript },
  { "translate", core_translate },
  { "type", core_type },
  { "write", core_write },
  { NULL, NULL },
};

/* The resource is never unloaded, so that its bytes outlive every interpreter. */
static void
load_file (lua_State *L, const char *name)
{
  char path[64], chunk_name[64];
  GBytes *bytes;
  gsize n;
  const char *code;
  int status;

  g_snprintf (path, sizeof path, FOLDER "%s.lua", name);
  g_snprintf (chunk_name, sizeof chunk_name, "=(goban %s)", name);
  bytes = g_resource_lookup_data (goban_prelude_get_resource (), path, 0, NULL); /* compiled in */
  g_assert (bytes != NULL);
  code = g_bytes_get_data (bytes, &n);
  status = luaL_loadbufferx (L, code, n, chunk_name, "t");
  g_bytes_unref (bytes);
  if (status != LUA_OK)
    lua_error (L);
}

void
goban_lua_open_prelude (lua_State *L)
{
  lua_newtable (L); /* core */
  luaL_setfuncs (L, core, 0);
  goban_lua_add_figure_core (L);
  goban_lua_add_picture_core (L);
  goban_lua_add_trainer_core (L);
  goban_lua_push_types (L);
  lua_setfield (L, -2, "types");
  goban_lua_push_docs (L);
  lua_setfield (L, -2, "docs");
  lua_newtable (L);
  lua_setfield (L, -2, "policies");
  push_fields (L);
  lua_setfield (L, -2, "fields");
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &core_key);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      load_file (L, files[i]);
      lua_pushvalue (L, -2);
      lua_call (L, 1, 0);
    }
  lua_pop (L, 1);
}
