#include "engine/io/dot/dot-check.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/core/fnv.h"
#include "engine/io/text.h"

/* --- insertions ----------------------------------------------------------- */

/* cgraph's parser keeps every link of a chain "a -> b -> c" on a stack of 10,000 entries, and its
 * scanner takes time by the square of a string's length. Equal texts without these limits:
 * - "a -> b [w=1]; b -> c [w=1]" for a chain. A group in braces is repeated by its name, without
 *   its contents: "a -> subgraph x {b c} -> d" becomes "a -> subgraph x {b c}; subgraph x {} -> d".
 * - a backslash and a line end within a string, which the scanner skips.
 * "#line" restores the number of the line wherever line ends were inserted. */

#define GOBAN_DOT_NO_STATEMENT G_MAXUINT32
/* The last operand of a chain that was read: nodes, or a group. */
typedef struct
{
  gsize from;
  gsize to;
  gsize brace; /* of a group: where it opens */
  gboolean is_group;
  gboolean is_subgraph; /* begins with that word */
  gboolean is_named;
} GobanDotOperand;

typedef struct
{
  GArray *edits;
  GArray *statements; /* attributes of those that are cut */
  guint n_groups;     /* that were given a name */
} GobanDotEdits;

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

static void
dot_edits_init (GobanDotEdits *self)
{
  *self = (GobanDotEdits){ .edits = g_array_new (FALSE, FALSE, sizeof (Edit)),
                           .statements = g_array_new (FALSE, TRUE, sizeof (Attributes)) };
}

static void
dot_edits_clear (GobanDotEdits *self)
{
  g_clear_pointer (&self->edits, g_array_unref);
  g_clear_pointer (&self->statements, g_array_unref);
}

/* Inserts the @text, which is borrowed, if it is not %NULL; then the number of the line, unless a
 * break follows. */
static void
dot_edits_break (GobanDotEdits *self, gsize at, const char *text, gboolean ends_line)
{
  Edit edit = { .at = at, .kind = EDIT_TEXT, .text = text };

  if (text != NULL)
    g_array_append_val (self->edits, edit);
  edit.kind = EDIT_LINE;
  if (ends_line)
    g_array_append_val (self->edits, edit);
}

/* Cuts the chain behind @operand, which the next piece repeats. @statement: (inout): of the chain,
 * or GOBAN_DOT_NO_STATEMENT before its first cut. */
static void
dot_edits_cut (GobanDotEdits *self, const GobanDotOperand *operand, guint32 *statement)
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

/* The attributes of a chain, in brackets, which all its pieces have. */
static void
dot_edits_set_attributes (GobanDotEdits *self, guint32 statement, gsize from, gsize to)
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

/* @size: of the text up to the end of the graph
 *
 * Returns: (transfer full) (nullable): %NULL if nothing is inserted, and with
 *   %GOBAN_ERROR_UNSUPPORTED set if the text would grow out of proportion
 */
static GString *
dot_edits_apply (GobanDotEdits *self, const char *text, gsize size, const char *path,
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

/* --- checks --------------------------------------------------------------- */

#define MAX_DEPTH 250
#define MAX_EDGES 20e6
#define MAX_ATTRIBUTE_SLOTS 60e6
/* cgraph's parser has 10,000 entries: four for a link, five for a group. */
#define MAX_LINKS 256       /* of a chain, before it is cut */
#define MAX_OPEN_LINKS 1200 /* of all chains that are open at once */
/* Bytes of a string that cgraph's scanner takes at once. */
#define MAX_RUN 4096

/* A group of braces being read. Counts are doubles: products of them may be huge. */
typedef struct
{
  double n_ids; /* an upper bound of the nodes in it */
  double last;  /* nodes in the last operand seen */
  double tail;  /* nodes left of an edge operator that waits for its right side, or 0 */

  /* The statement being read: its last operand, and how the next name belongs to it. */
  GobanDotOperand operand;
  enum
  {
    JOINT_NONE,   /* it begins another statement */
    JOINT_LINK,   /* it is the next operand */
    JOINT_EXTENDS /* it is a part of this one: a port, a further node, a group's name */
  } joint;
  guint n_links; /* since the last cut */
  guint32 statement;
} Group;

typedef struct
{
  const char *text;
  gsize size;
  const char *path;
  gsize at;
  Group groups[MAX_DEPTH + 1];
  guint depth;
  guint n_brackets;
  gsize opened;            /* start of the group or bracket that is open now */
  gboolean after_subgraph; /* the next name is that of a group */
  gsize bracket;           /* start of the attributes that are open now */
  guint n_open_links;
  GobanDotEdits edits;
  double n_ids;
  double n_edges;
  GHashTable *nodes;      /* hashes of the names of nodes */
  GHashTable *attributes; /* names before '=' */
} Checker;

static gboolean
fail_at (const Checker *self, gsize offset, const char *what, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->path,
                       goban_text_file_line_at (self->text, self->size, offset), what);
}

