#include "engine/io/dot/dot-graph.h"

#include <graphviz/cgraph.h>
#include <math.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/quantity.h"
#include "engine/io/dot/dot-names.h"
#include "engine/io/dot/dot-op.h"
#include "engine/io/node-fields.h"
#include "engine/io/pipedream-fields.h"
#include "engine/io/text.h"

/* --- labels of XLA and PipeDream ------------------------------------------ */

/* XLA: "convert.1402 \n f32[30522,16]", the name, a backslash and an n, the shape and sometimes the
 * start of the instruction. PipeDream: a description, a line end, and
 * "[forward_compute_time=...,...]". Any other label is ignored. */

#define GOBAN_DOT_MAX_DIMS 32

typedef struct
{
  char *op; /* owned, (nullable) */
  gboolean has_fields;
  GobanPipedreamFields fields; /* of PipeDream */
  gboolean has_shape;
  double size_bytes; /* of XLA; of all parts if it is a tuple */
  char dtype[8];     /* "" for a tuple */
  gint64 dims[GOBAN_DOT_MAX_DIMS];
  guint n_dims;
} GobanDotLabel;

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

/* Never fails: unknown parts are ignored. Clear @self afterwards. */
static void
dot_label_parse (GobanDotLabel *self, const char *label)
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

static void
dot_label_clear (GobanDotLabel *self)
{
  g_clear_pointer (&self->op, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanDotLabel, dot_label_clear)

/* --- attributes ----------------------------------------------------------- */

/* Borrows from the graph: valid while it is open, under the lock of dot-lock.h. */

/* An attribute under its names, of which the first that is set counts. */
typedef struct
{
  Agsym_t *const *symbols; /* NULL-terminated */
} GobanDotAttribute;

/* "time:gpu" of nodes, "time:gpu>cpu" of edges. */
typedef struct
{
  Agsym_t *symbol;
  char *from; /* owned; the kind itself for nodes */
  char *to;   /* owned; NULL for nodes */
} GobanDotKindTime;

typedef struct
{
  const char *path; /* borrowed, for messages */
  double unit_us;   /* of times without a unit */
  GobanDotAttribute op, label, time, bytes, memory, colocation, phase, time_source, size_source;
  GobanDotAttribute fields[GOBAN_N_NODE_FIELDS];
  GobanDotAttribute edge_time, edge_bytes, edge_tensor, edge_control;
  GPtrArray *symbols; /* GPtrArray, those of all attributes */
  GArray *node_kinds; /* GobanDotKindTime */
  GArray *edge_kinds; /* GobanDotKindTime */
} GobanDotAttributes;

#define MAX_NAMES_LISTED 8

/* Other tools write "Weight" or "WEIGHT". Every spelling of the first name goes before the second
 * name, and the exact one before the others. */
static GobanDotAttribute
find_attribute (GobanDotAttributes *self, Agraph_t *dot, int kind, const char *const *names)
{
  GPtrArray *symbols = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint first = symbols->len;

      for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL;)
        if (strcmp (symbol->name, names[i]) == 0)
          g_ptr_array_insert (symbols, (int) first, symbol);
        else if (g_ascii_strcasecmp (symbol->name, names[i]) == 0)
          g_ptr_array_add (symbols, symbol);
    }
  g_ptr_array_add (symbols, NULL);
  g_ptr_array_add (self->symbols, symbols);
  return (GobanDotAttribute){ (Agsym_t *const *) symbols->pdata };
}

#define FIND(kind, ...) find_attribute (self, dot, kind, (const char *const[]){ __VA_ARGS__, NULL })

