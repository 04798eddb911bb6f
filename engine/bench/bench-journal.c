#include "engine/bench/bench-journal.h"

#include "engine/base/error.h"
#include "engine/base/file-read.h"
#include "engine/base/json-guard.h"
#include "engine/base/json-text.h"
#include "engine/base/quantity.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Of every line that write_key() begins. */
#define LINE_BEGIN "{\"graph\": \""

struct _GobanBenchJournal
{
  gatomicrefcount ref_count;
  GMutex mutex; /* of the two below */
  int fd;
  GHashTable *cells; /* a key's text to its GobanBenchCell */
  char *path;
};

static const char *const state_names[GOBAN_N_CELL_STATES] = { "valid", "oom", "invalid", "failed" };

const char *
goban_cell_state_get_name (GobanCellState state)
{
  g_return_val_if_fail (state < GOBAN_N_CELL_STATES, NULL);

  return state_names[state];
}

/* --- cells ---------------------------------------------------------------------------------- */

void
goban_bench_cell_clear (GobanBenchCell *cell)
{
  g_clear_pointer (&cell->improvements, g_array_unref);
}

guint64
goban_bench_cell_get_best_evaluation (const GobanBenchCell *cell)
{
  const GArray *steps = cell->improvements;

  if (steps == NULL || steps->len == 0)
    return 0;
  return g_array_index (steps, GobanImprovement, steps->len - 1).evaluation;
}

/* (transfer full) */
static GobanBenchCell *
copy_cell (const GobanBenchCell *cell)
{
  GobanBenchCell *copy = g_memdup2 (cell, sizeof *cell);

  if (copy->improvements != NULL)
    g_array_ref (copy->improvements);
  return copy;
}

static void
free_cell (gpointer data)
{
  goban_bench_cell_clear (data);
  g_free (data);
}

/* --- keys ---------------------------------------------------------------------------------- */

/* A number that JSON's doubles would round. */
static void
add_whole (GString *json, const char *name, guint64 value)
{
  goban_json_append_key (json, name);
  g_string_append_printf (json, "\"%" G_GUINT64_FORMAT "\"", value);
}

/* The first members of a line, which are the key as text: what is equal is written equal. */
static char *
write_key (const GobanBenchKey *key)
{
  g_autoptr (GString) json = g_string_new ("{");
  g_autofree char *hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", key->graph_hash);
  g_autofree char *cluster_hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", key->cluster_hash);

  goban_json_add_string (json, "graph", key->graph);
  goban_json_add_string (json, "graph_hash", hash);
  goban_json_add_string (json, "cluster", key->cluster);
  goban_json_add_string (json, "cluster_hash", cluster_hash);
  goban_json_add_string (json, "policy", key->policy);
  add_whole (json, "seed", key->seed);
  add_whole (json, "max_evaluations", key->max_evaluations);
  goban_json_add_number (json, "max_seconds", key->max_seconds);
  if (key->network_hash != NULL)
    goban_json_add_string (json, "network_hash", key->network_hash);
  if (key->settings != NULL)
    goban_json_add_string (json, "settings", key->settings);
  if (key->decisions != 0 && key->decisions != GOBAN_DECISIONS_DEFAULT)
    {
      g_autofree char *tasks = goban_decisions_to_text (key->decisions);

      goban_json_add_string (json, "tasks", tasks);
    }
  if (key->fusion != NULL)
    goban_json_add_string (json, "fusion", key->fusion);
  goban_json_add_string (json, "version", GOBAN_VERSION);
  return g_string_free (g_steal_pointer (&json), FALSE);
}

void
goban_bench_append_improvements (GString *json, const GArray *improvements)
{
  char makespan[GOBAN_QUANTITY_LEN];

  goban_json_append_key (json, "improvements");
  g_string_append_c (json, '[');
  for (guint i = 0; improvements != NULL && i < improvements->len; i++)
    {
      const GobanImprovement *step = &g_array_index (improvements, GobanImprovement, i);

      g_string_append_printf (json, "%s[%" G_GUINT64_FORMAT ",%s]", i > 0 ? "," : "",
                              step->evaluation, goban_format_double (makespan, step->makespan_us));
    }
  g_string_append_c (json, ']');
}

