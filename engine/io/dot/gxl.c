/* gxl.c: reader of GXL, the Graph eXchange Language in XML.
 *
 *     <gxl><graph id="g"><node id="a"><type xlink:href="ops.gxl#Conv"/>
 *       <attr name="weight"><float>2.5</float></attr></node>
 *       <edge from="a" to="b"><attr name="bytes"><int>64</int></attr></edge></graph></gxl>
 *
 * Attributes are those of DOT (dot-names.h): the graph is built in cgraph's memory and read from
 * there. A node's type is its operation, unless it has an attribute that says so. Nodes of graphs
 * within nodes count like others; lists as values, and relations of more than two, are passed over.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/dot/dot-check.h"
#include "engine/io/dot/dot-graph.h"
#include "engine/io/dot/dot-lock.h"
#include "engine/io/dot/dot-names.h"
#include "engine/io/formats.h"
#include "engine/io/text.h"

#include <string.h>

#define SNIFFED_BYTES 4096
/* Names of attributes: cgraph has a value of each for every node, or for every edge. */
#define MAX_ATTRIBUTES 256
/* Such values in all, and as many more as the file has bytes; a value takes eight bytes. */
#define MAX_VALUES 60000000u
#define OBJECTS_PER_CHECK 1024

/* A node, or an edge of which the ends may come later. */
typedef struct
{
  gboolean is_edge;
  char *id; /* of a node */
  char *from;
  char *to;
  int line;
  GPtrArray *attributes; /* name, value, name, value ... */
} Object;

typedef struct
{
  const char *path;
  gsize n_bytes; /* of the file */
  const GobanProgress *progress;
  GMarkupParseContext *context;
  GPtrArray *objects; /* Object */
  GPtrArray *open;    /* Object, borrowed: those whose elements are open */
  char *name;         /* (nullable): of the open attribute */
  GString *value;     /* of it; only while an element for it is open */
  gboolean is_value;
  gboolean is_undirected;
  guint n_nodes;
  guint n_graphs; /* that are not within nodes */
  guint n_relations;
  guint depth; /* of elements that are passed over */
} Parsing;

static void
free_object (gpointer data)
{
  Object *self = data;

  g_free (self->id);
  g_free (self->from);
  g_free (self->to);
  g_ptr_array_unref (self->attributes);
  g_free (self);
}

/* --- elements -------------------------------------------------------------------------------- */

static int
get_line (const Parsing *self)
{
  int line, column;

  g_markup_parse_context_get_position (self->context, &line, &column);
  return line;
}

/* (nullable) */
static const char *
find_attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

static void
refuse_element (const Parsing *self, const char *element, const char *attribute, GError **error)
{
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%d: <%s> has no “%s”", self->path, get_line (self),
                   element, attribute);
}

static void
open_object (Parsing *self, const char *element, const char **names, const char **values,
             GError **error)
{
  static const char *const needed[] = { "id", "from", "to" };
  gboolean is_edge = strcmp (element, "edge") == 0;
  Object *object;

  for (guint i = is_edge ? 1 : 0; i < (is_edge ? 3 : 1); i++)
    if (find_attribute (names, values, needed[i]) == NULL)
      {
        refuse_element (self, element, needed[i], error);
        return;
      }
  /* Before memory is taken for them. */
  if (!is_edge && ++self->n_nodes > GOBAN_DOT_MAX_NODES)
    {
      goban_dot_refuse_nodes (self->path, error);
      return;
    }
  object = g_new0 (Object, 1);
  object->is_edge = is_edge;
  object->id = g_strdup (find_attribute (names, values, "id"));
  object->from = g_strdup (find_attribute (names, values, "from"));
  object->to = g_strdup (find_attribute (names, values, "to"));
  object->line = get_line (self);
  object->attributes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->objects, object);
  g_ptr_array_add (self->open, object);
}

