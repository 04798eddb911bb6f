#include "engine/session/time-marks.h"

#include "engine/core/quantity.h"
#include "engine/study/log/log-lines.h"

#include <math.h>

struct _GobanTimeMarks
{
  GObject parent_instance;

  GArray *marks; /* GobanTimeMark, by time */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GobanTimeMarks, goban_time_marks, G_TYPE_OBJECT)

static void
clear_mark (gpointer data)
{
  g_free (((GobanTimeMark *) data)->name);
}

static GobanTimeMark *
get (const GobanTimeMarks *self, guint i)
{
  return &g_array_index (self->marks, GobanTimeMark, i);
}

static void
goban_time_marks_finalize (GObject *object)
{
  g_array_unref (GOBAN_TIME_MARKS (object)->marks);
  G_OBJECT_CLASS (goban_time_marks_parent_class)->finalize (object);
}

static void
goban_time_marks_class_init (GobanTimeMarksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_time_marks_finalize;
  changed_signal = g_signal_new ("changed", GOBAN_TYPE_TIME_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  g_signal_new ("log", GOBAN_TYPE_TIME_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_STRING);
}

static void
goban_time_marks_init (GobanTimeMarks *self)
{
  self->marks = g_array_new (FALSE, FALSE, sizeof (GobanTimeMark));
  g_array_set_clear_func (self->marks, clear_mark);
}

GobanTimeMarks *
goban_time_marks_new (void)
{
  return g_object_new (GOBAN_TYPE_TIME_MARKS, NULL);
}

/* --- looking ---------------------------------------------------------------------------------- */

const GobanTimeMark *
goban_time_marks_list (GobanTimeMarks *self, guint *n)
{
  *n = self->marks->len;
  return (const GobanTimeMark *) (gpointer) self->marks->data;
}

const GobanTimeMark *
goban_time_marks_find (GobanTimeMarks *self, const char *name)
{
  for (guint i = 0; i < self->marks->len; i++)
    if (g_str_equal (get (self, i)->name, name))
      return get (self, i);
  return NULL;
}

const GobanTimeMark *
goban_time_marks_find_near (GobanTimeMarks *self, double time_us, double reach_us)
{
  const GobanTimeMark *best = NULL;

  for (guint i = 0; i < self->marks->len; i++)
    if (fabs (get (self, i)->time_us - time_us) <= reach_us
        && (best == NULL
            || fabs (get (self, i)->time_us - time_us) < fabs (best->time_us - time_us)))
      best = get (self, i);
  return best;
}

const GobanTimeMark *
goban_time_marks_step (GobanTimeMarks *self, double time_us, int direction)
{
  guint n = self->marks->len;

  if (n == 0)
    return NULL;
  if (direction > 0)
    {
      for (guint i = 0; i < n; i++)
        if (isnan (time_us) || get (self, i)->time_us > time_us)
          return get (self, i);
      return get (self, 0);
    }
  for (guint i = n; i-- > 0;)
    if (get (self, i)->time_us < time_us)
      return get (self, i);
  return get (self, n - 1);
}

/* --- changing --------------------------------------------------------------------------------- */

/* A to Z, then A2 to Z2. (transfer full) */
static char *
dup_free_name (GobanTimeMarks *self)
{
  for (guint round = 1;; round++)
    for (char letter = 'A'; letter <= 'Z'; letter++)
      {
        g_autofree char *name
            = round == 1 ? g_strdup_printf ("%c", letter) : g_strdup_printf ("%c%u", letter, round);

        if (goban_time_marks_find (self, name) == NULL)
          return g_steal_pointer (&name);
      }
}

/* Index of the mark of that time, or its insertion point. */
static guint
find_place (GobanTimeMarks *self, double time_us)
{
  guint i = 0;

  while (i < self->marks->len && get (self, i)->time_us < time_us)
    i++;
  return i;
}

static gboolean
is_at (GobanTimeMarks *self, guint i, double time_us)
{
  return i < self->marks->len && get (self, i)->time_us == time_us;
}

/* %FALSE if nothing changes. @name: (transfer full) */
static gboolean
put (GobanTimeMarks *self, double time_us, char *name)
{
  GobanTimeMark mark = { time_us, name };
  guint i = find_place (self, time_us);

  if (!is_at (self, i, time_us))
    {
      g_array_insert_val (self->marks, i, mark);
      return TRUE;
    }
  if (g_str_equal (get (self, i)->name, name))
    {
      g_free (name);
      return FALSE;
    }
  g_free (get (self, i)->name);
  get (self, i)->name = name;
  return TRUE;
}

void
goban_time_marks_put (GobanTimeMarks *self, double time_us, const char *name)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *own = NULL;
  g_autofree char *quoted = NULL;

  g_return_if_fail (GOBAN_IS_TIME_MARKS (self) && isfinite (time_us));

  own = name != NULL && *name != '\0' ? g_strdup (name) : dup_free_name (self);
  quoted = goban_lua_text_quote (own);
  if (!put (self, time_us, g_steal_pointer (&own)))
    return;
  goban_log_emit (self, "view.mark(\"%sus\", %s)", g_ascii_dtostr (number, sizeof number, time_us),
                  quoted);
  g_signal_emit (self, changed_signal, 0);
}

void
goban_time_marks_remove (GobanTimeMarks *self, double time_us)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  guint i;

  g_return_if_fail (GOBAN_IS_TIME_MARKS (self));

  i = find_place (self, time_us);
  if (!is_at (self, i, time_us))
    return;
  g_array_remove_index (self->marks, i);
  goban_log_emit (self, "view.unmark \"%sus\"", g_ascii_dtostr (number, sizeof number, time_us));
  g_signal_emit (self, changed_signal, 0);
}

void
goban_time_marks_clear (GobanTimeMarks *self)
{
  g_return_if_fail (GOBAN_IS_TIME_MARKS (self));

  if (self->marks->len == 0)
    return;
  g_array_set_size (self->marks, 0);
  goban_log_emit (self, "view.unmark()");
  g_signal_emit (self, changed_signal, 0);
}

void
goban_time_marks_forget (GobanTimeMarks *self)
{
  g_return_if_fail (GOBAN_IS_TIME_MARKS (self));

  if (self->marks->len == 0)
    return;
  g_array_set_size (self->marks, 0);
  g_signal_emit (self, changed_signal, 0);
}

/* --- files ------------------------------------------------------------------------------------ */

char **
goban_time_marks_to_texts (GobanTimeMarks *self)
{
  char **texts = g_new0 (char *, self->marks->len + 1);

  for (guint i = 0; i < self->marks->len; i++)
    {
      char number[GOBAN_QUANTITY_LEN];

      texts[i] = g_strdup_printf ("%s %s", goban_format_double (number, get (self, i)->time_us),
                                  get (self, i)->name);
    }
  return texts;
}

gboolean
goban_time_mark_scan (const char *text, double *time_us, const char **name)
{
  const char *end;
  double number;

  if (!goban_scan_number (text, &number, &end) || *end != ' ' || end[1] == '\0'
      || !isfinite (number) || number < 0)
    return FALSE;
  *time_us = number;
  *name = end + 1;
  return TRUE;
}

void
goban_time_marks_set_texts (GobanTimeMarks *self, const char *const *texts)
{
  g_return_if_fail (GOBAN_IS_TIME_MARKS (self) && texts != NULL);

  goban_time_marks_clear (self);
  for (guint i = 0; texts[i] != NULL; i++)
    {
      const char *name;
      double time_us;

      if (goban_time_mark_scan (texts[i], &time_us, &name))
        goban_time_marks_put (self, time_us, name);
    }
}
