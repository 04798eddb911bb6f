#include "engine/study/bench/bench-journal.h"

#include "engine/core/checked-path.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/json-reader.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Beginning of every line that write_key() writes. */
#define LINE_BEGIN "{\"graph\": \""

struct _GobanBenchJournal
{
  gatomicrefcount ref_count;
  GMutex mutex; /* of the two below */
  int fd;
  GHashTable *cells; /* a key's text to its GobanBenchCell */
  char *path;
};

const char *const goban_cell_state_names[GOBAN_N_CELL_STATES + 1]
    = { "valid", "oom", "invalid", "failed" };

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

/* The first members of a line, which are the key as text: equal keys have equal text. */
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
  if (key->decisions != 0 && key->decisions != GOBAN_TASKS_DEFAULT)
    {
      g_autofree char *tasks = goban_tasks_to_text (key->decisions);

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

  goban_json_begin (json, "improvements", '[');
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

  goban_json_add_string (json, "state", goban_cell_state_names[cell->state]);
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

/* One [evaluation, makespan_us], which must continue the last one. */
static gboolean
read_improvement (GobanJsonValue item, GArray *improvements)
{
  GobanJsonItems pair;
  GobanJsonValue value;
  double numbers[2];

  /* Without errors: a line that is not understood is refused as a whole. */
  if (!goban_json_read_list (item, &pair, NULL) || pair.n != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!goban_json_items_next (&pair, &value) || !goban_json_is_number (value, &numbers[i]))
      return FALSE;
  if (!(numbers[0] >= 1 && numbers[0] < 1e18) || !(numbers[1] >= 0))
    return FALSE;
  goban_improvements_add (improvements, (guint64) numbers[0], numbers[1]);
  return TRUE;
}

/* An older journal has none. */
static gboolean
read_improvements (GobanJsonValue cell_value, GobanBenchCell *cell)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_get_list (cell_value, "improvements", &items, NULL)) /* as above */
    return FALSE;
  if (!goban_json_has (cell_value, "improvements"))
    return TRUE;
  cell->improvements = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  while (goban_json_items_next (&items, &item))
    if (!read_improvement (item, cell->improvements))
      return FALSE;
  return TRUE;
}

/* null and nothing are NAN: a number that does not exist. */
static gboolean
read_cell (GobanJsonValue value, GobanBenchCell *cell)
{
  guint state = GOBAN_N_CELL_STATES;
  const char *why = "";
  double evaluations = NAN;

  cell->makespan_us = cell->bound_us = cell->proven_bound_us = cell->seconds = NAN;
  if (!goban_json_get_word (value, "state", goban_cell_state_names, &state, NULL) /* as above */
      || !goban_json_get_text (value, "why", &why, NULL)
      || !goban_json_get_number (value, "evaluations", GOBAN_JSON_AMOUNT, &evaluations, NULL)
      || !goban_json_get_number (value, "makespan_us", GOBAN_JSON_ANY, &cell->makespan_us, NULL)
      || !goban_json_get_number (value, "bound_us", GOBAN_JSON_ANY, &cell->bound_us, NULL)
      || !goban_json_get_number (value, "proven_bound_us", GOBAN_JSON_AMOUNT,
                                 &cell->proven_bound_us, NULL)
      || !goban_json_get_number (value, "seconds", GOBAN_JSON_AMOUNT, &cell->seconds, NULL)
      || !goban_json_get_boolean (value, "fused", &cell->is_fused, NULL))
    return FALSE;
  if (state == GOBAN_N_CELL_STATES || !(evaluations < 1e18) || isnan (cell->seconds)
      || isnan (cell->proven_bound_us) || (state == GOBAN_CELL_VALID && !(cell->makespan_us >= 0)))
    return FALSE;
  cell->state = (GobanCellState) state;
  cell->why = g_intern_string (why);
  cell->evaluations = (guint64) evaluations;
  return read_improvements (value, cell);
}

char *
goban_bench_cell_to_text (const GobanBenchCell *cell)
{
  return write_line ("{", cell);
}

gboolean
goban_bench_cell_from_text (const char *text, gsize size, GobanBenchCell *cell)
{
  g_autoptr (GobanJsonReader) json
      = goban_json_reader_new (text, (gssize) size, "result", NULL); /* as above */
  g_auto (GobanBenchCell) own = { 0 };

  if (json == NULL || !read_cell (goban_json_reader_get_root (json), &own))
    return FALSE;
  *cell = own;
  own = (GobanBenchCell){ 0 };
  return TRUE;
}

static gboolean
refuse_line (const GobanBenchJournal *self, guint number, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: this is not a line of a bench journal",
                       self->path, number);
}

static gboolean
read_line (GobanBenchJournal *self, const char *line, gsize length, guint number, GError **error)
{
  g_autoptr (GobanJsonReader) json
      = goban_json_reader_new (line, (gssize) length, self->path, NULL); /* as above */
  /* The key ends where the cell begins: it is compared as text, so it need not be understood. */
  const char *end = g_strstr_len (line, (gssize) length, ", \"state\": ");
  g_auto (GobanBenchCell) cell = { 0 };

  if (json == NULL || end == NULL || !read_cell (goban_json_reader_get_root (json), &cell))
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
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                         g_strerror (errno));
  return TRUE;
}

/* --- life cycle ---------------------------------------------------------------------------- */

static gboolean
open_file (GobanBenchJournal *self, gboolean go_on, GError **error)
{
  g_autofree char *name = NULL;
  int folder = goban_checked_path_open_folder (self->path, &name);
  int saved;

  self->fd = folder >= 0
                 ? openat (folder, name,
                           O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (go_on ? 0 : O_CREAT), 0666)
                 : -1;
  saved = errno;
  if (folder >= 0)
    close (folder);
  errno = saved;
  if (self->fd < 0)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                         g_strerror (errno));
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s: another bench is writing it", self->path);
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
      goban_set_error (error, GOBAN_ERROR_INVALID,
                       "%s: holds results already: go on with it, remove it, or choose another",
                       path);
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

  return goban_refuse (error, GOBAN_ERROR_IO, "%s: cannot be written: %s", self->path,
                       g_strerror (saved));
}