static void
find_attributes (GobanDotAttributes *self, Agraph_t *dot)
{
  self->op = FIND (AGNODE, GOBAN_DOT_OP);
  self->label = FIND (AGNODE, "label");
  self->time = FIND (AGNODE, GOBAN_DOT_TIMES);
  self->bytes = FIND (AGNODE, GOBAN_DOT_SIZES);
  self->memory = FIND (AGNODE, GOBAN_DOT_MEMORY);
  self->colocation = FIND (AGNODE, GOBAN_DOT_COLOCATION);
  self->phase = FIND (AGNODE, GOBAN_DOT_PHASE);
  self->time_source = FIND (AGNODE, GOBAN_DOT_TIME_SOURCE);
  self->size_source = FIND (AGNODE, GOBAN_DOT_SIZE_SOURCE);
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    self->fields[i] = FIND (AGNODE, goban_node_fields[i].name);

  self->edge_time = FIND (AGEDGE, GOBAN_DOT_TIMES);
  self->edge_bytes = FIND (AGEDGE, GOBAN_DOT_SIZES);
  self->edge_tensor = FIND (AGEDGE, GOBAN_DOT_TENSOR);
  self->edge_control = FIND (AGEDGE, GOBAN_DOT_CONTROL);
}

static void
clear_kind_time (gpointer data)
{
  GobanDotKindTime *time = data;

  g_free (time->from);
  g_free (time->to);
}

/* The last time that is read counts, so the exact prefix comes last. */
static void
find_kinds (Agraph_t *dot, int kind, gboolean is_exact, GArray *found)
{
  gsize n = strlen (GOBAN_DOT_TIME_PREFIX);

  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL;)
    {
      g_auto (GStrv) parts = NULL;
      GobanDotKindTime time = { .symbol = symbol };

      if (g_ascii_strncasecmp (symbol->name, GOBAN_DOT_TIME_PREFIX, n) != 0
          || g_str_has_prefix (symbol->name, GOBAN_DOT_TIME_PREFIX) != is_exact)
        continue;
      parts = g_strsplit (symbol->name + n, ">", 2);
      if (parts[0] == NULL || (kind == AGEDGE) != (parts[1] != NULL))
        continue;
      time.from = g_strdup (parts[0]);
      time.to = g_strdup (parts[1]);
      g_array_append_val (found, time);
    }
}

static void
free_symbols (gpointer data)
{
  g_ptr_array_free (data, TRUE);
}

static void
dot_attributes_init (GobanDotAttributes *self, Agraph_t *dot, const char *path, double unit_us)
{
  *self = (GobanDotAttributes){ .path = path, .unit_us = unit_us };
  self->node_kinds = g_array_new (FALSE, FALSE, sizeof (GobanDotKindTime));
  self->edge_kinds = g_array_new (FALSE, FALSE, sizeof (GobanDotKindTime));
  g_array_set_clear_func (self->node_kinds, clear_kind_time);
  g_array_set_clear_func (self->edge_kinds, clear_kind_time);
  self->symbols = g_ptr_array_new_with_free_func (free_symbols);
  find_attributes (self, dot);
  for (guint is_exact = 0; is_exact < 2; is_exact++)
    {
      find_kinds (dot, AGNODE, is_exact, self->node_kinds);
      find_kinds (dot, AGEDGE, is_exact, self->edge_kinds);
    }
}

static void
dot_attributes_clear (GobanDotAttributes *self)
{
  g_clear_pointer (&self->node_kinds, g_array_unref);
  g_clear_pointer (&self->edge_kinds, g_array_unref);
  g_clear_pointer (&self->symbols, g_ptr_array_unref);
}

/* The names of all attributes of nodes or edges in the file, as displayed, "" for none. */
static char *
dot_attributes_list (Agraph_t *dot, int kind)
{
  GString *list = g_string_new (NULL);
  guint n = 0;

  for (Agsym_t *symbol = NULL; (symbol = agnxtattr (dot, kind, symbol)) != NULL; n++)
    {
      g_autofree char *shown = goban_text_file_excerpt (symbol->name);

      if (n < MAX_NAMES_LISTED)
        g_string_append_printf (list, "%s“%s”", n > 0 ? ", " : "", shown);
      else if (n == MAX_NAMES_LISTED)
        g_string_append (list, ", …");
    }
  return g_string_free (list, FALSE);
}

