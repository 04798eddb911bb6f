/* stg.c: reads the Standard Task Graph Set of Kasahara Laboratory.
 *
 * Line 1 is the number of tasks; then one line per task: its id, its time, the number
 * of its predecessors and their ids; then comments from '#' on. The set's own graphs
 * count tasks without their two dummies, some of its application graphs with them:
 * both are accepted. With communication, each predecessor is a pair of id and cost.
 * Times have no unit.
 */
#include "engine/core/file-read.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/text.h"

#include <string.h>

#define N_DUMMIES 2
#define LINES_PER_CHECK 1024

typedef enum
{
  PAIRS_UNKNOWN, /* no task with predecessors was seen yet */
  PAIRS_NO,
  PAIRS_YES,
} Pairs;

typedef struct
{
  guint32 head;
  guint line;
  guint64 tail_id;
  double cost; /* of a pair, else 0 */
} Link;

typedef struct
{
  GobanTextFile text;
  GobanGraphBuilder *builder;
  GobanIdTable *ids; /* by task id */
  GArray *numbers;   /* double: the numbers of one line */
  GArray *links;     /* Link */
  Pairs pairs;
  double unit_us;
} Reader;

/* Cuts off a comment and gathers the numbers of a line. */
static gboolean
split_numbers (Reader *self, char *line, GError **error)
{
  char *save = NULL;

  line[strcspn (line, "#")] = '\0';
  g_array_set_size (self->numbers, 0);
  for (char *word = strtok_r (line, " \t", &save); word != NULL;
       word = strtok_r (NULL, " \t", &save))
    {
      double number;

      if (!goban_text_file_parse_amount (word, &number))
        {
          g_autofree char *shown = goban_text_file_excerpt (word);

          return goban_text_file_fail (&self->text, error, "“%s” is not an amount", shown);
        }
      g_array_append_val (self->numbers, number);
    }
  return TRUE;
}

static gboolean
is_id (double number)
{
  return number < 0x1p53 && number == (double) (guint64) number;
}

/* How a task of n_predecessors in n numbers lists them; FALSE if it cannot be. */
static gboolean
learn_pairs (Reader *self, double n_predecessors, guint n, GError **error)
{
  Pairs pairs = n == 3 + n_predecessors ? PAIRS_NO : PAIRS_YES;

  if (n_predecessors == 0 && n == 3)
    return TRUE;
  if (n != 3 + n_predecessors && n != 3 + 2 * n_predecessors)
    return goban_text_file_fail (&self->text, error,
                                 "the task claims %.0f predecessors, but %u numbers follow",
                                 n_predecessors, n - 3);
  if (self->pairs != PAIRS_UNKNOWN && self->pairs != pairs)
    return goban_text_file_fail (&self->text, error,
                                 "some tasks list their predecessors with a cost and some without");
  self->pairs = pairs;
  return TRUE;
}

static gboolean
read_task (Reader *self, GError **error)
{
  const double *numbers = (const double *) (gpointer) self->numbers->data;
  guint n = self->numbers->len;
  g_autofree char *name = NULL;
  guint64 id;
  guint32 node;
  guint step;

  if (n < 3)
    return goban_text_file_fail (&self->text, error,
                                 "a task is its id, its time and the number of its predecessors");
  if (!is_id (numbers[0]) || !is_id (numbers[2]))
    return goban_text_file_fail (&self->text, error, "%g is not a whole number",
                                 is_id (numbers[0]) ? numbers[2] : numbers[0]);
  if (!learn_pairs (self, numbers[2], n, error))
    return FALSE;

  id = (guint64) numbers[0];
  if (goban_id_table_contains (self->ids, id))
    return goban_text_file_fail (&self->text, error, "task %" G_GUINT64_FORMAT " is here twice",
                                 id);

  name = g_strdup_printf ("task%" G_GUINT64_FORMAT, id);
  node = goban_graph_builder_add_node (self->builder, name, "task");
  goban_id_table_add (self->ids, id, node);
  goban_graph_builder_set_time (self->builder, node, GOBAN_ANY_KIND, numbers[1] * self->unit_us,
                                GOBAN_SOURCE_GIVEN);

  step = self->pairs == PAIRS_YES ? 2 : 1;
  for (guint i = 3; i + step <= n; i += step)
    {
      Link link = { node, self->text.line, 0, step == 2 ? numbers[i + 1] : 0 };

      if (!is_id (numbers[i]))
        return goban_text_file_fail (&self->text, error, "%g is not the id of a task", numbers[i]);
      link.tail_id = (guint64) numbers[i];
      g_array_append_val (self->links, link);
    }
  return TRUE;
}

