#include "engine/machine/parallel/schedule-csv.h"

#include "engine/core/error.h"

#include <string.h>

#define OVERLAP ")OVERLAP_F_B"
#define MAX_DIGITS 6
#define EXCERPT 40

/* Kinds by their words in newer files; longer words before those that they begin with. */
static const struct
{
  const char *word;
  const char *older;
  GobanPassKind kind;
} words[] = {
  { "SEND_F", "SEND_F", GOBAN_PASS_SEND_FORWARD },
  { "RECV_F", "RECV_F", GOBAN_PASS_RECEIVE_FORWARD },
  { "SEND_B", "SEND_B", GOBAN_PASS_SEND_BACKWARD },
  { "RECV_B", "RECV_B", GOBAN_PASS_RECEIVE_BACKWARD },
  { "UNSHARD", "UNSHARD", GOBAN_PASS_UNSHARD },
  { "RESHARD", "RESHARD", GOBAN_PASS_RESHARD },
  { "REDUCE_GRAD", "REDUCE_GRAD", GOBAN_PASS_REDUCE_GRADIENTS },
  { "B", "BW", GOBAN_PASS_BACKWARD },
  { "I", "B", GOBAN_PASS_INPUT },
  { "F", "F", GOBAN_PASS_FORWARD },
  { "W", "W", GOBAN_PASS_WEIGHT },
};

typedef struct
{
  const char *origin;
  guint line; /* from 1 */
  GArray *passes;
  gboolean is_older;
} Reader;

/* --- reading -------------------------------------------------------------------------------- */

static gboolean
refuse_field (const Reader *self, const char *field, gsize length, GError **error)
{
  g_autofree char *excerpt = g_utf8_make_valid (field, (gssize) MIN (length, EXCERPT));

  return goban_refuse (error, GOBAN_ERROR_PARSE,
                       "%s:%u: “%s” is not a pass of a pipeline, such as 0F1, 2B0 or 1SEND_F3",
                       self->origin, self->line, excerpt);
}

static gboolean
read_number (const char **text, const char *end, guint *number)
{
  const char *start = *text;

  *number = 0;
  for (; *text < end && g_ascii_isdigit (**text); (*text)++)
    {
      if (*text - start == MAX_DIGITS)
        return FALSE;
      *number = *number * 10 + (guint) (**text - '0');
    }
  return *text > start;
}

static gboolean
read_kind (const Reader *self, const char **text, const char *end, GobanPassKind *kind)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *word = self->is_older ? words[i].older : words[i].word;
      gsize length = strlen (word);

      if ((gsize) (end - *text) < length || strncmp (*text, word, length) != 0)
        continue;
      *text += length;
      *kind = words[i].kind;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_pass (Reader *self, const char *text, gsize length, guint overlap, GError **error)
{
  const char *at = text;
  const char *end = text + length;
  GobanStagePass pass = { .batch = GOBAN_NO_MICRO_BATCH, .overlap = overlap & 3 };

  if (!read_number (&at, end, &pass.stage) || !read_kind (self, &at, end, &pass.kind))
    return refuse_field (self, text, length, error);
  if (at < end && !read_number (&at, end, &pass.batch))
    return refuse_field (self, text, length, error);
  if (at < end || (pass.batch == GOBAN_NO_MICRO_BATCH && pass.kind < GOBAN_PASS_UNSHARD))
    return refuse_field (self, text, length, error);
  g_array_append_val (self->passes, pass);
  return TRUE;
}

/* "(0F7;7B3)OVERLAP_F_B" */
static gboolean
read_pair (Reader *self, const char *text, gsize length, GError **error)
{
  gsize tail = strlen (OVERLAP);
  const char *middle = memchr (text, ';', length);

  if (length < tail + 1 || middle == NULL || strncmp (text + length - tail, OVERLAP, tail) != 0
      || middle > text + length - tail)
    return refuse_field (self, text, length, error);
  return read_pass (self, text + 1, (gsize) (middle - text) - 1, 1, error)
         && read_pass (self, middle + 1, (gsize) (text + length - tail - middle) - 1, 2, error);
}