/* The number of kinds of device named, "*" among them. */
static guint
dot_attributes_count_kinds (const GobanDotAttributes *self)
{
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_add (kinds, (gpointer) GOBAN_ANY_KIND);
  for (guint i = 0; i < self->node_kinds->len; i++)
    g_hash_table_add (kinds, g_array_index (self->node_kinds, GobanDotKindTime, i).from);
  for (guint i = 0; i < self->edge_kinds->len; i++)
    {
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, GobanDotKindTime, i).from);
      g_hash_table_add (kinds, g_array_index (self->edge_kinds, GobanDotKindTime, i).to);
    }
  return g_hash_table_size (kinds);
}

/* The value of a node or edge, or NULL if it is not set. */
static const char *
dot_get_value (void *object, const GobanDotAttribute *attribute)
{
  for (guint i = 0; attribute->symbols[i] != NULL; i++)
    {
      const char *value = agxget (object, attribute->symbols[i]);

      if (value != NULL && *value != '\0')
        return value;
    }
  return NULL;
}

/* Set a %GOBAN_ERROR_PARSE "path: node “a”: “value” is not a valid what" and return %FALSE. */
static gboolean
dot_fail_node (const GobanDotAttributes *self, Agnode_t *object, GError **error, const char *what,
               const char *value)
{
  g_autofree char *name = goban_text_file_excerpt (agnameof (object));
  g_autofree char *shown = goban_text_file_excerpt (value);

  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node “%s”: “%s” is not a valid %s",
                       self->path, name, shown, what);
}

static gboolean
dot_fail_edge (const GobanDotAttributes *self, Agedge_t *object, GError **error, const char *what,
               const char *value)
{
  g_autofree char *tail = goban_text_file_excerpt (agnameof (agtail (object)));
  g_autofree char *head = goban_text_file_excerpt (agnameof (aghead (object)));
  g_autofree char *shown = goban_text_file_excerpt (value);

  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: edge “%s” -> “%s”: “%s” is not a valid %s",
                       self->path, tail, head, shown, what);
}

/* A number in the reader's unit, or one with a unit of its own. */
static gboolean
dot_parse_time (const GobanDotAttributes *self, const char *value, double *time_us)
{
  double number;

  if (goban_text_file_parse_amount (value, &number))
    {
      *time_us = number * self->unit_us;
      return isfinite (*time_us);
    }
  return goban_parse_time (value, time_us, NULL /* the caller says it better */)
         && isfinite (*time_us);
}

static gboolean
dot_parse_bytes (const char *value, double *size_bytes)
{
  return goban_parse_bytes (value, size_bytes, NULL /* the caller says it better */)
         && isfinite (*size_bytes);
}

#define OBJECTS_PER_CHECK 1024

/* State of a node of the file. */
typedef struct
{
  guint32 first_tensor; /* of the outputs it declares, or of the one its edges share */
  guint n_tensors;
  double size_bytes;    /* of the first of them, made or not */
  gboolean is_declared; /* the file says that size */
  gboolean is_shared;   /* some edge carries the first output */
  gboolean has_own;     /* some edge carries a tensor of its own */
  gboolean is_xla;      /* its bytes come from a shape, so its memory traffic can be estimated */
} Made;

typedef struct
{
  Agraph_t *dot;
  const char *path;
  const GobanProgress *progress;
  GobanGraphBuilder *builder;
  GHashTable *nodes;        /* Agnode_t -> node + 1 */
  GHashTable *colocations;  /* word -> key */
  GArray *made;             /* Made, one per node */
  GPtrArray *edges;         /* Agedge_t, in the order of the file */
  Agsym_t *direction;       /* (nullable): the attribute "dir" of edges */
  gboolean turns_arrowless; /* edges without an arrow are read from head to tail */
  guint n_tensors;

  GobanDotAttributes attributes;
} Reader;

