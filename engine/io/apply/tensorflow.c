/* A copy of TensorFlow's graph in which each node has a device, "/device:GPU:1". The nodes of a
 * loop have that of the loop's node.
 */
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/apply/protobuf-edit.h"
#include "engine/io/apply/target.h"
#include "engine/io/source-nodes.h"
#include "engine/machine/cluster/device-number.h"

/* --- edits of a text ------------------------------------------------------ */

/* All else keeps its characters, comments and unknown fields included. */

/* The value of the field in the message number @i, quotes and all; (transfer full). */
typedef char *(*GobanPbtxtValue) (gsize i, gpointer user_data);

typedef struct
{
  const char *const *path;   /* names of nested messages, ended by NULL: "graph_def", "node" */
  gboolean is_first_only;    /* only the first message of the first name */
  const char *field;         /* "device" */
  const char *const *before; /* fields that it follows, ended by NULL: "name", "op" */
  GobanPbtxtValue get_value;
  gpointer user_data;
} GobanPbtxtEdit;

/* A message that is not on the path. */
#define OFF_PATH G_MAXUINT

typedef struct
{
  const GobanPbtxtEdit *edit;
  guint n_path;
  const char *at;
  const char *end;
  const char *copied; /* the text before it is in @out */
  GString *out;
  gsize n_edited;
  gboolean is_done; /* the first message of the first name is behind */
} Walk;

/* Places in a message that is changed; NULL if there is none. */
typedef struct
{
  const char *start; /* of the message */
  const char *lead;  /* the blanks before a field that the new one follows */
  const char *lead_end;
  const char *after; /* the end of that field */
  const char *value; /* the field's old value */
  const char *value_end;
  GPtrArray *removed; /* pairs of pointers: further old values with their names */
} Places;

static void
skip_blanks (Walk *self)
{
  while (self->at < self->end)
    {
      if (*self->at == '#')
        while (self->at < self->end && *self->at != '\n')
          self->at++;
      else if (g_ascii_isspace (*self->at) || *self->at == ',' || *self->at == ';')
        self->at++;
      else
        return;
    }
}

static void
skip_string (Walk *self)
{
  char quote = *self->at++;

  while (self->at < self->end && *self->at != quote)
    self->at += *self->at == '\\' && self->end - self->at > 1 ? 2 : 1;
  self->at = MIN (self->at + 1, self->end);
}

static gboolean
is_quote (char c)
{
  return c == '"' || c == '\'';
}

/* A word, or strings side by side. */
static void
skip_scalar (Walk *self)
{
  const char *after = self->at;

  if (self->at < self->end && !is_quote (*self->at))
    {
      self->at++;
      while (self->at < self->end && !g_ascii_isspace (*self->at)
             && strchr (",;[]{}<>#:", *self->at) == NULL)
        self->at++;
      return;
    }
  while (self->at < self->end && is_quote (*self->at))
    {
      skip_string (self);
      after = self->at;
      skip_blanks (self);
    }
  self->at = after;
}

/* A name, or one of an extension in brackets. */
static void
skip_name (Walk *self)
{
  const char *close
      = *self->at == '[' ? memchr (self->at, ']', (gsize) (self->end - self->at)) : NULL;

  if (close != NULL)
    self->at = close + 1;
  else
    skip_scalar (self);
}

static void
copy_to (Walk *self, const char *end)
{
  g_string_append_len (self->out, self->copied, end - self->copied);
  self->copied = end;
}

static void walk_value (Walk *self, guint level);

/* --- the messages that are changed ----------------------------------------------------------- */

static gboolean
is_one_of (const char *name, gsize n, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strlen (names[i]) == n && strncmp (name, names[i], n) == 0)
      return TRUE;
  return FALSE;
}

static void
note_field (Walk *self, Places *places, const char *gap, const char *name, gsize n)
{
  const char *const fields[] = { self->edit->field, NULL };
  const char *value = self->at;
  const char *line;

  walk_value (self, OFF_PATH);
  if (is_one_of (name, n, fields) && places->value == NULL)
    {
      places->value = value;
      places->value_end = self->at;
    }
  else if (is_one_of (name, n, fields))
    {
      g_ptr_array_add (places->removed, (gpointer) name);
      g_ptr_array_add (places->removed, (gpointer) self->at);
    }
  else if (is_one_of (name, n, self->edit->before))
    {
      /* Only blanks are repeated, no comment. */
      for (line = name; line > gap && g_ascii_isspace (line[-1]) && line[-1] != '\n';)
        line--;
      places->lead = line > gap && line[-1] == '\n' ? line - 1 : line;
      places->lead_end = name;
      places->after = self->at;
    }
}

