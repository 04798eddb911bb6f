/* moirai.c: reads the task tables of Moirai, saved as CSV.
 *
 * One row per task: "task", "c_task" (the transfer tasks of its outputs: one per successor, or one
 * for all), "dir_succ" (successors), "p0".."pK-1" (milliseconds on each device), "pcAB"
 * (milliseconds from device A to B; a list where the outputs differ), "mi" (memory) and, in the
 * first row, "m0".."mK-1" (the devices' memory). Devices become the kinds "p0".."pK-1", and the
 * cluster that the graph brings. Rows without a task number are notes.
 */
#include "engine/core/csv-text.h"
#include "engine/core/quantity.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/text.h"

#include <string.h>

#define US_PER_MS 1e3
/* "pc111" could be read in two ways. */
#define MAX_DEVICES 10
#define NO_COLUMN (-1)

typedef struct
{
  int task;
  int transfers;
  int successors;
  int memory;
  guint n_devices;
  int time[MAX_DEVICES];
  int capacity[MAX_DEVICES];
  int move[MAX_DEVICES][MAX_DEVICES];
} Columns;

typedef struct
{
  guint32 tensor;
  guint line;
  guint64 head_id;
} Link;

typedef struct
{
  GobanTextFile text;
  GobanGraphBuilder *builder;
  GobanIdTable *ids; /* by task */
  GArray *links;     /* Link */
  Columns columns;
} Reader;

/* The times of a row's outputs for each pair of devices: one for all, or one each. */
typedef struct
{
  char **parts[MAX_DEVICES][MAX_DEVICES];
  guint n[MAX_DEVICES][MAX_DEVICES];
} Moves;

static const char *const kinds[MAX_DEVICES]
    = { "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9" };

static const char *
cell_at (const GPtrArray *cells, int column)
{
  return column >= 0 && column < (int) cells->len ? g_ptr_array_index (cells, column) : "";
}

static int
find_column (const GPtrArray *cells, const char *name)
{
  for (guint i = 0; i < cells->len; i++)
    if (strcmp (g_ptr_array_index (cells, i), name) == 0)
      return i;
  return NO_COLUMN;
}

static gboolean
read_header (Reader *self, char *line, GError **error)
{
  g_autoptr (GPtrArray) cells = goban_csv_split (line);
  Columns *columns = &self->columns;

  columns->task = find_column (cells, "task");
  columns->transfers = find_column (cells, "c_task");
  columns->successors = find_column (cells, "dir_succ");
  columns->memory = find_column (cells, "mi");
  while (columns->n_devices < MAX_DEVICES
         && find_column (cells, kinds[columns->n_devices]) != NO_COLUMN)
    columns->n_devices++;

  if (columns->task == NO_COLUMN || columns->successors == NO_COLUMN || columns->n_devices == 0)
    return goban_text_file_fail (&self->text, error,
                                 "the columns “task”, “dir_succ” and “p0” are needed");
  if (find_column (cells, "p10") != NO_COLUMN)
    return goban_text_file_fail (&self->text, error, "more than %d devices cannot be told apart",
                                 MAX_DEVICES);

  for (guint a = 0; a < columns->n_devices; a++)
    {
      char name[8];

      g_snprintf (name, sizeof name, "m%u", a);
      columns->capacity[a] = find_column (cells, name);
      columns->time[a] = find_column (cells, kinds[a]);
      for (guint b = 0; b < columns->n_devices; b++)
        {
          g_snprintf (name, sizeof name, "pc%u%u", a, b);
          columns->move[a][b] = find_column (cells, name);
          if (a != b && columns->move[a][b] == NO_COLUMN)
            return goban_text_file_fail (&self->text, error, "the column “%s” is missing", name);
        }
    }
  return TRUE;
}

static gboolean
parse_cell (Reader *self, const char *cell, const char *what, double *value, GError **error)
{
  g_autofree char *shown = NULL;

  if (goban_text_file_parse_amount (cell, value))
    return TRUE;

  shown = goban_text_file_excerpt (cell);
  return goban_text_file_fail (&self->text, error, "%s is “%s”, not an amount", what, shown);
}