/* --- nodes --------------------------------------------------------------------- */

static gboolean
set_time (Reader *self, Agnode_t *object, guint32 node, const char *kind, const char *value,
          GError **error)
{
  double time_us = INFINITY;

  if (strcmp (value, GOBAN_DOT_NEVER) != 0 && !dot_parse_time (&self->attributes, value, &time_us))
    return dot_fail_node (&self->attributes, object, error, "time", value);
  goban_graph_builder_set_time (self->builder, node, kind, time_us, GOBAN_SOURCE_GIVEN);
  return TRUE;
}

static gboolean
read_times (Reader *self, Agnode_t *object, guint32 node, GError **error)
{
  const char *value = dot_get_value (object, &self->attributes.time);

  if (value != NULL && !set_time (self, object, node, GOBAN_ANY_KIND, value, error))
    return FALSE;

  for (guint i = 0; i < self->attributes.node_kinds->len; i++)
    {
      const GobanDotKindTime *time
          = &g_array_index (self->attributes.node_kinds, GobanDotKindTime, i);

      value = agxget (object, time->symbol);
      if (*value != '\0' && !set_time (self, object, node, time->from, value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_numbers (Reader *self, Agnode_t *object, guint32 node, GError **error)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  const char *value = dot_get_value (object, &self->attributes.memory);

  if (value != NULL)
    {
      if (!dot_parse_bytes (value, &filled->param_bytes))
        return dot_fail_node (&self->attributes, object, error, "size", value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  for (guint i = 0; i < GOBAN_N_NODE_FIELDS; i++)
    {
      value = dot_get_value (object, &self->attributes.fields[i]);
      if (value == NULL)
        continue;
      if (!goban_text_file_parse_amount (
              value, (double *) G_STRUCT_MEMBER_P (filled, goban_node_fields[i].offset)))
        return dot_fail_node (&self->attributes, object, error, goban_node_fields[i].name, value);
      filled->size_source = GOBAN_SOURCE_GIVEN;
    }
  return TRUE;
}

static int
read_word (Agnode_t *object, const GobanDotAttribute *attribute, const char *const *words,
           guint n_words)
{
  const char *value = dot_get_value (object, attribute);

  return value != NULL ? goban_find_word (words, n_words, value) : -1;
}

/* Words that are not ours, such as another tool's "phase", are passed over. */
static void
read_marks (Reader *self, Agnode_t *object, guint32 node)
{
  GobanNode *filled = goban_graph_builder_get_node (self->builder, node);
  const char *colocation = dot_get_value (object, &self->attributes.colocation);
  int time_source
      = read_word (object, &self->attributes.time_source, goban_source_names, GOBAN_N_SOURCES);
  int size_source
      = read_word (object, &self->attributes.size_source, goban_source_names, GOBAN_N_SOURCES);
  int phase = read_word (object, &self->attributes.phase, goban_phase_names, GOBAN_N_PHASES);

  if (time_source >= 0)
    filled->time_source = time_source;
  if (size_source >= 0)
    filled->size_source = size_source;
  if (phase >= 0)
    filled->phase = phase;
  if (colocation != NULL)
    {
      gpointer key = g_hash_table_lookup (self->colocations, colocation);

      if (key == NULL)
        {
          key = GUINT_TO_POINTER (g_hash_table_size (self->colocations) + 1);
          g_hash_table_insert (self->colocations, g_strdup (colocation), key);
        }
      goban_graph_builder_set_group (self->builder, node, GPOINTER_TO_UINT (key));
    }
}

static guint32
add_tensor (Reader *self, guint32 node, double size_bytes)
{
  self->n_tensors++;
  return goban_graph_builder_add_tensor (self->builder, node, size_bytes);
}

/* "64" or "64,128": several are made at once, one waits for what the edges say. */
static gboolean
read_outputs (Reader *self, Agnode_t *object, guint32 node, Made *made, GError **error)
{
  const char *value = dot_get_value (object, &self->attributes.bytes);
  g_auto (GStrv) parts = NULL;

  if (value == NULL)
    return TRUE;

  goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
  parts = g_strsplit (value, ",", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      double size_bytes;
      guint32 tensor;

      if (!dot_parse_bytes (parts[i], &size_bytes))
        return dot_fail_node (&self->attributes, object, error, "size", value);
      if (i == 0)
        made->size_bytes = size_bytes;
      made->is_declared = TRUE;
      if (parts[1] == NULL)
        continue;
      tensor = add_tensor (self, node, size_bytes);
      if (i == 0)
        made->first_tensor = tensor;
      made->n_tensors++;
    }
  return TRUE;
}

static void
use_label (Reader *self, guint32 node, const GobanDotLabel *label, Made *made)
{
  if (label->has_fields)
    {
      made->first_tensor = goban_pipedream_fill_node (self->builder, node, &label->fields);
      made->n_tensors = 1;
      made->size_bytes = label->fields.activation_bytes;
      self->n_tensors++;
    }
  else if (label->has_shape)
    {
      made->first_tensor = add_tensor (self, node, label->size_bytes);
      made->n_tensors = 1;
      made->size_bytes = label->size_bytes;
      made->is_xla = TRUE;
      if (*label->dtype != '\0')
        goban_graph_builder_set_tensor_shape (self->builder, made->first_tensor, label->dtype,
                                              label->dims, label->n_dims);
      goban_graph_builder_get_node (self->builder, node)->size_source = GOBAN_SOURCE_GIVEN;
    }
}

static gboolean
read_node (Reader *self, Agnode_t *object, GError **error)
{
  const char *name = agnameof (object);
  const char *op = dot_get_value (object, &self->attributes.op);
  const char *text = dot_get_value (object, &self->attributes.label);
  g_autofree char *likely = NULL;
  g_auto (GobanDotLabel) label = { 0 };
  Made made = { .first_tensor = GOBAN_NO_TENSOR };
  guint32 node;

  if (text != NULL)
    dot_label_parse (&label, text);
  if (op == NULL && label.op == NULL)
    likely = goban_dot_dup_op (name, text, text != NULL && aghtmlstr ((char *) text));
  node = goban_graph_builder_add_node (self->builder, name,
                                       op != NULL         ? op
                                       : label.op != NULL ? label.op
                                                          : likely);
  g_hash_table_insert (self->nodes, object, GUINT_TO_POINTER (node + 1));

  if (dot_get_value (object, &self->attributes.bytes) == NULL)
    use_label (self, node, &label, &made);
  if (!read_outputs (self, object, node, &made, error) || !read_numbers (self, object, node, error)
      || !read_times (self, object, node, error))
    return FALSE;
  read_marks (self, object, node);
  g_array_append_val (self->made, made);
  return TRUE;
}

/* --- edges ----------------------------------------------------------------------- */

static gboolean
has_own_times (Reader *self, Agedge_t *object)
{
  for (guint i = 0; i < self->attributes.edge_kinds->len; i++)
    if (*agxget (object, g_array_index (self->attributes.edge_kinds, GobanDotKindTime, i).symbol)
        != '\0')
      return TRUE;
  return dot_get_value (object, &self->attributes.edge_time) != NULL;
}

static gboolean
read_transfers (Reader *self, Agedge_t *object, guint32 tensor, GError **error)
{
  const char *value = dot_get_value (object, &self->attributes.edge_time);
  double time_us;

  if (value != NULL)
    {
      if (!dot_parse_time (&self->attributes, value, &time_us))
        return dot_fail_edge (&self->attributes, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, GOBAN_ANY_KIND, GOBAN_ANY_KIND,
                                        time_us);
    }
  for (guint i = 0; i < self->attributes.edge_kinds->len; i++)
    {
      const GobanDotKindTime *time
          = &g_array_index (self->attributes.edge_kinds, GobanDotKindTime, i);

      value = agxget (object, time->symbol);
      if (*value == '\0')
        continue;
      if (!dot_parse_time (&self->attributes, value, &time_us))
        return dot_fail_edge (&self->attributes, object, error, "time", value);
      goban_graph_builder_set_transfer (self->builder, tensor, time->from, time->to, time_us);
    }
  return TRUE;
}

static gboolean
is_control (Reader *self, Agedge_t *object)
{
  const char *control = dot_get_value (object, &self->attributes.edge_control);

  return control != NULL && strcmp (control, "true") == 0;
}

static gboolean
has_value (Agedge_t *object, Agsym_t *attribute, const char *value)
{
  return attribute != NULL && strcmp (agxget (object, attribute), value) == 0;
}

/* Whether data flows from the head to the tail: the arrow is at the tail, as MXNet draws it, or
 * nowhere. */
static gboolean
is_backward (Reader *self, Agedge_t *object)
{
  return has_value (object, self->direction, "back")
         || (self->turns_arrowless && has_value (object, self->direction, "none"));
}

static guint32
index_of (Reader *self, Agnode_t *object)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, object)) - 1;
}

static guint32
head_of (Reader *self, Agedge_t *object)
{
  return index_of (self, is_backward (self, object) ? agtail (object) : aghead (object));
}

static guint32
tail_of (Reader *self, Agedge_t *object)
{
  return index_of (self, is_backward (self, object) ? aghead (object) : agtail (object));
}

/* Learns which nodes' edges share a tensor, and makes it before any edge is read, so that
 * outputs come in the same order whatever that of the edges. */
static void
make_shared_tensors (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      Agedge_t *object = g_ptr_array_index (self->edges, i);
      Made *made = &g_array_index (self->made, Made, tail_of (self, object));

      if (is_control (self, object))
        continue;
      if (dot_get_value (object, &self->attributes.edge_tensor) == NULL
          && (dot_get_value (object, &self->attributes.edge_bytes) != NULL
              || has_own_times (self, object)))
        made->has_own = TRUE;
      else
        made->is_shared = TRUE;
    }

  for (guint32 v = 0; v < self->made->len; v++)
    {
      Made *made = &g_array_index (self->made, Made, v);

      /* An output without readers takes memory all the same if it is declared; one that only states
       * the size of edges with times of their own does not. */
      if (made->n_tensors == 0 && (made->is_shared || (made->is_declared && !made->has_own)))
        {
          made->first_tensor = add_tensor (self, v, made->size_bytes);
          made->n_tensors = 1;
        }
    }
}

static gboolean
find_tensor (Reader *self, Agedge_t *object, guint32 tail, guint32 *tensor, GError **error)
{
  const Made *made = &g_array_index (self->made, Made, tail);
  const char *index_text = dot_get_value (object, &self->attributes.edge_tensor);
  const char *bytes_text = dot_get_value (object, &self->attributes.edge_bytes);
  double size_bytes = made->size_bytes;
  guint64 index = 0;

  if (bytes_text != NULL && !dot_parse_bytes (bytes_text, &size_bytes))
    return dot_fail_edge (&self->attributes, object, error, "size", bytes_text);

  if (index_text != NULL)
    {
      if (!goban_text_file_parse_id (index_text, &index) || index >= made->n_tensors)
        return dot_fail_edge (&self->attributes, object, error, "output of its tail", index_text);
      *tensor = made->first_tensor + (guint32) index;
      if (bytes_text != NULL)
        goban_graph_builder_set_tensor_size (self->builder, *tensor, size_bytes);
    }
  else if (bytes_text != NULL || has_own_times (self, object))
    *tensor = add_tensor (self, tail, size_bytes);
  else
    *tensor = made->first_tensor;
  return TRUE;
}

static gboolean
read_edge (Reader *self, Agedge_t *object, GError **error)
{
  guint32 tail = tail_of (self, object);
  guint32 head = head_of (self, object);
  guint32 tensor = GOBAN_NO_TENSOR;

  if (is_control (self, object))
    tensor = goban_graph_builder_add_control_tensor (self->builder, tail);
  else if (!find_tensor (self, object, tail, &tensor, error))
    return FALSE;
  goban_graph_builder_add_edge (self->builder, tensor, head);
  return read_transfers (self, object, tensor, error);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Agedge_t *x = *(Agedge_t *const *) a, *y = *(Agedge_t *const *) b;

  return AGSEQ (x) < AGSEQ (y) ? -1 : AGSEQ (x) > AGSEQ (y);
}

/* Whether the edges make a cycle, by taking away nodes that no edge leads to. */
static gboolean
is_cyclic (Reader *self)
{
  guint n = self->made->len, n_taken = 0;
  g_autofree guint32 *first = g_new0 (guint32, n + 2);
  g_autofree guint32 *heads = g_new (guint32, self->edges->len + 1);
  g_autofree guint32 *n_waits = g_new0 (guint32, n + 1);
  g_autofree guint32 *taken = g_new (guint32, n + 1);

  for (guint i = 0; i < self->edges->len; i++)
    {
      first[tail_of (self, g_ptr_array_index (self->edges, i)) + 2]++;
      n_waits[head_of (self, g_ptr_array_index (self->edges, i))]++;
    }
  for (guint v = 0; v < n; v++)
    first[v + 2] += first[v + 1];
  for (guint i = 0; i < self->edges->len; i++)
    {
      Agedge_t *edge = g_ptr_array_index (self->edges, i);

      heads[first[tail_of (self, edge) + 1]++] = head_of (self, edge);
    }
  for (guint32 v = 0; v < n; v++)
    if (n_waits[v] == 0)
      taken[n_taken++] = v;
  for (guint at = 0; at < n_taken; at++)
    for (guint32 k = first[taken[at]]; k < first[taken[at] + 1]; k++)
      if (--n_waits[heads[k]] == 0)
        taken[n_taken++] = heads[k];
  return n_taken < n;
}

/* cgraph hands out the edges of a node by their heads; the inputs of a node are to keep
 * the order of the file. Invisible edges only push nodes apart. If some edges have no arrow,
 * as those of torchviz from an operation to a tensor that it saved, their heads are the inputs. */
static void
gather_edges (Reader *self)
{
  Agsym_t *style = agattr (self->dot, AGEDGE, (char *) "style", NULL);
  guint n_without = 0;

  self->direction
      = agisdirected (self->dot) ? agattr (self->dot, AGEDGE, (char *) "dir", NULL) : NULL;
  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    for (Agedge_t *edge = agfstout (self->dot, object); edge != NULL;
         edge = agnxtout (self->dot, edge))
      if (!has_value (edge, style, "invis"))
        {
          g_ptr_array_add (self->edges, edge);
          n_without += has_value (edge, self->direction, "none");
        }
  g_ptr_array_sort (self->edges, compare_edges);
  self->turns_arrowless = n_without > 0 && n_without < self->edges->len;
  self->turns_arrowless = self->turns_arrowless && !is_cyclic (self);
}

/* --- the whole ------------------------------------------------------------------- */

/* XLA's graphs have shapes and no times: the bytes that an instruction reads and writes are known,
 * so its time can be estimated. An instruction without inputs (a parameter or constant) moves
 * nothing. */
static void
estimate_traffic (Reader *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      Agedge_t *object = g_ptr_array_index (self->edges, i);
      guint32 head = head_of (self, object);
      const Made *from = &g_array_index (self->made, Made, tail_of (self, object));
      const Made *to = &g_array_index (self->made, Made, head);
      GobanNode *reader = goban_graph_builder_get_node (self->builder, head);

      if (!from->is_xla || !to->is_xla)
        continue;
      reader->read_bytes += from->size_bytes;
      reader->written_bytes = to->size_bytes;
    }
}