static char *
write_line (const char *key, const GobanBenchCell *cell)
{
  g_autoptr (GString) json = g_string_new (key);

  goban_json_add_string (json, "state", state_names[cell->state]);
  goban_json_add_string (json, "why", cell->why);
  goban_json_add_number (json, "makespan_us", cell->makespan_us);
  goban_json_add_number (json, "bound_us", cell->bound_us);
  goban_json_add_number (json, "proven_bound_us", cell->proven_bound_us);
  goban_json_add_boolean (json, "fused", cell->is_fused);
  goban_json_add_number (json, "evaluations", (double) cell->evaluations);
  goban_bench_append_improvements (json, cell->improvements);
  goban_json_add_number (json, "seconds", cell->seconds);
  g_string_append (json, "}\n");
  return g_string_free (g_steal_pointer (&json), FALSE);
}

/* --- reading ------------------------------------------------------------------------------- */

/* null and nothing are NAN: a number that does not exist. */
static double
get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : (double) NAN;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  gboolean is_text = node != NULL && JSON_NODE_HOLDS_VALUE (node)
                     && json_node_get_value_type (node) == G_TYPE_STRING;

  return is_text ? json_node_get_string (node) : NULL;
}

/* One [evaluation, makespan_us], which must go on where the last one ended. */
static gboolean
read_improvement (JsonNode *node, GArray *improvements)
{
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  double numbers[2];

  if (pair == NULL || json_array_get_length (pair) != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      JsonNode *number = json_array_get_element (pair, i);
      GType type
          = JSON_NODE_HOLDS_VALUE (number) ? json_node_get_value_type (number) : G_TYPE_INVALID;

      if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
        return FALSE;
      numbers[i] = json_node_get_double (number);
    }
  if (!(numbers[0] >= 1 && numbers[0] < 1e18) || !(numbers[1] >= 0))
    return FALSE;
  goban_improvements_add (improvements, (guint64) numbers[0], numbers[1]);
  return TRUE;
}

/* An older journal has none. */
static gboolean
read_improvements (JsonObject *object, GobanBenchCell *cell)
{
  JsonNode *node = json_object_get_member (object, "improvements");
  JsonArray *steps
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (steps == NULL)
    return node == NULL;
  cell->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  for (guint i = 0; i < json_array_get_length (steps); i++)
    if (!read_improvement (json_array_get_element (steps, i), cell->improvements))
      return FALSE;
  return TRUE;
}

static gboolean
get_boolean (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && json_node_get_value_type (node) == G_TYPE_BOOLEAN && json_node_get_boolean (node);
}

static gboolean
read_cell (JsonObject *object, GobanBenchCell *cell)
{
  const char *state = get_text (object, "state");
  const char *why = get_text (object, "why");
  double evaluations = get_number (object, "evaluations");

  for (cell->state = 0; cell->state < GOBAN_N_CELL_STATES; cell->state++)
    if (g_strcmp0 (state_names[cell->state], state) == 0)
      break;
  cell->why = g_intern_string (why != NULL ? why : "");
  cell->makespan_us = get_number (object, "makespan_us");
  cell->bound_us = get_number (object, "bound_us");
  cell->proven_bound_us = get_number (object, "proven_bound_us");
  cell->seconds = get_number (object, "seconds");
  if (cell->state == GOBAN_N_CELL_STATES || !(evaluations >= 0 && evaluations < 1e18)
      || !(cell->seconds >= 0) || !(cell->proven_bound_us >= 0)
      || (cell->state == GOBAN_CELL_VALID && !(cell->makespan_us >= 0)))
    return FALSE;
  cell->evaluations = (guint64) evaluations;
  cell->is_fused = get_boolean (object, "fused");
  return read_improvements (object, cell);
}

static gboolean
refuse_line (const GobanBenchJournal *self, guint number, GError **error)
{
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:%u: this is no line of a bench's journal",
               self->path, number);
  return FALSE;
}

static gboolean
read_line (GobanBenchJournal *self, const char *line, gsize length, guint number, GError **error)
{
  g_autoptr (JsonNode) root = goban_json_parse (line, (gssize) length, self->path, NULL);
  /* The key ends where the cell begins: it is compared as text, so it need not be understood. */
  const char *end = g_strstr_len (line, (gssize) length, ", \"state\": ");
  g_auto (GobanBenchCell) cell = { 0 };

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root) || end == NULL
      || !read_cell (json_node_get_object (root), &cell))
    return refuse_line (self, number, error);
  g_hash_table_replace (self->cells, g_strndup (line, end - line), copy_cell (&cell));
  return TRUE;
}