gsize
goban_dot_skip_blanks (const char *text, gsize size, gsize i)
{
  while (i < size)
    {
      gboolean line_begins = i == 0 || text[i - 1] == '\n';
      const char *end = NULL;

      if (g_ascii_isspace (text[i]))
        i++;
      else if (i + 1 < size && text[i] == '/' && text[i + 1] == '*')
        {
          end = g_strstr_len (text + i + 2, size - i - 2, "*/");
          i = end != NULL ? (gsize) (end - text) + 2 : size;
        }
      else if ((line_begins && text[i] == '#')
               || (i + 1 < size && text[i] == '/' && text[i + 1] == '/'))
        {
          end = memchr (text + i, '\n', size - i);
          i = end != NULL ? (gsize) (end - text) : size;
        }
      else
        break;
    }
  return i;
}

static gboolean
is_word_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || (guchar) c >= 0x80;
}

/* Longer runs without a mark of their own are broken: in a string by an escaped line end, in markup
 * by a plain one. @run: (inout): its start */
static void
break_run (Checker *self, gsize at, gsize *run, const char *text)
{
  if (at - *run < MAX_RUN)
    return;
  dot_edits_break (&self->edits, at, text, FALSE);
  *run = at;
}

/* A string's end behind the quote, or self->size. */
static gsize
skip_string (Checker *self, gsize i)
{
  gsize run = i;

  for (; i < self->size && self->text[i] != '"'; i++)
    if (self->text[i] == '\\')
      run = ++i + 1;
    else
      break_run (self, i, &run, "\\\n");
  return MIN (i, self->size);
}

static gsize
skip_markup (Checker *self, gsize i)
{
  gsize run = i;
  int depth = 1;

  for (; i < self->size && depth > 0; i++)
    if (self->text[i] == '<' || self->text[i] == '>' || self->text[i] == '\n')
      {
        depth += (self->text[i] == '<') - (self->text[i] == '>');
        run = i + 1;
      }
    else
      break_run (self, i, &run, "\n");
  return depth > 0 ? self->size : i - 1;
}

/* -1, 2.5, .5: a letter behind it begins another name. Returns @i for anything else. */
static gsize
skip_number (const Checker *self, gsize i)
{
  gsize start = i, digits;
  guint n = 0;

  i += self->text[i] == '-';
  for (digits = i; i < self->size; i++)
    if (g_ascii_isdigit (self->text[i]))
      n++;
    else if (self->text[i] != '.' || memchr (self->text + digits, '.', i - digits) != NULL)
      break;
  return n > 0 ? i : start;
}

/* A long word is put into quotes, so that it can be broken. */
static gsize
skip_word (Checker *self, gsize start)
{
  gsize i = start, run = start;

  while (i < self->size && is_word_byte (self->text[i]))
    i++;
  if (i - start < MAX_RUN)
    return i;
  dot_edits_break (&self->edits, start, "\"", FALSE);
  for (gsize k = start; k < i; k++)
    break_run (self, k, &run, "\\\n");
  dot_edits_break (&self->edits, i, "\"", FALSE);
  return i;
}

/* The end of the name at self->at, or 0 with @error set: a word, "a string" or <a <b>text</b>>. */
static gsize
find_name_end (Checker *self, GError **error)
{
  guint n_edits = self->edits.edits->len;
  gsize start = self->at, end;
  char c = self->text[start];

  if (c == '"' || c == '<')
    {
      end = c == '"' ? skip_string (self, start + 1) : skip_markup (self, start + 1);
      if (end == self->size)
        return fail_at (self, start,
                        c == '"' ? "the string that begins here never ends"
                                 : "the text in <> that begins here never ends",
                        error);
      end++;
    }
  else if ((end = skip_number (self, start)) == start)
    end = skip_word (self, start);
  /* Nor does cgraph count the lines of a string. */
  if (self->edits.edits->len > n_edits || memchr (self->text + start, '\n', end - start) != NULL)
    dot_edits_break (&self->edits, end, NULL, TRUE);
  return end;
}