static void
add_attribute (Parsing *self, const char *name, const char *value)
{
  Object *object = self->open->len > 0 ? g_ptr_array_index (self->open, self->open->len - 1) : NULL;

  if (object == NULL)
    return;
  g_ptr_array_add (object->attributes, g_strdup (name));
  g_ptr_array_add (object->attributes, g_strstrip (g_strdup (value)));
}

/* "ops.gxl#Conv" is "Conv". */
static void
take_type (Parsing *self, const char **names, const char **values)
{
  const char *reference = find_attribute (names, values, "xlink:href");
  const char *word = reference != NULL ? strrchr (reference, '#') : NULL;

  if (word != NULL && word[1] != '\0')
    add_attribute (self, GOBAN_DOT_OP, word + 1);
}

static void
open_graph (Parsing *self, const char **names, const char **values)
{
  const char *mode = find_attribute (names, values, "edgemode");

  if (self->open->len > 0)
    return;
  if (++self->n_graphs > 1)
    self->depth = 1;
  else
    self->is_undirected = mode != NULL && strstr (mode, "undirected") != NULL;
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer user_data, GError **error)
{
  static const char *const plain[] = { "string", "int", "float", "bool", "enum", NULL };
  static const char *const skipped[] = { "rel", "seq", "set", "bag", "tup", NULL };
  Parsing *self = user_data;

  if (self->depth > 0)
    self->depth++;
  else if (self->is_value)
    self->depth = 1; /* values are of text alone */
  else if (strcmp (element, "node") == 0 || strcmp (element, "edge") == 0)
    open_object (self, element, names, values, error);
  else if (strcmp (element, "graph") == 0)
    open_graph (self, names, values);
  else if (strcmp (element, "type") == 0)
    take_type (self, names, values);
  else if (strcmp (element, "attr") == 0)
    {
      g_clear_pointer (&self->name, g_free);
      self->name = g_strdup (find_attribute (names, values, "name"));
      if (self->name == NULL)
        refuse_element (self, element, "name", error);
    }
  else if (self->name != NULL && g_strv_contains (plain, element))
    {
      g_string_truncate (self->value, 0);
      self->is_value = TRUE;
    }
  else if (g_strv_contains (skipped, element))
    {
      self->n_relations += strcmp (element, "rel") == 0;
      self->depth = 1;
    }
}

static void
end_element (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Parsing *self = user_data;

  if (self->depth > 0)
    self->depth--;
  else if (strcmp (element, "node") == 0 || strcmp (element, "edge") == 0)
    g_ptr_array_set_size (self->open, (int) self->open->len - 1);
  else if (strcmp (element, "attr") == 0)
    g_clear_pointer (&self->name, g_free);
  else if (self->is_value)
    {
      add_attribute (self, self->name, self->value->str);
      self->is_value = FALSE;
    }
  goban_progress_check (self->progress, error);
}

static void
take_text (GMarkupParseContext *context, const char *text, gsize n, gpointer user_data,
           GError **error)
{
  Parsing *self = user_data;

  if (self->is_value && self->depth == 0)
    g_string_append_len (self->value, text, (gssize) n);
}

/* --- building -------------------------------------------------------------------------------- */

static void
set_attributes (const Object *from, void *object, GHashTable *names, guint *n_left_out)
{
  for (guint i = 0; i < from->attributes->len; i += 2)
    {
      char *name = g_ptr_array_index (from->attributes, i);

      if (!g_hash_table_contains (names, name) && g_hash_table_size (names) == MAX_ATTRIBUTES)
        {
          (*n_left_out)++;
          continue;
        }
      g_hash_table_add (names, name);
      agsafeset (object, name, g_ptr_array_index (from->attributes, i + 1), (char *) "");
    }
}

static Agnode_t *
find_end (const char *path, Agraph_t *dot, const Object *edge, const char *id, GError **error)
{
  Agnode_t *node = agnode (dot, (char *) id, FALSE);
  g_autofree char *shown = NULL;

  if (node != NULL)
    return node;
  shown = goban_text_file_excerpt (id);
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%d: there is no node with the id “%s”", path,
                   edge->line, shown);
  return NULL;
}