/* The devices are no part of a graph: they come with it as the cluster to run it on. */
static gboolean
read_devices (Reader *self, const GPtrArray *cells, GError **error)
{
  g_autoptr (GString) note = g_string_new (NULL);
  g_autoptr (GString) spec = g_string_new ("devices:");

  for (guint a = 0; a < self->columns.n_devices; a++)
    {
      const char *cell = cell_at (cells, self->columns.capacity[a]);
      char buffer[GOBAN_QUANTITY_LEN];
      double size_bytes;

      g_string_append_printf (spec, "%s%s", a > 0 ? "," : "", kinds[a]);
      if (*cell == '\0')
        continue;
      if (!parse_cell (self, cell, "a device's memory", &size_bytes, error))
        return FALSE;
      g_string_append_printf (note, "%s%s %s", note->len > 0 ? ", " : "", kinds[a],
                              goban_format_bytes (buffer, size_bytes));
      g_string_append_printf (spec, "=%.0f", size_bytes);
    }
  goban_graph_builder_set_cluster_spec (self->builder, spec->str);
  if (note->len > 0)
    goban_graph_builder_warn (self->builder, "the file's devices have this much memory: %s",
                              note->str);
  return TRUE;
}

/* Cuts the cells of transfer times once a row, however many outputs it has. */
static gboolean
split_moves (Reader *self, const GPtrArray *cells, guint n_outputs, Moves *moves, GError **error)
{
  guint n_devices = self->columns.n_devices;

  for (guint a = 0; a < n_devices; a++)
    for (guint b = 0; b < n_devices; b++)
      {
        guint n;

        moves->parts[a][b] = g_strsplit (cell_at (cells, self->columns.move[a][b]), ",", -1);
        n = moves->n[a][b] = g_strv_length (moves->parts[a][b]);
        if (n > 1 && n != n_outputs)
          return goban_text_file_fail (&self->text, error,
                                       "pc%u%u lists %u times for %u transfer tasks", a, b, n,
                                       n_outputs);
      }
  return TRUE;
}

static void
moves_clear (Moves *moves)
{
  for (guint a = 0; a < MAX_DEVICES; a++)
    for (guint b = 0; b < MAX_DEVICES; b++)
      g_strfreev (moves->parts[a][b]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Moves, moves_clear)

/* Times to move output @index between all pairs of devices; a virtual task has no transfer
 * tasks, and its outputs cost nothing to move. */
static gboolean
set_moves (Reader *self, const Moves *moves, guint32 tensor, guint index, gboolean is_virtual,
           GError **error)
{
  guint n_devices = self->columns.n_devices;

  for (guint a = 0; a < n_devices; a++)
    for (guint b = 0; b < n_devices; b++)
      {
        guint n = moves->n[a][b];
        double time_ms = 0;

        if (n == 0 && !is_virtual && a != b)
          continue;
        if (n > 0
            && !parse_cell (self, moves->parts[a][b][n > 1 ? index : 0], "a transfer time",
                            &time_ms, error))
          return FALSE;
        goban_graph_builder_set_transfer (self->builder, tensor, kinds[a], kinds[b],
                                          time_ms * US_PER_MS);
      }
  return TRUE;
}

static gboolean
read_outputs (Reader *self, const GPtrArray *cells, guint32 node, GError **error)
{
  g_auto (GStrv) successors = g_strsplit (cell_at (cells, self->columns.successors), ",", -1);
  g_auto (GStrv) transfers = g_strsplit (cell_at (cells, self->columns.transfers), ",", -1);
  g_auto (Moves) moves = { 0 };
  guint n_successors = g_strv_length (successors);
  guint n_transfers = g_strv_length (transfers);
  guint32 tensor = GOBAN_NO_TENSOR;

  if (n_transfers > 1 && n_transfers != n_successors)
    return goban_text_file_fail (&self->text, error, "%u transfer tasks for %u successors",
                                 n_transfers, n_successors);
  if (!split_moves (self, cells, n_transfers, &moves, error))
    return FALSE;

  for (guint i = 0; i < n_successors; i++)
    {
      Link link = { .line = self->text.line };

      if (!goban_text_file_parse_id (successors[i], &link.head_id))
        {
          g_autofree char *shown = goban_text_file_excerpt (successors[i]);

          return goban_text_file_fail (&self->text, error,
                                       "the successor “%s” is not the id of a task", shown);
        }
      if (i == 0 || n_transfers > 1)
        {
          tensor = goban_graph_builder_add_tensor (self->builder, node, 0);
          if (!set_moves (self, &moves, tensor, i, n_transfers == 0, error))
            return FALSE;
        }
      link.tensor = tensor;
      g_array_append_val (self->links, link);
    }
  return TRUE;
}

/* A row without a task number: a note if nothing else is in it. */
static gboolean
check_note (Reader *self, const GPtrArray *cells, GError **error)
{
  for (guint i = 0; i < cells->len; i++)
    if ((int) i != self->columns.task && *cell_at (cells, i) != '\0')
      {
        g_autofree char *shown = goban_text_file_excerpt (cell_at (cells, self->columns.task));

        return goban_text_file_fail (&self->text, error, "“%s” is not the id of a task", shown);
      }
  return TRUE;
}

static gboolean
read_task (Reader *self, char *line, GError **error)
{
  g_autoptr (GPtrArray) cells = goban_csv_split (line);
  g_autofree char *name = NULL;
  guint64 id;
  guint32 node;
  double value;

  if (!goban_text_file_parse_id (cell_at (cells, self->columns.task), &id))
    return check_note (self, cells, error);
  if (goban_id_table_contains (self->ids, id))
    return goban_text_file_fail (&self->text, error, "task %" G_GUINT64_FORMAT " is here twice",
                                 id);
  if (goban_graph_builder_get_n_nodes (self->builder) == 0 && !read_devices (self, cells, error))
    return FALSE;

  name = g_strdup_printf ("task%" G_GUINT64_FORMAT, id);
  node = goban_graph_builder_add_node (self->builder, name, "task");
  goban_id_table_add (self->ids, id, node);

  for (guint a = 0; a < self->columns.n_devices; a++)
    {
      const char *cell = cell_at (cells, self->columns.time[a]);

      if (*cell == '\0')
        continue;
      if (!parse_cell (self, cell, kinds[a], &value, error))
        return FALSE;
      goban_graph_builder_set_time (self->builder, node, kinds[a], value * US_PER_MS,
                                    GOBAN_SOURCE_GIVEN);
    }

  if (*cell_at (cells, self->columns.memory) != '\0')
    {
      if (!parse_cell (self, cell_at (cells, self->columns.memory), "mi", &value, error))
        return FALSE;
      goban_graph_builder_get_node (self->builder, node)->param_bytes = value;
      goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
    }
  return read_outputs (self, cells, node, error);
}

static gboolean
add_links (Reader *self, GError **error)
{
  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      guint32 head;

      self->text.line = link->line;
      if (!goban_id_table_find (self->ids, link->head_id, &head))
        return goban_text_file_fail (
            &self->text, error,
            "there is no task %" G_GUINT64_FORMAT ", which is named as a successor", link->head_id);
      goban_graph_builder_add_edge (self->builder, link->tensor, head);
    }
  return TRUE;
}