gboolean
goban_dot_refuse_nodes (const char *path, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: a graph in DOT or GXL may have at most %d nodes; this one has more",
                       path, GOBAN_DOT_MAX_NODES);
}

/* Two names of one hash are counted once, which is as rare as it is harmless. */
static gpointer
hash_name (const char *name, gsize length)
{
  gboolean is_quoted = length > 1 && name[0] == '"';

  return GSIZE_TO_POINTER (
      (gsize) goban_fnv_add (GOBAN_FNV_START, name + is_quoted, length - 2 * (gsize) is_quoted));
}

/* A whole operand of an edge, of at most @n_nodes nodes, was read. */
static void
take_operand (Checker *self, double n_nodes)
{
  Group *group = &self->groups[self->depth];

  self->n_edges += group->tail * n_nodes;
  group->tail = 0;
  group->last = n_nodes;
}

/* --- statements ------------------------------------------------------------------------------ */

/* An operand, or a part of one, begins. */
static void
begin_operand (Checker *self, Group *group)
{
  if (group->joint == JOINT_NONE)
    {
      self->n_open_links -= group->n_links;
      group->n_links = 0;
      group->statement = GOBAN_DOT_NO_STATEMENT;
    }
  if (group->joint != JOINT_EXTENDS)
    group->operand = (GobanDotOperand){ .from = self->at };
}

/* At an edge operator. */
static void
add_link (Checker *self)
{
  Group *group = &self->groups[self->depth];

  if (group->n_links >= MAX_LINKS || (group->n_links > 0 && self->n_open_links >= MAX_OPEN_LINKS))
    {
      dot_edits_cut (&self->edits, &group->operand, &group->statement);
      self->n_open_links -= group->n_links;
      group->n_links = 0;
    }
  group->n_links++;
  self->n_open_links++;
  group->joint = JOINT_LINK;
  group->tail = group->last;
}

static void
take_name (Checker *self, const char *name, gsize length)
{
  gsize next = goban_dot_skip_blanks (self->text, self->size, self->at);
  char c = next < self->size ? self->text[next] : '\0';

  if (c == '=')
    g_hash_table_add (self->attributes, g_strndup (name, length));
  if (self->n_brackets > 0 || c == '=')
    return;

  if (self->after_subgraph)
    {
      /* A group named again, without braces, has all its nodes. */
      self->after_subgraph = FALSE;
      self->groups[self->depth].operand.is_named = TRUE;
      self->groups[self->depth].joint = JOINT_EXTENDS;
      if (c != '{')
        take_operand (self, self->n_ids);
    }
  else if (length == strlen ("subgraph") && g_ascii_strncasecmp (name, "subgraph", length) == 0)
    {
      self->after_subgraph = TRUE;
      self->groups[self->depth].operand.is_subgraph = TRUE;
      self->groups[self->depth].joint = JOINT_EXTENDS;
    }
  else
    {
      self->n_ids++;
      if (self->depth > 0)
        g_hash_table_add (self->nodes, hash_name (name, length));
      self->groups[self->depth].n_ids++;
      take_operand (self, 1);
    }
}

static gboolean
open_group (Checker *self, GError **error)
{
  Group *group = &self->groups[self->depth];

  if (self->depth == MAX_DEPTH)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s:%u: groups in braces are nested here more than %d deep", self->path,
                         goban_text_file_line_at (self->text, self->size, self->at), MAX_DEPTH);
  if (self->depth == 0)
    self->opened = self->at;
  begin_operand (self, group);
  group->operand.is_group = TRUE;
  group->operand.brace = self->at;
  self->groups[++self->depth] = (Group){ .statement = GOBAN_DOT_NO_STATEMENT };
  self->after_subgraph = FALSE;
  return TRUE;
}

static gboolean
close_group (Checker *self, GError **error)
{
  double n_ids = self->groups[self->depth].n_ids;

  if (self->depth == 0)
    return fail_at (self, self->at, "this brace closes nothing", error);
  self->n_open_links -= self->groups[self->depth].n_links;
  self->depth--;
  self->groups[self->depth].n_ids += n_ids;
  self->groups[self->depth].operand.to = self->at + 1;
  self->groups[self->depth].joint = JOINT_NONE;
  take_operand (self, n_ids);
  return TRUE;
}