static gboolean
add_links (Reader *self, GError **error)
{
  guint n_nodes = goban_graph_builder_get_n_nodes (self->builder);
  g_autofree guint32 *shared = g_new (guint32, n_nodes + 1);

  for (guint v = 0; v < n_nodes; v++)
    shared[v] = GOBAN_NO_TENSOR;

  for (guint i = 0; i < self->links->len; i++)
    {
      const Link *link = &g_array_index (self->links, Link, i);
      guint32 tail, tensor;

      self->text.line = link->line;
      if (!goban_id_table_find (self->ids, link->tail_id, &tail))
        return goban_text_file_fail (&self->text, error,
                                     "there is no task %" G_GUINT64_FORMAT
                                     ", which is named as a predecessor",
                                     link->tail_id);

      tensor = shared[tail];
      if (tensor == GOBAN_NO_TENSOR || self->pairs == PAIRS_YES)
        tensor = shared[tail] = goban_graph_builder_add_tensor (self->builder, tail, 0);
      if (self->pairs == PAIRS_YES)
        goban_graph_builder_set_transfer (self->builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                          link->cost * self->unit_us);
      goban_graph_builder_add_edge (self->builder, tensor, link->head);
    }
  return TRUE;
}

static gboolean
read_lines (Reader *self, const GobanReadOptions *options, GError **error)
{
  double n_claimed = -1;
  guint n_tasks;
  char *line;

  while ((line = goban_text_file_next_line (&self->text)) != NULL)
    {
      if (self->text.line % LINES_PER_CHECK == 0
          && !goban_progress_check (options->progress, error))
        return FALSE;
      if (!split_numbers (self, line, error))
        return FALSE;
      if (self->numbers->len == 0)
        continue;
      if (n_claimed >= 0)
        {
          if (!read_task (self, error))
            return FALSE;
        }
      else if (self->numbers->len == 1)
        n_claimed = g_array_index (self->numbers, double, 0);
      else
        return goban_text_file_fail (&self->text, error,
                                     "the first number is that of the tasks, alone");
    }

  n_tasks = goban_graph_builder_get_n_nodes (self->builder);
  if (n_claimed != n_tasks && n_claimed + N_DUMMIES != n_tasks)
    return goban_text_file_fail (&self->text, error,
                                 "%.0f tasks are claimed, with or without two dummies; %u are here",
                                 n_claimed, n_tasks);
  return add_links (self, error);
}

static GobanGraph *
read_stg (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "stg");
  g_autoptr (GobanIdTable) ids = goban_id_table_new ();
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (Link));
  Reader reader = {
    .builder = builder,
    .ids = ids,
    .numbers = numbers,
    .links = links,
    .unit_us = options->time_unit_us > 0 ? options->time_unit_us : 1,
  };
  gboolean fine = goban_text_file_init (&reader.text, data, size, path, error);

  if (fine && options->may_forget)
    goban_file_forget (data, data + size); /* its lines are cut from a copy */
  fine = fine && read_lines (&reader, options, error);
  goban_text_file_clear (&reader.text);
  return fine ? goban_text_file_finish_graph (builder, path, error) : NULL;
}

/* A number alone, then a line of at least three numbers. */
static int
sniff_stg (const char *head, gsize size, const char *path)
{
  g_autofree char *text = goban_text_file_dup_start (head, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 4);
  double number;
  guint n_numbers = 0;

  if (lines[0] == NULL || lines[1] == NULL || !goban_text_file_parse_amount (lines[0], &number))
    return 0;

  for (const char *p = lines[1]; *(p += strspn (p, " \t\r")) != '\0'; n_numbers++)
    {
      if (strspn (p, "0123456789.") == 0)
        return 0;
      p += strcspn (p, " \t\r");
    }
  return n_numbers >= 3 ? 80 : 0;
}

const GobanFormat goban_format_stg = {
  .name = "stg",
  .extensions = ".stg",
  .blurb = "Standard Task Graph Set: times and precedence, no unit",
  .sniff = sniff_stg,
  .read = read_stg,
};