static gboolean
read_field (Reader *self, const char *text, gsize length, GError **error)
{
  GobanStagePass bubble = { .kind = GOBAN_PASS_BUBBLE, .batch = GOBAN_NO_MICRO_BATCH };

  if (length == 0)
    {
      g_array_append_val (self->passes, bubble);
      return TRUE;
    }
  return text[0] == '(' ? read_pair (self, text, length, error)
                        : read_pass (self, text, length, 0, error);
}

static gboolean
read_line (Reader *self, const char *line, gsize length, GError **error)
{
  const char *end = line + length;

  for (const char *field = line;;)
    {
      const char *comma = memchr (field, ',', (gsize) (end - field));
      const char *stop = comma != NULL ? comma : end;

      if (!read_field (self, field, (gsize) (stop - field), error))
        return FALSE;
      if (comma == NULL)
        return TRUE;
      field = comma + 1;
    }
}

/* Newer files name gradients of inputs with an I; files without I and W have whole passes only. */
static gboolean
is_older (const char *text, gsize length)
{
  gboolean has_weights = FALSE;

  for (gsize i = 1; i < length; i++)
    if (g_ascii_isdigit (text[i - 1]))
      {
        if (text[i] == 'I')
          return FALSE;
        has_weights |= text[i] == 'W' || (text[i] == 'B' && i + 1 < length && text[i + 1] == 'W');
      }
  return has_weights;
}

GobanSchedule *
goban_schedule_parse (const char *text, gsize length, const char *origin, GobanScheduleStyle *style,
                      GError **error)
{
  g_autoptr (GPtrArray) ranks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  Reader self = { .origin = origin, .is_older = is_older (text, length) };
  GobanScheduleStyle found = { .is_older = self.is_older };
  const char *end = length > 0 ? text + length : text; /* there may be no bytes to point to */

  for (const char *line = text; line < end;)
    {
      const char *stop = memchr (line, '\n', (gsize) (end - line));
      const char *next = stop != NULL ? stop + 1 : end;

      found.lacks_line_end = stop == NULL;
      stop = stop != NULL ? stop : end;
      if (stop > line && stop[-1] == '\r')
        {
          found.has_returns = TRUE;
          stop--;
        }
      self.line++;
      self.passes = g_array_new (FALSE, FALSE, sizeof (GobanStagePass));
      g_ptr_array_add (ranks, self.passes);
      if (!read_line (&self, line, (gsize) (stop - line), error))
        return NULL;
      line = next;
    }
  if (style != NULL)
    *style = found;
  return goban_schedule_new_from_ranks (ranks, origin, self.is_older, error);
}

/* --- writing -------------------------------------------------------------------------------- */

static void
append_pass (const GobanStagePass *pass, gboolean older, GString *csv)
{
  if (pass->kind == GOBAN_PASS_BUBBLE)
    return;
  g_string_append (csv, pass->overlap == 1 ? "(" : "");
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].kind == pass->kind)
      g_string_append_printf (csv, "%u%s", pass->stage, older ? words[i].older : words[i].word);
  if (pass->batch != GOBAN_NO_MICRO_BATCH)
    g_string_append_printf (csv, "%u", pass->batch);
  g_string_append (csv, pass->overlap == 2 ? OVERLAP : "");
}

char *
goban_schedule_to_csv (const GobanSchedule *self, const GobanScheduleStyle *style)
{
  static const GobanScheduleStyle plain = { 0 };
  GString *csv = g_string_new (NULL);
  guint n_ranks = goban_schedule_get_shape (self).n_ranks;

  style = style != NULL ? style : &plain;
  for (guint rank = 0; rank < n_ranks; rank++)
    {
      guint n;
      const GobanStagePass *passes = goban_schedule_get_passes (self, rank, &n);

      for (guint i = 0; i < n; i++)
        {
          if (i > 0)
            g_string_append_c (csv, passes[i].overlap == 2 ? ';' : ',');
          append_pass (&passes[i], style->is_older, csv);
        }
      if (rank + 1 < n_ranks || !style->lacks_line_end)
        g_string_append (csv, style->has_returns ? "\r\n" : "\n");
    }
  return g_string_free (csv, FALSE);
}