static gboolean
read_lines (Reader *self, const GobanReadOptions *options, GError **error)
{
  char *line = goban_text_file_next_line (&self->text);

  /* Spreadsheets begin their files with a byte order mark. */
  if (line != NULL && g_str_has_prefix (line, "\xef\xbb\xbf"))
    line += 3;
  while (line != NULL && line[strspn (line, " \t\r")] == '\0')
    line = goban_text_file_next_line (&self->text);
  if (line == NULL)
    return goban_text_file_fail (&self->text, error,
                                 "the line with the names of columns is missing");
  if (!read_header (self, line, error))
    return FALSE;

  while ((line = goban_text_file_next_line (&self->text)) != NULL)
    if (!goban_progress_check (options->progress, error) || !read_task (self, line, error))
      return FALSE;
  return add_links (self, error);
}

static GobanGraph *
read_moirai (const char *data, gsize size, const char *path, const GobanReadOptions *options,
             GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "moirai");
  g_autoptr (GobanIdTable) ids = goban_id_table_new ();
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (Link));
  Reader reader = { .builder = builder, .ids = ids, .links = links };
  GobanGraph *graph = NULL;

  if (goban_text_file_init (&reader.text, data, size, path, error)
      && read_lines (&reader, options, error))
    graph = goban_text_file_finish_graph (builder, path, error);
  goban_text_file_clear (&reader.text);
  return graph;
}

static int
sniff_moirai (const char *head, gsize size, const char *path)
{
  g_autofree char *text = goban_text_file_dup_start (head, size);

  return g_str_has_prefix (text, "task,")
                 && g_strstr_len (text, (gssize) strcspn (text, "\n"), ",dir_succ,") != NULL
             ? 95
             : 0;
}

const GobanFormat goban_format_moirai = {
  .name = "moirai",
  .extensions = ".csv",
  .blurb = "task tables of Moirai: milliseconds on and between each pair of devices",
  .sniff = sniff_moirai,
  .read = read_moirai,
};
