#include "engine/io/dot/dot-op.h"

#include "engine/io/text.h"

#include <string.h>

/* Bytes of a label that are searched, and of an op. */
#define MAX_LABEL 4096
#define MAX_OP 60
/* Digits of an address in decimal. */
#define MIN_ADDRESS 6

/* --- lines ----------------------------------------------------------------------------------- */

/* Whether the tag marks up words within a line, such as <b>. */
static gboolean
is_inline (const char *tag)
{
  static const char *const names[] = { "b", "i", "u", "o", "s", "sub", "sup", "font", NULL };
  gsize n = 0;
  g_autofree char *name = NULL;

  tag += *tag == '/';
  while (g_ascii_isalpha (tag[n]))
    n++;
  name = g_ascii_strdown (tag, (gssize) n);
  return g_strv_contains (names, name);
}

/* The text of markup; tags of its tables and lines become line ends. */
static void
append_markup (GString *lines, const char *label, gsize n)
{
  static const struct
  {
    const char *name;
    char c;
  } entities[] = { { "&lt;", '<' },   { "&gt;", '>' },  { "&amp;", '&' }, { "&quot;", '"' },
                   { "&nbsp;", ' ' }, { "&#40;", '(' }, { "&#41;", ')' } };

  for (gsize i = 0; i < n; i++)
    {
      gsize length = 0;

      if (label[i] == '<')
        {
          const char *end = memchr (label + i, '>', n - i);

          if (!is_inline (label + i + 1))
            g_string_append_c (lines, '\n');
          i = end != NULL ? (gsize) (end - label) : n;
          continue;
        }
      for (gsize k = 0; k < G_N_ELEMENTS (entities) && length == 0; k++)
        if (strncmp (label + i, entities[k].name, strlen (entities[k].name)) == 0)
          {
            length = strlen (entities[k].name);
            g_string_append_c (lines, entities[k].c);
          }
      if (length == 0)
        g_string_append_c (lines, label[i]);
      else
        i += length - 1;
    }
}

/* The escapes for line ends, and the fields of a record, begin lines. */
static void
append_plain (GString *lines, const char *label, gsize n)
{
  gboolean is_record = memchr (label, '|', n) != NULL || *label == '{';

  for (gsize i = 0; i < n; i++)
    {
      char c = label[i], next = i + 1 < n ? label[i + 1] : '\0';

      if (c == '\\' && next != '\0')
        {
          g_string_append_c (lines, strchr ("nlr", next) != NULL ? '\n' : next);
          i++;
        }
      else
        g_string_append_c (lines, is_record && strchr ("|{}", c) != NULL ? '\n' : c);
    }
}

/* Whether it has a letter or a digit of any language. */
static gboolean
has_word (const char *line)
{
  for (const char *p = line; *p != '\0'; p++)
    if (g_ascii_isalnum (*p) || (guchar) *p >= 0x80)
      return TRUE;
  return FALSE;
}

/* Digits, brackets, types of elements and the words around them: "(1, 10)",
 * "f32[2,3]", "1x3x4",
 * "[(None, 28, 28, 1)]", "input:". */
static gboolean
is_shape (const char *line)
{
  static const char *const words[]
      = { "none",   "float",  "double", "half",    "int",   "uint",  "bool",
          "bfloat", "f",      "s",      "u",       "i",     "bf",    "x",
          "input",  "output", "inputs", "outputs", "shape", "dtype", NULL };
  const char *p = line;

  if (strpbrk (line, "0123456789()[]:") == NULL)
    return FALSE;
  while (*p != '\0')
    {
      gsize n = 0;
      g_autofree char *word = NULL;

      while (g_ascii_isalpha (p[n]))
        n++;
      word = g_ascii_strdown (p, (gssize) n);
      if (n > 0 && !g_strv_contains (words, word))
        return FALSE;
      p += n;
      if (*p != '\0' && ((guchar) *p >= 0x80 || *p == '_' || *p == '/'))
        return FALSE;
      p += *p != '\0' && n == 0;
    }
  return TRUE;
}

/* (transfer full) (element-type utf8): those that say something. Fields with a port name inputs and
 * outputs, unless all have one. @has_shape: (out): whether others were left out. */
