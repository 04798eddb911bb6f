#include "engine/io/dot/dot-check.h"

#include "engine/base/error.h"
#include "engine/io/text.h"

#include <string.h>

#define MAX_DEPTH 250
#define MAX_EDGES 20e6
#define MAX_ATTRIBUTE_SLOTS 60e6

/* A group of braces being read. Counts are doubles: products of them may be huge. */
typedef struct
{
  double n_ids; /* an upper bound of the nodes in it */
  double last;  /* nodes in the last operand seen */
  double tail;  /* nodes left of an edge operator that waits for its right side, or 0 */
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
  double n_ids;
  double n_edges;
  GHashTable *nodes;      /* hashes of the names of nodes */
  GHashTable *attributes; /* names before '=' */
} Checker;

static gboolean
fail_at (const Checker *self, gsize offset, const char *what, GError **error)
{
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->path,
                   goban_text_file_line_at (self->text, self->size, offset), what);
  return FALSE;
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

/* The end of the name at self->at, or 0 with @error set: a word, "a string" or <a <b>text</b>>. */
static gsize
find_name_end (const Checker *self, GError **error)
{
  const char *text = self->text;
  gsize i = self->at;
  int depth = 1;

  if (text[i] == '"')
    {
      for (i++; i < self->size && text[i] != '"'; i++)
        i += text[i] == '\\';
      if (i >= self->size)
        return fail_at (self, self->at, "the string that begins here never ends", error);
      return i + 1;
    }

  if (text[i] == '<')
    {
      for (i++; i < self->size && depth > 0; i++)
        depth += (text[i] == '<') - (text[i] == '>');
      if (depth > 0)
        return fail_at (self, self->at, "the text in <> that begins here never ends", error);
      return i;
    }

  while (i < self->size && is_word_byte (text[i]))
    i++;
  return i;
}

gboolean
goban_dot_refuse_nodes (const char *path, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: a graph in DOT or GXL may have at most %d nodes; this one has more",
                       path, GOBAN_DOT_MAX_NODES);
}

/* FNV-1a. Two names of one hash are counted once, which is as rare as it is harmless. */
static gpointer
hash_name (const char *name, gsize length)
{
  gboolean is_quoted = length > 1 && name[0] == '"';
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (gsize i = is_quoted; i < length - is_quoted; i++)
    hash = (hash ^ (guchar) name[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return GSIZE_TO_POINTER ((gsize) hash);
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
      if (c != '{')
        take_operand (self, self->n_ids);
    }
  else if (length == strlen ("subgraph") && g_ascii_strncasecmp (name, "subgraph", length) == 0)
    self->after_subgraph = TRUE;
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
  if (self->depth == MAX_DEPTH)
    return fail_at (self, self->at, "the groups are nested too deep", error);
  if (self->depth == 0)
    self->opened = self->at;
  self->groups[++self->depth] = (Group){ 0 };
  self->after_subgraph = FALSE;
  return TRUE;
}

static gboolean
close_group (Checker *self, GError **error)
{
  double n_ids = self->groups[self->depth].n_ids;

  if (self->depth == 0)
    return fail_at (self, self->at, "this brace closes nothing", error);
  self->depth--;
  self->groups[self->depth].n_ids += n_ids;
  take_operand (self, n_ids);
  return TRUE;
}

static gboolean
take_token (Checker *self, GError **error)
{
  char c = self->text[self->at];

  if (c == '"' || c == '<' || is_word_byte (c))
    {
      gsize start = self->at;
      gsize end = find_name_end (self, error);

      if (end == 0)
        return FALSE;
      self->at = end;
      take_name (self, self->text + start, end - start);
      return TRUE;
    }

  if (c == '{' && !open_group (self, error))
    return FALSE;
  if (c == '}' && !close_group (self, error))
    return FALSE;
  if (c == '[')
    self->n_brackets++;
  if (c == ']' && self->n_brackets > 0)
    self->n_brackets--;
  if (c == '-' && self->at + 1 < self->size
      && (self->text[self->at + 1] == '>' || self->text[self->at + 1] == '-'))
    {
      self->groups[self->depth].tail = self->groups[self->depth].last;
      self->at++;
    }
  self->at++;
  return TRUE;
}

static gboolean
check_proportions (const Checker *self, GError **error)
{
  double n_slots = (self->n_ids + self->n_edges) * g_hash_table_size (self->attributes);

  if (self->n_edges <= MAX_EDGES && n_slots <= MAX_ATTRIBUTE_SLOTS + 16.0 * (double) self->size)
    return TRUE;

  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s: up to %.0f edges and %u attributes are more than fit here", self->path,
                   self->n_edges, g_hash_table_size (self->attributes));
  return FALSE;
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

gboolean
goban_dot_check (const char *text, gsize size, const char *path, gsize *end, GError **error)
{
  g_autoptr (GHashTable) attributes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  g_autofree Checker *checker = g_new0 (Checker, 1);

  checker->text = text;
  checker->size = size;
  checker->path = path;
  checker->attributes = attributes;
  checker->nodes = nodes;
  if (!check_tokens (checker, error))
    return FALSE;
  *end = checker->at;
  return TRUE;
}