/* Every run of such a graph takes no time at all, which is hardly intended. */
static void
warn_of_no_weights (Reader *self)
{
  g_autofree char *names = dot_attributes_list (self->dot, AGNODE);

  goban_graph_builder_warn (
      self->builder,
      "no node has a weight that is known here, so all run in no time: times are "
      "“time”, “weight” or “cost”, sizes “bytes” or “size”; %s%s",
      *names != '\0' ? "its nodes have " : "its nodes have no attributes", names);
}

static void
note_oddities (Reader *self)
{
  guint n_nodes = self->made->len;
  guint n_timed = 0;
  guint n_xla = 0;
  guint n_bare = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_builder_get_node (self->builder, v);

      n_timed += node->time_source != GOBAN_SOURCE_ESTIMATED;
      n_xla += g_array_index (self->made, Made, v).is_xla;
      n_bare += node->time_source == GOBAN_SOURCE_ESTIMATED
                && node->size_source == GOBAN_SOURCE_ESTIMATED;
    }
  if (n_timed > 0 && n_timed < n_nodes)
    goban_graph_builder_warn (self->builder, "%u of its %u nodes have no time", n_nodes - n_timed,
                              n_nodes);
  if (n_timed == 0 && n_xla > 0)
    goban_graph_builder_warn (self->builder, "it has shapes and no times: times are estimated "
                                             "from the bytes each node reads and writes");
  if (n_timed == 0 && n_bare == n_nodes)
    warn_of_no_weights (self);
  else if (n_timed == 0 && n_bare > 0)
    goban_graph_builder_warn (self->builder, "%u of its %u nodes have neither time nor size",
                              n_bare, n_nodes);
  if (!agisdirected (self->dot))
    goban_graph_builder_warn (self->builder, "the graph is undirected; its edges are read from "
                                             "left to right");
}