static GPtrArray *
split_label (const char *label, gboolean is_markup, gboolean *has_shape)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;
  g_autoptr (GPtrArray) ports = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  gsize n = strnlen (label, MAX_LABEL);

  while (((guchar) label[n] & 0xc0) == 0x80)
    n--;
  if (is_markup)
    append_markup (text, label, n);
  else
    append_plain (text, label, n);
  parts = g_strsplit (text->str, "\n", -1);
  *has_shape = FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *line = g_strstrip (parts[i]);
      const char *port = *line == '<' ? strchr (line, '>') : NULL;

      if (port != NULL)
        line = g_strchug (line + (port - line) + 1);
      if (!has_word (line))
        {
          *has_shape = *has_shape || strcmp (line, "()") == 0;
          continue;
        }
      if (is_shape (line))
        *has_shape = TRUE;
      else
        g_ptr_array_add (port != NULL ? ports : lines, g_strdup (line));
    }
  if (lines->len == 0)
    g_ptr_array_extend_and_steal (lines, g_steal_pointer (&ports));
  return lines;
}

/* --- words ----------------------------------------------------------------------------------- */

/* The length of a name of letters, digits, ".", ":", "/", "-" and "_" that
 * begins with a letter. */
static gsize
measure_word (const char *text)
{
  gsize n = 0;

  if (!g_ascii_isalpha (*text) && *text != '_')
    return 0;
  while (g_ascii_isalnum (text[n]) || (text[n] != '\0' && strchr ("._:/-", text[n]) != NULL))
    n++;
  while (n > 0 && strchr (":./-", text[n - 1]) != NULL)
    n--;
  return n;
}

/* "Conv2D" of "conv1: Conv2D", "conv1 (Conv2D)" and "%1 = Conv2D(%0)".
 * (transfer full) (nullable) */
static char *
dup_marked_type (const char *line)
{
  gsize first = *line == '%' ? strcspn (line, " =") : measure_word (line);
  const char *rest = line + first + strspn (line + first, " ");
  gsize n;

  if (first == 0)
    return NULL;
  if (*rest == '=' || (*rest == ':' && rest == line + first && rest[1] == ' '))
    {
      rest += 1 + strspn (rest + 1, " ");
      n = measure_word (rest);
      return n > 0 && (rest[n] == '\0' || rest[n] == '(' || rest[n] == ' ') ? g_strndup (rest, n)
                                                                            : NULL;
    }
  if (*rest != '(' || rest == line + first)
    return NULL;
  n = measure_word (rest + 1);
  return n > 0 && rest[n + 1] == ')' && rest[n + 2] == '\0' ? g_strndup (rest + 1, n) : NULL;
}

/* "(Convolution)" alone on the second line. (transfer full) (nullable) */
static char *
dup_bracketed_type (const char *line)
{
  gsize n = *line == '(' ? measure_word (line + 1) : 0;

  return n > 0 && line[n + 1] == ')' && line[n + 2] == '\0' ? g_strndup (line + 1, n) : NULL;
}

/* torch.fx: "op_code=call_module", then the type; "op_code=call_function", "target=torch.relu".
 * Gorgonia: a field "Op" before that with the operation. Keras: the name, the class, then
 * "input:" and "output:". (nullable): the line that has the type */
static const char *
find_type_line (const GPtrArray *lines, const char *label)
{
  for (guint i = 0; i + 1 < lines->len; i++)
    {
      const char *line = g_ptr_array_index (lines, i), *next = g_ptr_array_index (lines, i + 1);

      if (strcmp (line, "Op") == 0)
        return *next != '%' ? next : NULL;
      if (g_str_has_prefix (line, "op_code=call"))
        return g_str_has_prefix (next, "target=") ? next + strlen ("target=")
                                                  : next + strspn (next, ": ");
      if (g_str_has_prefix (line, "op_code="))
        return line + strlen ("op_code=");
    }
  if (lines->len > 1 && strstr (label, "{input:|output:}") != NULL
      && strpbrk (g_ptr_array_index (lines, 0), ":(") == NULL)
    return g_ptr_array_index (lines, 1);
  return NULL;
}

/* The last scope of a name, without the number that follows a mark: "fc.bias"
 * is "bias", "conv_3" "conv", but "AddmmBackward0" itself. Other lines stay
 * whole. (transfer full) */