/* (nullable): a new node. */
static Agnode_t *
add_node (const char *path, Agraph_t *dot, const Object *from, GError **error)
{
  g_autofree char *shown = NULL;

  if (agnode (dot, from->id, FALSE) == NULL)
    return agnode (dot, from->id, TRUE);
  shown = goban_text_file_excerpt (from->id);
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%d: the id “%s” is given twice", path, from->line,
                   shown);
  return NULL;
}

/* (nullable): a new edge. */
static Agedge_t *
add_edge (const char *path, Agraph_t *dot, const Object *from, GError **error)
{
  Agnode_t *tail = find_end (path, dot, from, from->from, error);
  Agnode_t *head = tail != NULL ? find_end (path, dot, from, from->to, error) : NULL;

  return head != NULL ? agedge (dot, tail, head, NULL, TRUE) : NULL;
}

/* A few objects with many attributes must not make all others as large. */
static gboolean
check_values (const Parsing *self, gboolean are_edges, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gsize n_objects = 0, n_values;

  for (guint i = 0; i < self->objects->len; i++)
    {
      const Object *object = g_ptr_array_index (self->objects, i);

      n_objects += object->is_edge == are_edges;
      for (guint k = 0; object->is_edge == are_edges && k < object->attributes->len; k += 2)
        if (g_hash_table_size (names) < MAX_ATTRIBUTES)
          g_hash_table_add (names, g_ptr_array_index (object->attributes, k));
    }
  n_values = n_objects * g_hash_table_size (names);
  if (n_values <= MAX_VALUES + self->n_bytes)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       are_edges ? N_ ("%s: %zu edges with %u attributes are more than fit here")
                                 : N_ ("%s: %zu nodes with %u attributes are more than fit here"),
                       self->path, n_objects, g_hash_table_size (names));
}

/* Nodes come before all edges. */
static gboolean
add_objects (const Parsing *self, Agraph_t *dot, gboolean are_edges, guint *n_left_out,
             GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  if (!check_values (self, are_edges, error))
    return FALSE;
  for (guint i = 0; i < self->objects->len; i++)
    {
      const Object *from = g_ptr_array_index (self->objects, i);
      void *object;

      if (i % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
        return FALSE;
      if (from->is_edge != are_edges)
        continue;
      object = are_edges ? (void *) add_edge (self->path, dot, from, error)
                         : (void *) add_node (self->path, dot, from, error);
      if (object == NULL)
        return FALSE;
      set_attributes (from, object, names, n_left_out);
    }
  return TRUE;
}

static void
warn (const Parsing *self, guint n_left_out, GobanGraphBuilder *builder)
{
  if (self->n_graphs > 1)
    goban_graph_builder_warn (builder, "only the first graph in the file is read");
  if (self->n_relations > 0)
    goban_graph_builder_warn (builder, "%u relations of more than two nodes are left out",
                              self->n_relations);
  if (n_left_out > 0)
    goban_graph_builder_warn (builder, "%u attributes are left out: there are more than %d names",
                              n_left_out, MAX_ATTRIBUTES);
}

static GobanGraph *
build (const Parsing *self, const GobanReadOptions *options, GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (self->path);
  g_autofree char *messages = NULL;
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "gxl");
  guint n_left_out = 0;
  Agraph_t *dot;
  gboolean ok;

  if (!goban_dot_lock (self->progress, error))
    return NULL;
  dot = agopen ((char *) "gxl", self->is_undirected ? Agundirected : Agdirected, NULL);
  ok = add_objects (self, dot, FALSE, &n_left_out, error)
       && add_objects (self, dot, TRUE, &n_left_out, error)
       && goban_dot_read_graph (dot, self->path, options, builder, error);
  agclose (dot);
  messages = goban_dot_unlock ();
  warn (self, n_left_out, builder);
  return ok ? goban_text_file_finish_graph (builder, self->path, error) : NULL;
}

/* --- the reader ------------------------------------------------------------------------------ */

/* GLib's message begins with a line and a column in its own language, and may quote a part of a
 * character. */