static void
insert_field (Walk *self, const Places *places, const char *value)
{
  const char *place = places->after != NULL ? places->after : places->start;
  gboolean has_lead = places->after != NULL && places->lead < places->lead_end;

  copy_to (self, place);
  if (has_lead)
    g_string_append_len (self->out, places->lead, places->lead_end - places->lead);
  else
    g_string_append_c (self->out, ' ');
  g_string_append_printf (self->out, "%s: %s", self->edit->field, value);
}

static void
change_message (Walk *self, const Places *places)
{
  g_autofree char *value = self->edit->get_value (self->n_edited++, self->edit->user_data);

  if (places->value == NULL)
    insert_field (self, places, value);
  else
    {
      copy_to (self, places->value);
      g_string_append (self->out, value);
      self->copied = places->value_end;
    }
  for (guint i = 0; i < places->removed->len; i += 2)
    {
      copy_to (self, g_ptr_array_index (places->removed, i));
      self->copied = g_ptr_array_index (places->removed, i + 1);
    }
}

/* --- messages -------------------------------------------------------------------------------- */

/* The level of the messages of a field in a message of @level. */
static guint
find_level (Walk *self, guint level, const char *name, gsize n)
{
  const char *const names[] = { level < self->n_path ? self->edit->path[level] : NULL, NULL };

  if (level >= self->n_path || !is_one_of (name, n, names))
    return OFF_PATH;
  if (level == 0 && self->edit->is_first_only)
    {
      if (self->is_done)
        return OFF_PATH;
      self->is_done = TRUE;
    }
  return level + 1;
}

/* The fields up to the closing bracket, which is not taken. */
static void
walk_fields (Walk *self, guint level)
{
  g_autoptr (GPtrArray) removed = g_ptr_array_new ();
  Places places = { .start = self->at, .removed = removed };

  while (TRUE)
    {
      const char *gap = self->at;
      const char *name;
      gsize n;

      skip_blanks (self);
      name = self->at;
      if (self->at == self->end || *self->at == '}' || *self->at == '>')
        break;
      skip_name (self);
      n = (gsize) (self->at - name);
      skip_blanks (self);
      if (self->at < self->end && *self->at == ':')
        self->at++;
      skip_blanks (self);
      if (level == self->n_path)
        note_field (self, &places, gap, name, n);
      else
        walk_value (self, find_level (self, level, name, n));
    }
  if (level == self->n_path)
    change_message (self, &places);
}

/* One value, or a list of values. */
static void
walk_value (Walk *self, guint level)
{
  if (self->at == self->end)
    return;
  if (*self->at == '[')
    {
      self->at++;
      for (skip_blanks (self); self->at < self->end && *self->at != ']'; skip_blanks (self))
        walk_value (self, level);
      self->at = MIN (self->at + 1, self->end);
    }
  else if (*self->at == '{' || *self->at == '<')
    {
      self->at++;
      walk_fields (self, level);
      self->at = MIN (self->at + 1, self->end);
    }
  else
    skip_scalar (self);
}

/* @text must be well-formed. (transfer full) */
static GString *
pbtxt_edit (const char *text, gsize size, const GobanPbtxtEdit *edit)
{
  Walk self = { .edit = edit,
                .at = text,
                .end = text + size,
                .copied = text,
                .out = g_string_sized_new (size + size / 8) };

  while (edit->path[self.n_path] != NULL)
    self.n_path++;
  walk_fields (&self, 0);
  copy_to (&self, self.end);
  return self.out;
}

/* --- the target ----------------------------------------------------------- */

/* Fields of TensorFlow's messages. */
enum
{
  GRAPH_NODE = 1,
  NODE_DEVICE = 4,
  META_GRAPH_DEF = 2,
  SAVED_META_GRAPHS = 2,
};