static char *
dup_plain_op (const char *line)
{
  gsize n = measure_word (line), end, start = 0;
  g_autofree char *word = NULL;

  if (n == 0 || (line[n] != '\0' && line[n] != '('))
    n = strlen (line);
  if (memchr (line, ' ', n) != NULL)
    {
      /* "Parameter 0", "data -6.0000" */
      end = strspn (line + strcspn (line, " "), " -.0123456789");
      if (line[strcspn (line, " ") + end] == '\0')
        n = strcspn (line, " ");
      while (n > MAX_OP || ((guchar) line[n] & 0xc0) == 0x80)
        n--;
      return g_strndup (line, n);
    }
  end = n;
  while (end > 0 && g_ascii_isdigit (line[end - 1]))
    end--;
  n = end > 1 && end < n && strchr ("._-", line[end - 1]) != NULL ? end - 1 : n;
  for (gsize i = 0; i + 1 < n; i++)
    if (line[i] == '/' || line[i] == '.')
      start = i + 1;
  word = g_strndup (line + start, n - start);
  if (n - start > MAX_OP)
    *(char *) g_utf8_find_prev_char (word, word + MAX_OP) = '\0';
  return g_steal_pointer (&word);
}

/* Numbers, addresses, numbers behind a word that any node could have, and words behind numbers. */
static gboolean
is_empty_id (const char *id)
{
  static const char *const words[]
      = { "node", "op", "id", "vertex", "tensor", "obj", "block", "layer", "task", NULL };
  g_autofree char *lower = g_ascii_strdown (id, -1);
  char *rest = lower, *hex;
  gsize n;

  hex = strstr (rest, "0x");
  if (hex != NULL && (hex == rest || hex[2 + strspn (hex + 2, "0123456789abcdef")] == '\0'))
    return TRUE;
  if (strspn (rest, "0123456789") >= MIN_ADDRESS)
    return TRUE;
  n = strcspn (rest, "0123456789");
  if (rest[n + strspn (rest + n, "0123456789._-")] != '\0' || rest[n] == '\0')
    return n == 1 && rest[1] == '\0';
  rest[n] = '\0';
  g_strdelimit (rest, "._-", '\0');
  return n <= 1 || g_strv_contains (words, rest);
}

/* An arithmetic sign alone. */
static gboolean
is_sign (const char *label)
{
  static const char *const signs[] = { "+", "-", "*", "/", "**", "@", "%", "^", NULL };

  return g_strv_contains (signs, label);
}

/* The op that a name says. onnx's net_drawer writes "scope/Conv (op#3)\n input0 x". (transfer full)
 */
static char *
dup_op_of_id (const char *id)
{
  const char *mark = strstr (id, " (op#");
  g_autofree char *name = mark != NULL ? g_strndup (id, (gsize) (mark - id)) : NULL;

  return name != NULL ? dup_plain_op (name) : goban_text_file_dup_stem (id);
}

char *
goban_dot_dup_op (const char *id, const char *label, gboolean is_markup)
{
  g_autoptr (GPtrArray) lines = NULL;
  gboolean has_shape;
  const char *first, *marked;
  gsize n;
  g_autofree char *type = NULL;

  /* Graphviz's own default. */
  if (label == NULL || strcmp (label, "\\N") == 0)
    return dup_op_of_id (id);
  if (is_sign (label) && is_empty_id (id))
    return g_strdup (label);
  lines = split_label (label, is_markup, &has_shape);
  if (lines->len == 0)
    return has_shape && is_empty_id (id) ? g_strdup ("tensor") : goban_text_file_dup_stem (id);
  first = g_ptr_array_index (lines, 0);
  marked = find_type_line (lines, label);
  n = marked != NULL ? measure_word (marked) : 0;
  if (n > 0 && marked[n] != ' ') /* without its arguments, as in "im2col<(3,3)>" */
    type = g_strndup (marked, n);
  else if (marked != NULL)
    type = g_strdup (marked);
  else
    type = dup_marked_type (first);
  if (type == NULL && lines->len > 1)
    type = dup_bracketed_type (g_ptr_array_index (lines, 1));
  if (type != NULL)
    return dup_plain_op (type);
  if (is_empty_id (id)
      || ((lines->len > 1 || has_shape) && strcmp (first, id) != 0 && measure_word (first) > 0
          && first[measure_word (first)] == '\0'))
    return dup_plain_op (first);
  return goban_text_file_dup_stem (id);
}