static void
set_error (const Parsing *self, const GError *reason, GError **error)
{
  const char *colon = strstr (reason->message, ": ");
  g_autofree char *what = g_utf8_make_valid (colon != NULL ? colon + 2 : reason->message, -1);

  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%d: %s", self->path, get_line (self), what);
}

static gboolean
parse (Parsing *self, const char *data, gsize size, GError **error)
{
  static const GMarkupParser parser
      = { .start_element = start_element, .end_element = end_element, .text = take_text };
  g_autoptr (GMarkupParseContext) context
      = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, self, NULL);
  g_autoptr (GError) reason = NULL;

  self->context = context;
  if (g_markup_parse_context_parse (context, data, (gssize) size, &reason)
      && g_markup_parse_context_end_parse (context, &reason))
    return TRUE;
  if (reason->domain == GOBAN_ERROR)
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    set_error (self, reason, error);
  return FALSE;
}

/* XML may name another encoding than UTF-8 on its first line. @text: (out) (transfer full)
 * (nullable): the text in UTF-8, of *@size bytes; NULL if @data is to be read as it is */
static gboolean
decode (const char *data, gsize *size, const char *path, char **text, GError **error)
{
  static const char key[] = "encoding=";
  const char *end = *size > 5 && memcmp (data, "<?xml", 5) == 0 ? memchr (data, '>', *size) : NULL;
  const char *found = end != NULL ? g_strstr_len (data, end - data, key) : NULL;
  g_autofree char *encoding = NULL;
  gsize n = 0;

  *text = NULL;
  if (found == NULL || g_utf8_validate_len (data, *size, NULL))
    return TRUE;
  found = MIN (found + strlen (key) + 1, end); /* with the quote */
  encoding = g_strndup (found, (gsize) MIN (end - found, 40));
  encoding[strcspn (encoding, "\"' ?")] = '\0';
  if (g_ascii_strcasecmp (encoding, "UTF-8") == 0)
    return TRUE;
  *text = g_convert (data, (gssize) *size, "UTF-8", encoding, NULL, &n, NULL);
  *size = n;
  return *text != NULL
         || goban_refuse (error, GOBAN_ERROR_PARSE,
                          "%s:1: the text is not in the encoding “%s” that it names: save it as "
                          "UTF-8",
                          path, encoding);
}

/* --- entities -------------------------------------------------------------------------------- */

#define MAX_ENTITY_DEPTH 16

/* GMarkup knows only XML's own entities. Those that the file declares before its root element,
 * <!ENTITY name "text">, by name; NULL if there are none. */
static GHashTable *
find_entities (const char *data, gsize size)
{
  const char *root = g_strstr_len (data, (gssize) size, "<gxl");
  g_autoptr (GRegex) regex
      = g_regex_new ("<!ENTITY\\s+([^\\s%\"'>]+)\\s+(?|\"([^\"]*)\"|'([^']*)')\\s*>",
                     G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GHashTable) entities = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (root != NULL)
    for (g_regex_match_full (regex, data, root - data, 0, G_REGEX_MATCH_DEFAULT, &match, NULL);
         g_match_info_matches (match); g_match_info_next (match, NULL))
      g_hash_table_insert (entities, g_match_info_fetch (match, 1), g_match_info_fetch (match, 2));
  return g_hash_table_size (entities) > 0 ? g_steal_pointer (&entities) : NULL;
}

typedef struct
{
  GHashTable *entities;
  GString *out;
  gsize left; /* of the work that is allowed: bytes, and those of an entity's mention */
} Expansion;

/* FALSE if there is too much of it. */
static gboolean
expand_bytes (Expansion *self, const char *text, gsize n)
{
  if (n > self->left)
    return FALSE;
  self->left -= n;
  g_string_append_len (self->out, text, (gssize) n);
  return TRUE;
}

/* Adds @text with its entities written out, and CDATA as it is. Leaves alone what is nested too
 * deeply, as an entity that contains itself. */