typedef struct
{
  const GobanApplyWork *work;
  const GobanSourceNodes *nodes;
  char **devices; /* by the cluster's */
  gsize n_edited;
} Copy;

/* A letter, then letters, digits and underscores. */
static gboolean
is_device_type (const char *kind)
{
  if (!g_ascii_isalpha (*kind))
    return FALSE;
  for (; *kind != '\0'; kind++)
    if (!g_ascii_isalnum (*kind) && *kind != '_')
      return FALSE;
  return TRUE;
}

static gboolean
check_kinds (const GobanApplyWork *work, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      GobanDeviceId device = goban_plan_get_device (work->plan, v);
      const char *kind = goban_cluster_get_device (work->cluster, device)->kind;

      if (!is_device_type (kind))
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "node “%s” is on %s, which is of the kind “%s”; in TensorFlow a kind "
                             "is a letter, then letters, digits and underscores",
                             goban_apply_node_name (work, v), goban_apply_device_name (work, v),
                             kind);
    }
  return TRUE;
}

static char **
name_devices (const GobanApplyWork *work)
{
  guint n = goban_cluster_get_n_devices (work->cluster);
  char **names = g_new0 (char *, n + 1);

  for (guint d = 0; d < n; d++)
    {
      g_autofree char *upper
          = g_ascii_strup (goban_cluster_get_device (work->cluster, (GobanDeviceId) d)->kind, -1);

      names[d] = g_strdup_printf ("/device:%s:%u", upper,
                                  goban_device_get_number (work->cluster, (GobanDeviceId) d));
    }
  return names;
}

static const char *
get_device (const Copy *self, gsize i)
{
  if (self->nodes->devices[i] != NULL)
    return self->nodes->devices[i];
  return self->devices[goban_plan_get_device (self->work->plan, self->nodes->nodes[i])];
}

static char *
quote_device (gsize i, gpointer user_data)
{
  return g_strdup_printf ("\"%s\"", get_device (user_data, i));
}

static void
edit_node (const guint8 *data, gsize size, GByteArray *out, gpointer user_data)
{
  Copy *self = user_data;

  goban_protobuf_put_text (data, size, NODE_DEVICE, get_device (self, self->n_edited++), out);
}

static void
copy_text (Copy *self, const char *data, gsize size, GString *out)
{
  static const char *const path[] = { "meta_graphs", "graph_def", "node", NULL };
  static const char *const before[] = { "name", "op", "input", NULL };
  const GobanPbtxtEdit edit = {
    path + 2 - self->nodes->depth, self->nodes->depth == 2, "device", before, quote_device, self
  };
  g_autoptr (GString) text = pbtxt_edit (data, size, &edit);

  g_string_append_len (out, text->str, (gssize) text->len);
}

static void
copy_bytes (Copy *self, const char *data, gsize size, GString *out)
{
  static const GobanProtobufStep path[] = {
    { SAVED_META_GRAPHS, TRUE },
    { META_GRAPH_DEF, FALSE },
    { GRAPH_NODE, FALSE },
    { 0, FALSE },
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  goban_protobuf_edit ((const guint8 *) data, size, path + 2 - self->nodes->depth, edit_node, self,
                       bytes);
  g_string_append_len (out, (const char *) bytes->data, bytes->len);
}

static gboolean
write_graph (GobanApplyWork *work, GError **error)
{
  g_autoptr (GobanSourceNodes) nodes = NULL;
  g_auto (GStrv) devices = NULL;
  gsize size;
  const char *data = g_bytes_get_data (work->source, &size);
  Copy copy;

  if (!check_kinds (work, error))
    return FALSE;
  nodes = goban_graphdef_find_nodes (work->source, work->request->source, work->graph, error);
  if (nodes == NULL)
    return FALSE;
  devices = name_devices (work);
  copy = (Copy){ work, nodes, devices, 0 };
  if (nodes->is_text)
    copy_text (&copy, data, size, work->text);
  else
    copy_bytes (&copy, data, size, work->text);
  return TRUE;
}

const GobanApplyTarget goban_apply_tensorflow = {
  .name = "tensorflow",
  .framework = "TensorFlow",
  .blurb = N_ ("a copy of the graph's file with the field “device” of each node"),
  .suffix = ".pb",
  .source_format = "graphdef",
  .is_copy = TRUE,
  .write = write_graph,
};