static gboolean
read_objects (Reader *self, GError **error)
{
  for (Agnode_t *object = agfstnode (self->dot); object != NULL;
       object = agnxtnode (self->dot, object))
    if ((self->made->len % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
        || !read_node (self, object, error))
      return FALSE;

  gather_edges (self);
  make_shared_tensors (self);
  for (guint i = 0; i < self->edges->len; i++)
    if ((i % OBJECTS_PER_CHECK == 0 && !goban_progress_check (self->progress, error))
        || !read_edge (self, g_ptr_array_index (self->edges, i), error))
      return FALSE;

  estimate_traffic (self);
  note_oddities (self);
  return TRUE;
}

static gboolean
read_graph (Reader *self, double unit_us, GError **error)
{
  guint n_kinds;
  gboolean ok;

  dot_attributes_init (&self->attributes, self->dot, self->path, unit_us);
  n_kinds = dot_attributes_count_kinds (&self->attributes);
  ok = goban_text_file_check_kinds (self->path, n_kinds, 0, error) && read_objects (self, error)
       && goban_text_file_check_kinds (self->path, n_kinds, self->n_tensors, error);
  dot_attributes_clear (&self->attributes);
  return ok;
}

gboolean
goban_dot_read_graph (Agraph_t *dot, const char *path, const GobanReadOptions *options,
                      GobanGraphBuilder *builder, GError **error)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) colocations
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) made = g_array_new (FALSE, FALSE, sizeof (Made));
  g_autoptr (GPtrArray) edges = g_ptr_array_new ();
  Reader reader = {
    .dot = dot,
    .path = path,
    .progress = options->progress,
    .builder = builder,
    .nodes = nodes,
    .colocations = colocations,
    .made = made,
    .edges = edges,
  };

  return read_graph (&reader, options->time_unit_us > 0 ? options->time_unit_us : 1, error);
}
