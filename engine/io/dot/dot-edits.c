#include "engine/io/dot/dot-edits.h"

#include "engine/core/error.h"

#include <string.h>

/* Most bytes that are inserted, and those for each byte of the text. */
#define MAX_GROWTH ((gsize) 1 << 20)
#define MAX_GROWTH_FACTOR 16

typedef enum
{
  EDIT_TEXT, /* a fixed text */
  EDIT_LINE, /* the number of the line */
  EDIT_NAME, /* a name for a group that has none */
  EDIT_CUT,  /* the end of one statement and the start of the next */
} EditKind;

typedef struct
{
  gsize at;
  EditKind kind;
  const char *text;   /* of EDIT_TEXT */
  guint32 statement;  /* of EDIT_CUT */
  guint32 group;      /* of EDIT_NAME and EDIT_CUT: the number in a name given here; 0: none */
  GobanDotOperand of; /* of EDIT_NAME and EDIT_CUT */
} Edit;

typedef struct
{
  gsize from;
  gsize to; /* 0: it has none */
} Attributes;

void
goban_dot_edits_init (GobanDotEdits *self)
{
  *self = (GobanDotEdits){ .edits = g_array_new (FALSE, FALSE, sizeof (Edit)),
                           .statements = g_array_new (FALSE, TRUE, sizeof (Attributes)) };
}

void
goban_dot_edits_clear (GobanDotEdits *self)
{
  g_clear_pointer (&self->edits, g_array_unref);
  g_clear_pointer (&self->statements, g_array_unref);
}

void
goban_dot_edits_break (GobanDotEdits *self, gsize at, const char *text, gboolean ends_line)
{
  Edit edit = { .at = at, .kind = EDIT_TEXT, .text = text };

  if (text != NULL)
    g_array_append_val (self->edits, edit);
  edit.kind = EDIT_LINE;
  if (ends_line)
    g_array_append_val (self->edits, edit);
}

void
goban_dot_edits_cut (GobanDotEdits *self, const GobanDotOperand *operand, guint32 *statement)
{
  Edit cut = { .at = operand->to, .kind = EDIT_CUT, .of = *operand };

  if (*statement == GOBAN_DOT_NO_STATEMENT)
    {
      *statement = self->statements->len;
      g_array_set_size (self->statements, self->statements->len + 1); /* of zeros */
    }
  cut.statement = *statement;
  if (operand->is_group && !operand->is_named)
    {
      Edit name = { .at = operand->brace, .kind = EDIT_NAME, .of = *operand };

      name.group = cut.group = ++self->n_groups;
      g_array_append_val (self->edits, name);
    }
  g_array_append_val (self->edits, cut);
}

void
goban_dot_edits_set_attributes (GobanDotEdits *self, guint32 statement, gsize from, gsize to)
{
  Attributes *attributes;

  if (statement == GOBAN_DOT_NO_STATEMENT)
    return;
  attributes = &g_array_index (self->statements, Attributes, statement);
  if (attributes->to == 0)
    attributes->from = from;
  attributes->to = to;
}

/* --- the new text ---------------------------------------------------------------------------- */

/* The new text, and the place in the old one up to which it is copied. */
typedef struct
{
  GString *out;
  const char *text;
  gsize copied;
  guint line;
} Writer;

static void
copy_up_to (Writer *self, gsize end)
{
  const char *from = self->text + self->copied, *to = self->text + end;

  g_string_append_len (self->out, from, to - from);
  while (from < to && (from = memchr (from, '\n', (gsize) (to - from))) != NULL)
    {
      from++;
      self->line++;
    }
  self->copied = end;
}

static void
write_line (Writer *self)
{
  g_string_append_printf (self->out, "\n#line %u\n", self->line);
}

static void
write_again (Writer *self, gsize from, gsize to)
{
  g_string_append_len (self->out, self->text + from, (gssize) (to - from));
}

static void
write_group_name (Writer *self, const Edit *edit)
{
  g_string_append_printf (self->out, "%s\"goban piece %u\" ",
                          edit->of.is_subgraph ? " " : "subgraph ", edit->group);
}

static void
write_cut (Writer *self, const Edit *edit, const Attributes *attributes)
{
  gsize start = self->out->len;

  if (attributes->to > 0)
    write_again (self, attributes->from, attributes->to);
  g_string_append_c (self->out, ';');
  if (!edit->of.is_group)
    write_again (self, edit->of.from, edit->of.to);
  else
    {
      write_again (self, edit->of.from, edit->of.brace);
      if (edit->group > 0)
        write_group_name (self, edit);
      g_string_append (self->out, "{}");
    }
  if (memchr (self->out->str + start, '\n', self->out->len - start) != NULL)
    write_line (self);
}

static int
compare_edits (gconstpointer a, gconstpointer b)
{
  const Edit *x = a, *y = b;

  return x->at < y->at ? -1 : x->at > y->at;
}

GString *
goban_dot_edits_apply (GobanDotEdits *self, const char *text, gsize size, const char *path,
                       GError **error)
{
  Writer writer = { .text = text, .line = 1 };
  gsize most = MAX_GROWTH + (MAX_GROWTH_FACTOR + 1) * size;

  if (self->edits->len == 0)
    return NULL;
  writer.out = g_string_sized_new (size + size / 8);
  g_array_sort (self->edits, compare_edits); /* a merge sort: those of one place keep their order */
  for (guint i = 0; i < self->edits->len && writer.out->len <= most; i++)
    {
      const Edit *edit = &g_array_index (self->edits, Edit, i);

      copy_up_to (&writer, edit->at);
      if (edit->kind == EDIT_TEXT)
        g_string_append (writer.out, edit->text);
      else if (edit->kind == EDIT_LINE)
        write_line (&writer);
      else if (edit->kind == EDIT_NAME)
        write_group_name (&writer, edit);
      else
        write_cut (&writer, edit, &g_array_index (self->statements, Attributes, edit->statement));
    }
  if (writer.out->len <= most)
    {
      copy_up_to (&writer, size);
      return writer.out;
    }
  g_string_free (writer.out, TRUE);
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s: a chain of edges has attributes that are too long for so many edges: write "
                   "the edges one by one",
                   path);
  return NULL;
}
