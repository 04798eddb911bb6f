#include "app/cli/cli-numbers.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/study/measure/measurement.h"
#include "engine/study/run/restarts.h"
#include "ui/draw/export/export.h"

#include <string.h>

/* Bounds of whole numbers. */
static const struct
{
  const char *name;
  gint64 least;
  gint64 most;
} whole_bounds[] = {
  { "batch", 1, G_MAXINT32 },
  { "chunks", 1, 64 },
  { "cores", 1, GOBAN_MAX_DEVICES },
  { "dp", 1, GOBAN_MAX_DEVICES },
  { "ep", 1, GOBAN_MAX_DEVICES },
  { "evals", 1, G_MAXINT64 },
  { "every", 0, G_MAXINT32 },
  { "global-batch", 1, G_MAXINT32 },
  { "height", 1, (gint64) GOBAN_MAX_EXPORT_SIDE },
  { "micro-batch", 1, G_MAXINT32 },
  { "micro-batches", 1, G_MAXINT32 },
  { "pp", 1, GOBAN_MAX_DEVICES },
  { "ranks", 1, GOBAN_MAX_DEVICES },
  { "replicas", 1, GOBAN_MAX_DEVICES },
  { "restarts", 1, GOBAN_MAX_RESTARTS },
  { "rollouts", 1, G_MAXINT32 },
  { "rows", 0, G_MAXINT32 },
  { "runs", 1, GOBAN_MEASURER_MOST_RUNS },
  { "seed", 0, G_MAXINT64 },
  { "seeds", 1, 1000 },
  { "steps", 1, G_MAXINT32 },
  { "tp", 1, GOBAN_MAX_DEVICES },
  { "width", 1, (gint64) GOBAN_MAX_EXPORT_SIDE },
  { "zero", 0, 3 },
};

/* Bounds of real numbers; the words say them. */
static const struct
{
  const char *name;
  double least;
  double most;
  const char *words;
} real_bounds[] = {
  { "scale", 0.01, 16, "a number from 0.01 to 16" },
  { "seconds", G_MINDOUBLE, 1e9, "a number of seconds, more than 0 and at most 1000000000" },
  { "slowdown", 1, 100, "a number from 1 to 100" },
};

typedef struct
{
  GOptionEntry entry; /* as the verb has it */
  char *text;         /* (nullable): not given */
} Number;

struct _GobanCliNumbers
{
  GPtrArray *numbers; /* Number */
};

static void
number_free (gpointer data)
{
  Number *number = data;

  g_free (number->text);
  g_free (number);
}

GobanCliNumbers *
goban_cli_numbers_new (void)
{
  GobanCliNumbers *self = g_new0 (GobanCliNumbers, 1);

  self->numbers = g_ptr_array_new_with_free_func (number_free);
  return self;
}

void
goban_cli_numbers_free (GobanCliNumbers *self)
{
  g_ptr_array_unref (self->numbers);
  g_free (self);
}

static gboolean
is_number (const GOptionEntry *entry)
{
  return entry->arg == G_OPTION_ARG_INT || entry->arg == G_OPTION_ARG_INT64
         || entry->arg == G_OPTION_ARG_DOUBLE;
}

void
goban_cli_numbers_add_entries (GobanCliNumbers *self, GOptionContext *context,
                               const GOptionEntry *entries)
{
  g_autoptr (GArray) own = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (guint i = 0; entries[i].long_name != NULL; i++)
    {
      GOptionEntry entry = entries[i];

      if (is_number (&entry))
        {
          Number *number = g_new0 (Number, 1);

          number->entry = entry;
          g_ptr_array_add (self->numbers, number);
          entry.arg = G_OPTION_ARG_STRING;
          entry.arg_data = &number->text;
        }
      g_array_append_val (own, entry);
    }
  g_option_context_add_main_entries (context, (const GOptionEntry *) (void *) own->data, NULL);
}

static gboolean
read_whole (const Number *number, GError **error)
{
  const GOptionEntry *entry = &number->entry;
  gint64 value;
  guint i = 0;

  while (i < G_N_ELEMENTS (whole_bounds) && strcmp (whole_bounds[i].name, entry->long_name) != 0)
    i++;
  g_assert (i < G_N_ELEMENTS (whole_bounds));
  if (!g_ascii_string_to_signed (number->text, 10, whole_bounds[i].least, whole_bounds[i].most,
                                 &value, NULL))
    return goban_refuse (
        error, GOBAN_ERROR_INVALID,
        whole_bounds[i].most < G_MAXINT32
            ? "--%s: “%s” is not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
            : "--%s: “%s” is not a whole number of at least %" G_GINT64_FORMAT,
        entry->long_name, number->text, whole_bounds[i].least, whole_bounds[i].most);
  if (entry->arg == G_OPTION_ARG_INT)
    *(int *) entry->arg_data = (int) value;
  else
    *(gint64 *) entry->arg_data = value;
  return TRUE;
}

static gboolean
read_real (const Number *number, GError **error)
{
  const GOptionEntry *entry = &number->entry;
  double value = 0;
  guint i = 0;

  while (i < G_N_ELEMENTS (real_bounds) && strcmp (real_bounds[i].name, entry->long_name) != 0)
    i++;
  g_assert (i < G_N_ELEMENTS (real_bounds));
  if (!goban_parse_number (number->text, &value) || value < real_bounds[i].least
      || value > real_bounds[i].most)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "--%s: “%s” is not %s", entry->long_name,
                         number->text, real_bounds[i].words);
  *(double *) entry->arg_data = value;
  return TRUE;
}

gboolean
goban_cli_numbers_read (GobanCliNumbers *self, GError **error)
{
  for (guint i = 0; i < self->numbers->len; i++)
    {
      const Number *number = g_ptr_array_index (self->numbers, i);

      if (number->text != NULL
          && !(number->entry.arg == G_OPTION_ARG_DOUBLE ? read_real (number, error)
                                                        : read_whole (number, error)))
        return FALSE;
    }
  return TRUE;
}