static gboolean
expand (Expansion *self, const char *text, gsize n, guint depth)
{
  const char *end = text + n;
  const char *plain = g_strstr_len (text, (gssize) n, "<![CDATA[");

  while (text < end)
    {
      const char *sign = memchr (text, '&', (gsize) (end - text));
      const char *to = sign != NULL ? sign : end;
      const char *semicolon
          = sign != NULL ? memchr (sign, ';', (gsize) MIN (end - sign, 256)) : NULL;
      const char *value = NULL;

      if (plain != NULL && plain < to)
        {
          to = g_strstr_len (plain, end - plain, "]]>");
          to = to != NULL ? to : end;
          plain = g_strstr_len (to, end - to, "<![CDATA[");
          if (!expand_bytes (self, text, (gsize) (to - text)))
            return FALSE;
          text = to;
          continue;
        }
      if (semicolon != NULL && depth < MAX_ENTITY_DEPTH)
        {
          g_autofree char *name = g_strndup (sign + 1, (gsize) (semicolon - sign - 1));

          value = g_hash_table_lookup (self->entities, name);
        }
      if (sign != NULL && value == NULL)
        to++;
      if (!expand_bytes (self, text, (gsize) (to - text)))
        return FALSE;
      text = to;
      if (value != NULL)
        {
          gsize mention = (gsize) (semicolon + 1 - sign);

          text = semicolon + 1;
          if (mention > self->left)
            return FALSE;
          self->left -= mention;
          if (!expand (self, value, strlen (value), depth + 1))
            return FALSE;
        }
    }
  return TRUE;
}

/* @text: (inout): freed and replaced if the file declares entities; NULL: @data is the text */
static gboolean
write_out_entities (const char *data, gsize *size, const char *path, char **text, GError **error)
{
  g_autoptr (GHashTable) entities = find_entities (data, *size);
  Expansion self = { .entities = entities, .left = 16 * *size + ((gsize) 1 << 20) };

  if (entities == NULL)
    return TRUE;
  self.out = g_string_sized_new (*size);
  if (!expand (&self, data, *size, 0))
    {
      g_string_free (self.out, TRUE);
      return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                           "%s: its entities make more text of it than fits here", path);
    }
  g_free (*text);
  *size = self.out->len;
  *text = g_string_free (self.out, FALSE);
  return TRUE;
}

static GobanGraph *
read_gxl (const char *data, gsize size, const char *path, const GobanReadOptions *options,
          GError **error)
{
  g_autoptr (GPtrArray) objects = g_ptr_array_new_with_free_func (free_object);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GString) value = g_string_new (NULL);
  Parsing self = { .path = path,
                   .n_bytes = size,
                   .progress = options->progress,
                   .objects = objects,
                   .open = open,
                   .value = value };
  g_autofree char *text = NULL;
  gboolean ok = decode (data, &size, path, &text, error);

  if (text != NULL)
    data = text;
  ok = ok && goban_text_file_check (data, size, path, error)
       && write_out_entities (data, &size, path, &text, error)
       && parse (&self, text != NULL ? text : data, size, error);
  g_free (self.name);
  return ok ? build (&self, options, error) : NULL;
}

static int
sniff (const char *head, gsize size, const char *path)
{
  gsize n = MIN (size, SNIFFED_BYTES);
  const char *start = g_strstr_len (head, (gssize) n, "<gxl");
  gsize at = start != NULL ? (gsize) (start - head) + strlen ("<gxl") : n;
  gsize first = 0;

  while (first < n && (g_ascii_isspace (head[first]) || (guchar) head[first] >= 0x80))
    first++;
  return at < n && head[first] == '<' && (head[at] == '>' || g_ascii_isspace (head[at])) ? 90 : 0;
}

const GobanFormat goban_format_gxl = {
  .name = "gxl",
  .extensions = ".gxl",
  .blurb = "GXL, a graph format in XML, with the attributes of DOT",
  .most_bytes = (gsize) 256 << 20, /* cgraph takes a kilobyte for a node */
  .sniff = sniff,
  .read = read_gxl,
};
