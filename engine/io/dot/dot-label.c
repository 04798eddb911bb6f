#include "engine/io/dot/dot-label.h"

#include "engine/io/text.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  double size_bytes;
} Dtype;

static const Dtype dtypes[] = {
  { "pred", 1 }, { "s4", 0.5 }, { "u4", 0.5 }, { "s8", 1 },  { "u8", 1 },    { "s16", 2 },
  { "u16", 2 },  { "s32", 4 },  { "u32", 4 },  { "s64", 8 }, { "u64", 8 },   { "f16", 2 },
  { "bf16", 2 }, { "f32", 4 },  { "f64", 8 },  { "c64", 8 }, { "c128", 16 },
};

static const Dtype *
find_dtype (const char *text, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (strlen (dtypes[i].name) == length && strncmp (dtypes[i].name, text, length) == 0)
      return &dtypes[i];
  return NULL;
}

/* Reads "f32[30522,16]"; returns the rest behind it, or NULL for any other text. */
static const char *
parse_shape (GobanDotLabel *self, const char *text)
{
  gsize length = strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789");
  const Dtype *dtype = text[length] == '[' ? find_dtype (text, length) : NULL;
  double size_bytes;

  if (dtype == NULL)
    return NULL;

  text += length + 1;
  size_bytes = dtype->size_bytes;
  self->n_dims = 0;
  while (*text != ']')
    {
      char *end;
      guint64 dim = g_ascii_strtoull (text, &end, 10);

      if (end == text || dim > G_MAXINT32 || self->n_dims == GOBAN_DOT_MAX_DIMS
          || (*end != ',' && *end != ']'))
        return NULL;
      self->dims[self->n_dims++] = (gint64) dim;
      size_bytes *= (double) dim;
      text = *end == ',' ? end + 1 : end;
    }

  g_strlcpy (self->dtype, dtype->name, sizeof self->dtype);
  self->size_bytes += size_bytes;
  self->has_shape = TRUE;
  return text + 1;
}

/* torch-xla calls the parameters p0, p1, ..., JAX Arg_0, Arg_1, ... */
static gboolean
is_parameter_name (const char *stem)
{
  gsize start = g_str_has_prefix (stem, "Arg_") ? 4 : *stem == 'p';

  return start > 0 && stem[start] != '\0'
         && stem[start + strspn (stem + start, "0123456789")] == '\0';
}

static void
parse_xla (GobanDotLabel *self, const char *label, const char *line_end)
{
  g_autofree char *name = g_strstrip (g_strndup (label, line_end - label));
  const char *rest = line_end + 2;
  gsize word;

  rest += strspn (rest, " ");
  if (*rest == '(')
    {
      for (const char *part = rest + 1; part != NULL; part += strspn (part, "{0123456789}, "))
        if ((part = parse_shape (self, part)) == NULL)
          break;
      self->dtype[0] = '\0';
      self->n_dims = 0;
      rest = "";
    }
  else if ((rest = parse_shape (self, rest)) == NULL)
    return;
  if (!self->has_shape)
    return;

  /* " parameter(47)" says it best. */
  rest += strspn (rest, " ");
  word = strspn (rest, "abcdefghijklmnopqrstuvwxyz-");
  if (word > 0 && rest[word] == '(')
    self->op = g_strndup (rest, word);
  else
    {
      g_autofree char *stem = goban_text_file_dup_stem (name);

      self->op = g_strdup (is_parameter_name (stem) ? "parameter" : stem);
    }
}

static void
parse_pipedream (GobanDotLabel *self, const char *label, const char *bracket)
{
  const char *end = strrchr (bracket, ']');
  g_autofree char *text = g_strndup (bracket + 1, end != NULL ? end - bracket - 1 : 0);
  g_autofree char *problem = NULL;

  self->has_fields = goban_pipedream_parse_fields (text, &self->fields, &problem);
  if (self->has_fields)
    self->op = goban_pipedream_dup_op (label);
}

void
goban_dot_label_parse (GobanDotLabel *self, const char *label)
{
  const char *line_end = strstr (label, "\\n");
  const char *bracket = strstr (label, "[forward_compute_time=");

  *self = (GobanDotLabel){ 0 };
  if (bracket != NULL)
    parse_pipedream (self, label, bracket);
  else if (line_end != NULL)
    parse_xla (self, label, line_end);
  if (!isfinite (self->size_bytes))
    self->has_shape = FALSE;
}

void
goban_dot_label_clear (GobanDotLabel *self)
{
  g_clear_pointer (&self->op, g_free);
}