static gboolean
read_name (Checker *self, GError **error)
{
  Group *group = &self->groups[self->depth];
  gsize start = self->at;
  gsize end = find_name_end (self, error);

  if (end == 0)
    return FALSE;
  if (self->n_brackets == 0)
    {
      begin_operand (self, group);
      group->operand.to = end;
      group->joint = JOINT_NONE;
    }
  self->at = end;
  take_name (self, self->text + start, end - start);
  return TRUE;
}

/* Attributes in brackets. */
static void
take_bracket (Checker *self, gboolean opens)
{
  if (opens && self->n_brackets++ == 0)
    self->bracket = self->at;
  if (!opens && self->n_brackets > 0 && --self->n_brackets == 0)
    dot_edits_set_attributes (&self->edits, self->groups[self->depth].statement, self->bracket,
                              self->at + 1);
}

static gboolean
take_token (Checker *self, GError **error)
{
  char c = self->text[self->at];
  char next = self->at + 1 < self->size ? self->text[self->at + 1] : '\0';
  gboolean is_link = c == '-' && (next == '>' || next == '-');

  if (c == '"' || c == '<' || is_word_byte (c)
      || (c == '-' && skip_number (self, self->at) > self->at))
    return read_name (self, error);

  if (c == '{' && !open_group (self, error))
    return FALSE;
  if (c == '}' && !close_group (self, error))
    return FALSE;
  if (c == '[' || c == ']')
    take_bracket (self, c == '[');
  if (is_link && self->n_brackets == 0)
    add_link (self);
  if (self->n_brackets == 0 && c != '\0' && strchr (":,+=", c) != NULL)
    self->groups[self->depth].joint = JOINT_EXTENDS;
  self->at += is_link ? 2 : 1;
  return TRUE;
}

static gboolean
check_proportions (const Checker *self, GError **error)
{
  double n_slots = (self->n_ids + self->n_edges) * g_hash_table_size (self->attributes);

  if (self->n_edges <= MAX_EDGES && n_slots <= MAX_ATTRIBUTE_SLOTS + 16.0 * (double) self->size)
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: up to %.0f edges and %u attributes are more than fit here", self->path,
                       self->n_edges, g_hash_table_size (self->attributes));
}

static gboolean
check_tokens (Checker *self, GError **error)
{
  while ((self->at = goban_dot_skip_blanks (self->text, self->size, self->at)) < self->size)
    {
      if (!take_token (self, error))
        return FALSE;
      if (g_hash_table_size (self->nodes) > GOBAN_DOT_MAX_NODES)
        return goban_dot_refuse_nodes (self->path, error);
      /* Text after the graph is not part of it. */
      if (self->depth == 0 && self->text[self->at - 1] == '}')
        return check_proportions (self, error);
    }

  return self->depth > 0
             ? fail_at (self, self->opened, "the graph that begins here never ends", error)
             : fail_at (self, 0, "there is no graph in braces", error);
}

void
goban_dot_checked_clear (GobanDotChecked *self)
{
  if (self->split != NULL)
    g_string_free (g_steal_pointer (&self->split), TRUE);
}

gboolean
goban_dot_check (const char *text, gsize size, const char *path, GobanDotChecked *checked,
                 GError **error)
{
  g_autoptr (GError) too_long = NULL;
  g_autoptr (GHashTable) attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  g_autofree Checker *checker = g_new0 (Checker, 1);
  gboolean fine;

  checker->groups[0].statement = GOBAN_DOT_NO_STATEMENT;
  checker->text = text;
  checker->size = size;
  checker->path = path;
  checker->attributes = attributes;
  checker->nodes = nodes;
  dot_edits_init (&checker->edits);
  *checked = (GobanDotChecked){ 0 };
  fine = check_tokens (checker, error);
  if (fine)
    {
      checked->end = checker->at;
      checked->split = dot_edits_apply (&checker->edits, text, checker->at, path, &too_long);
    }
  dot_edits_clear (&checker->edits);
  if (too_long == NULL)
    return fine;
  g_propagate_error (error, g_steal_pointer (&too_long));
  return FALSE;
}