/* Drops a line that has no end: the program was killed while it wrote. */
static gboolean
read_all (GobanBenchJournal *self, GError **error)
{
  GobanFileReading reading = { .kind = GOBAN_FILE_JOURNAL, .only_regular = TRUE };
  g_autoptr (GBytes) bytes = goban_file_read_with (self->path, &reading, error);
  const char *text;
  gsize size, at = 0;
  guint number = 0;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &size);
  for (const char *end; (end = memchr (text + at, '\n', size - at)) != NULL; at = end + 1 - text)
    if (!read_line (self, text + at, end - (text + at), ++number, error))
      return FALSE;

  /* Nothing but our own torn line may be cut off: other files, too, are one line without an end. */
  if (strncmp (text + at, LINE_BEGIN, MIN (size - at, strlen (LINE_BEGIN))) != 0)
    return refuse_line (self, number + 1, error);
  if (at < size && ftruncate (self->fd, (off_t) at) != 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                   g_strerror (errno));
      return FALSE;
    }
  return TRUE;
}

/* --- life cycle ---------------------------------------------------------------------------- */

static gboolean
open_file (GobanBenchJournal *self, gboolean go_on, GError **error)
{
  self->fd = open (self->path, O_RDWR | O_APPEND | O_CLOEXEC | (go_on ? 0 : O_CREAT), 0666);
  if (self->fd < 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                   g_strerror (errno));
      return FALSE;
    }
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID, "%s: another bench is writing it",
                   self->path);
      return FALSE;
    }
  return TRUE;
}

GobanBenchJournal *
goban_bench_journal_open (const char *path, gboolean go_on, GError **error)
{
  g_autoptr (GobanBenchJournal) self = g_new0 (GobanBenchJournal, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->path = g_strdup (path);
  self->cells = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_cell);
  if (!open_file (self, go_on, error))
    return NULL;

  if (!go_on && lseek (self->fd, 0, SEEK_END) > 0)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                   "%s: holds results already: go on with it, remove it, or choose another", path);
      return NULL;
    }
  if (go_on && !read_all (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

GobanBenchJournal *
goban_bench_journal_ref (GobanBenchJournal *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_bench_journal_unref (GobanBenchJournal *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->fd >= 0)
    close (self->fd);
  g_hash_table_unref (self->cells);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self);
}

const char *
goban_bench_journal_get_path (const GobanBenchJournal *self)
{
  return self->path;
}

guint
goban_bench_journal_get_n_cells (GobanBenchJournal *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = g_hash_table_size (self->cells);
  g_mutex_unlock (&self->mutex);
  return n;
}

gboolean
goban_bench_journal_has (GobanBenchJournal *self, const GobanBenchKey *key)
{
  g_autofree char *text = write_key (key);
  gboolean has;

  g_mutex_lock (&self->mutex);
  has = g_hash_table_contains (self->cells, text);
  g_mutex_unlock (&self->mutex);
  return has;
}

gboolean
goban_bench_journal_find (GobanBenchJournal *self, const GobanBenchKey *key, GobanBenchCell *cell)
{
  g_autofree char *text = write_key (key);
  const GobanBenchCell *found;

  g_mutex_lock (&self->mutex);
  found = g_hash_table_lookup (self->cells, text);
  if (found != NULL)
    {
      *cell = *found;
      if (cell->improvements != NULL)
        g_array_ref (cell->improvements);
    }
  g_mutex_unlock (&self->mutex);
  return found != NULL;
}

gboolean
goban_bench_journal_add (GobanBenchJournal *self, const GobanBenchKey *key,
                         const GobanBenchCell *cell, GError **error)
{
  g_autofree char *text = write_key (key);
  g_autofree char *line = write_line (text, cell);
  gsize length = strlen (line);
  gssize n;
  int saved;

  g_mutex_lock (&self->mutex);
  do
    n = write (self->fd, line, length);
  while (n < 0 && errno == EINTR);
  saved = n < 0 ? errno : ENOSPC; /* a short write is a full disk */
  if (n == (gssize) length)
    g_hash_table_replace (self->cells, g_steal_pointer (&text), copy_cell (cell));
  g_mutex_unlock (&self->mutex);
  if (n == (gssize) length)
    return TRUE;

  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
               g_strerror (saved));
  return FALSE;
}
