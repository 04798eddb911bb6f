/* chakra.c: Chakra's execution traces of PyTorch: messages behind their lengths, or JSON.
 *
 * The first message is the trace's own, each other one a node. A data dependency is an edge, which
 * carries all outputs of the node it comes from: the trace does not say which. Durations were
 * measured on the device an operation ran on, and are taken for every kind. JSON has no sizes of
 * outputs. Communications without a time take that of the links, by their `comm_size` or, without
 * it, the size of their tensors, among the ranks of their process group. PyTorch gives the groups
 * as JSON in the input of a node; ASTRA-sim has them in a file of its own, which is not read.
 *
 * PyTorch's traces have the operation around a node as its control dependency, while that operation
 * waits for the node's data: such dependencies make cycles, and then none of them is taken.
 */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-stream.h"
#include "engine/graph/collectives.h"
#include "engine/io/chakra.pb-c.h"
#include "engine/io/formats.h"
#include "engine/io/id-table.h"
#include "engine/io/protobuf-check.h"
#include "engine/io/protobuf-kinds.h"
#include "engine/io/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NODES_PER_CHECK 1024
/* Kinds of nodes. */
#define TYPE_SEND 5
#define TYPE_COLLECTIVE 7
/* No message is larger. */
#define MAX_BYTES (G_GINT64_CONSTANT (1) << 50)
/* The node whose input is the JSON of all process groups. */
#define GROUPS_NODE "## process_group:init ##"
/* Messages that are read to recognise the file. */
#define SNIFFED_NODES 64

typedef struct
{
  guint64 id;
  gboolean is_control;
  guint32 head;
} Dependency;

/* A process group: regular ones are every so many-th rank. */
typedef struct
{
  guint32 n_ranks; /* 0: the file does not say */
  guint32 step;
} ProcessGroup;

/* A collective whose group may be given later in the file. */
typedef struct
{
  GobanNodeCollective collective;
  const ProcessGroup *group; /* (nullable): all ranks */
} Linked;

typedef struct
{
  const char *path;
  GobanGraphBuilder *builder;
  GobanIdTable *ids;
  GArray *dependencies; /* Dependency */
  GArray *tensors;      /* guint32: of the nodes */
  GArray *linked;       /* Linked: nodes whose time is that of the links */
  GHashTable *groups;   /* char * -> ProcessGroup */
  guint n_missing;      /* control dependencies on nodes that are not there */
} Reader;

/* --- nodes ----------------------------------------------------------------------------------- */

/* "aten::add(3)" is the fourth call of "aten::add"; kernels have their types behind a "<". */
static char *
dup_op (const char *name)
{
  g_autofree char *op = g_strdup (name);
  char *open = strrchr (op, '(');

  if (open != NULL && open > op && g_ascii_isdigit (open[1]) && g_str_has_suffix (op, ")"))
    *open = '\0';
  open = strchr (op, '<');
  if (open != NULL && open > op)
    *open = '\0';
  return g_utf8_make_valid (op, -1);
}

/* What a node says of the bytes it sends. */
typedef struct
{
  gint64 node_type;
  gint64 comm_type;  /* of a collective */
  gint64 comm_bytes; /* -1: unknown */
  const char *group; /* (nullable): all ranks */
} Communication;

/* By the numbers of Chakra's collectives. */
static GobanCollectiveKind
get_collective (gint64 comm_type)
{
  static const GobanCollectiveKind kinds[] = {
    GOBAN_COLLECTIVE_ALL_REDUCE,     /* ALL_REDUCE */
    GOBAN_COLLECTIVE_BROADCAST,      /* REDUCE: the same tree, upwards */
    GOBAN_COLLECTIVE_ALL_GATHER,     /* ALL_GATHER */
    GOBAN_COLLECTIVE_ALL_GATHER,     /* GATHER: one rank gets as many chunks */
    GOBAN_COLLECTIVE_REDUCE_SCATTER, /* SCATTER: one rank sends as many */
    GOBAN_COLLECTIVE_BROADCAST,      /* BROADCAST */
    GOBAN_COLLECTIVE_ALL_TO_ALL,     /* ALL_TO_ALL */
    GOBAN_COLLECTIVE_REDUCE_SCATTER, /* REDUCE_SCATTER */
    GOBAN_COLLECTIVE_REDUCE_SCATTER, /* REDUCE_SCATTER_BLOCK */
    GOBAN_COLLECTIVE_ALL_REDUCE,     /* BARRIER, of no bytes */
  };

  return comm_type >= 0 && comm_type < (gint64) G_N_ELEMENTS (kinds) ? kinds[comm_type]
                                                                     : GOBAN_COLLECTIVE_ALL_REDUCE;
}

static gboolean
is_communication (const Communication *comm)
{
  return comm->comm_bytes >= 0
         && (comm->node_type == TYPE_COLLECTIVE || comm->node_type == TYPE_SEND);
}

static ProcessGroup *
find_group (Reader *self, const char *name)
{
  ProcessGroup *group = g_hash_table_lookup (self->groups, name);

  if (group == NULL)
    {
      group = g_new0 (ProcessGroup, 1);
      g_hash_table_insert (self->groups, g_strdup (name), group);
    }
  return group;
}

/* Writers for simulators leave the time out, or 0: then the links decide. */
static void
set_communication (Reader *self, guint32 node, const Communication *comm)
{
  gboolean is_send
      = comm->node_type == TYPE_SEND; /* from one rank to another, whatever the group */
  Linked linked = {
    .collective = { .node = node,
                    .kind = is_send ? GOBAN_COLLECTIVE_SEND : get_collective (comm->comm_type),
                    .bytes = (double) comm->comm_bytes },
    .group = comm->group != NULL && !is_send ? find_group (self, comm->group) : NULL,
  };

  g_array_append_val (self->linked, linked);
}

/* A time of NAN: none is known. */
static guint32
add_node (Reader *self, guint64 id, const char *name, double bytes, double time_us,
          const Communication *comm)
{
  g_autofree char *op = dup_op (name);
  guint32 node = goban_graph_builder_add_node (self->builder, name, op);
  guint32 tensor = goban_graph_builder_add_tensor (self->builder, node, bytes);

  goban_graph_builder_get_node (self->builder, node)->written_bytes = bytes;
  if (is_communication (comm) && !(time_us > 0))
    set_communication (self, node, comm);
  else if (time_us >= 0)
    goban_graph_builder_set_time (self->builder, node, GOBAN_ANY_KIND, time_us,
                                  GOBAN_SOURCE_MEASURED);
  goban_id_table_add (self->ids, id, node);
  g_array_append_val (self->tensors, tensor);
  return node;
}

/* Whether the dependencies, control included, lead back to a node. O(nodes + dependencies). */
static gboolean
has_cycle (const Reader *self)
{
  guint n = self->tensors->len, n_links = self->dependencies->len, n_done = 0;
  g_autofree guint32 *n_waits = g_new0 (guint32, n + 1);
  g_autofree guint32 *next = g_new (guint32, n_links + 1); /* of the same tail, + 1 */
  g_autofree guint32 *first = g_new0 (guint32, n + 1);     /* of a tail, + 1 */
  g_autofree guint32 *done = g_new (guint32, n + 1);

  for (guint32 i = 0; i < n_links; i++)
    {
      const Dependency *d = &g_array_index (self->dependencies, Dependency, i);
      guint32 tail;

      if (!goban_id_table_find (self->ids, d->id, &tail))
        continue;
      n_waits[d->head]++;
      next[i] = first[tail];
      first[tail] = i + 1;
    }
  for (guint32 v = 0; v < n; v++)
    if (n_waits[v] == 0)
      done[n_done++] = v;
  for (guint at = 0; at < n_done; at++)
    for (guint32 i = first[done[at]]; i > 0; i = next[i - 1])
      {
        guint32 head = g_array_index (self->dependencies, Dependency, i - 1).head;

        if (--n_waits[head] == 0)
          done[n_done++] = head;
      }
  return n_done < n;
}

static gboolean
refuse_missing (const Reader *self, const Dependency *d, GError **error)
{
  g_autofree char *id = g_strdup_printf ("%" G_GUINT64_FORMAT, d->id);

  return goban_refuse (error, GOBAN_ERROR_PARSE,
                       "%s: node “%s” needs node %s, which is not in the file", self->path,
                       goban_graph_builder_get_node (self->builder, d->head)->name, id);
}

static gboolean
add_edges (Reader *self, GError **error)
{
  gboolean leaves_control = has_cycle (self);
  guint n_left = 0;

  for (guint i = 0; i < self->dependencies->len; i++)
    {
      const Dependency *d = &g_array_index (self->dependencies, Dependency, i);
      guint32 tail;

      if (!goban_id_table_find (self->ids, d->id, &tail))
        {
          if (!d->is_control)
            return refuse_missing (self, d, error);
          self->n_missing++;
        }
      else if (d->is_control && leaves_control)
        n_left++;
      else if (d->is_control)
        goban_graph_builder_add_control_edge (self->builder, tail, d->head);
      else
        goban_graph_builder_add_edge (self->builder, g_array_index (self->tensors, guint32, tail),
                                      d->head);
    }
  if (n_left > 0)
    goban_graph_builder_warn (self->builder,
                              n_left == 1
                                  ? "%u control dependency is left out: it names the operation "
                                    "around a node, and would make a cycle"
                                  : "%u control dependencies are left out: they name the operation "
                                    "around a node, and would make cycles",
                              n_left);
  if (self->n_missing > 0)
    goban_graph_builder_warn (
        self->builder,
        self->n_missing == 1 ? "%u control dependency is on a node that the trace leaves out"
                             : "%u control dependencies are on nodes that the trace leaves out",
        self->n_missing);
  return TRUE;
}

/* The step between ranks, 1 if there is no one step. */
static gboolean
read_step (GobanJsonItems ranks, guint32 *step, GError **error)
{
  GobanJsonValue value;
  gint64 rank, last = -1;

  *step = 1;
  for (guint i = 0; goban_json_items_next (&ranks, &value); i++, last = rank)
    {
      if (!goban_json_read_whole (value, (GobanJsonWhole){ 0, G_MAXINT32 }, &rank, error))
        return FALSE;
      if (i == 1 && rank > last)
        *step = (guint32) (rank - last);
      else if (i > 1 && rank != last + *step)
        {
          *step = 1;
          break;
        }
    }
  return TRUE;
}

/* [{"pg_name": "1", "ranks": [0, 2], "group_size": 2}, ...]; the ranks of the group of all may be
 * left out, or empty. */
static gboolean
read_groups (Reader *self, GobanJsonValue list, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_read_list (list, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      const char *name = NULL;
      gint64 n_ranks = 0;
      guint32 step;
      GobanJsonItems ranks;
      ProcessGroup *group;

      if (!goban_json_check_object (item, NULL, error)
          || !goban_json_get_text (item, "pg_name", &name, error)
          || !goban_json_get_whole (item, "group_size", (GobanJsonWhole){ 0, G_MAXINT32 }, &n_ranks,
                                    error)
          || !goban_json_get_list (item, "ranks", &ranks, error)
          || !read_step (ranks, &step, error))
        return FALSE;
      if (name == NULL)
        continue;
      group = find_group (self, name);
      group->n_ranks = ranks.n > 0 ? ranks.n : (guint32) n_ranks;
      group->step = step;
    }
  return TRUE;
}

/* The JSON is an element of a list as Python prints it. */
static void
add_groups (Reader *self, const char *values)
{
  const char *begin = strstr (values, "[{"), *end = g_strrstr (values, "}]");
  g_autoptr (GobanJsonReader) json = NULL;
  g_autoptr (GError) error = NULL;

  if (begin == NULL || end == NULL || end < begin)
    return;
  json = goban_json_reader_new (begin, end + 2 - begin, self->path, &error);
  if (json == NULL || !read_groups (self, goban_json_reader_get_root (json), &error))
    goban_graph_builder_warn (self->builder, "the process groups cannot be read: %s",
                              error->message);
}

static void
add_collectives (Reader *self)
{
  guint n_unknown = 0;

  for (guint i = 0; i < self->linked->len; i++)
    {
      Linked *linked = &g_array_index (self->linked, Linked, i);

      if (linked->group != NULL)
        {
          linked->collective.n_ranks = linked->group->n_ranks;
          linked->collective.rank_step = linked->group->step;
          n_unknown += linked->group->n_ranks == 0;
        }
      goban_graph_builder_set_collective (self->builder, linked->collective);
    }
  if (self->linked->len > 0)
    goban_graph_builder_warn (self->builder,
                              self->linked->len == 1
                                  ? "%u communication has bytes but no time: it is that of the "
                                    "cluster's links, among the devices that are not CPUs"
                                  : "%u communications have bytes but no time: theirs is that of "
                                    "the cluster's links, among the devices that are not CPUs",
                              self->linked->len);
  if (n_unknown > 0)
    goban_graph_builder_warn (self->builder,
                              n_unknown == 1
                                  ? "the process group of %u communication is not in the file: all "
                                    "ranks take part"
                                  : "the process groups of %u communications are not in the file: "
                                    "all ranks take part",
                              n_unknown);
}

static void
depend (Reader *self, guint32 head, guint64 id, gboolean is_control)
{
  Dependency dependency = { id, is_control, head };

  g_array_append_val (self->dependencies, dependency);
}

/* --- messages -------------------------------------------------------------------------------- */

/* The length before a message. FALSE if the bytes are none or reach beyond the end. */
static gboolean
next_message (const guint8 *data, gsize size, gsize *at, gsize *length)
{
  guint64 value = 0;

  for (guint shift = 0; shift < 35 && *at < size; shift += 7)
    {
      guint8 byte = data[(*at)++];

      value |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        {
          *length = (gsize) value;
          return value <= size - *at;
        }
    }
  return FALSE;
}

/* Tensors are "[id, storage, offset, elements, bytes of one, 'device']". */
static double
sum_bytes (const char *values)
{
  double sum = 0;

  for (const char *p = strchr (values, '['); p != NULL; p = strchr (p + 1, '['))
    {
      double numbers[5];
      const char *q = p + 1;
      guint n = 0;

      for (; n < G_N_ELEMENTS (numbers); n++)
        {
          char *end;

          numbers[n] = g_ascii_strtod (q, &end);
          if (end == q || *end != ',')
            break;
          q = end + 1;
        }
      q += strspn (q, " ");
      if (n == G_N_ELEMENTS (numbers) && *q == '\'' && numbers[3] * numbers[4] > 0)
        sum += MIN (numbers[3] * numbers[4], GOBAN_TEXT_MAX_AMOUNT);
    }
  return MIN (sum, GOBAN_TEXT_MAX_AMOUNT);
}

/* (nullable) */
static const GobanChakra__Attribute *
find_attribute (const GobanChakra__Node *proto, const char *name)
{
  for (gsize i = 0; i < proto->n_attr; i++)
    if (strcmp (proto->attr[i]->name, name) == 0)
      return proto->attr[i];
  return NULL;
}

/* Value of an attribute of any integer type: the message sets one of the fields, the others are 0.
 * */
static gint64
get_integer (const GobanChakra__Node *proto, const char *name, gint64 fallback)
{
  const GobanChakra__Attribute *a = find_attribute (proto, name);
  double value;

  if (a == NULL)
    return fallback;
  value = (double) a->int64_val + (double) a->uint64_val + a->int32_val + a->uint32_val
          + a->sint32_val + (double) a->sint64_val;
  return (gint64) CLAMP (value, 0, (double) MAX_BYTES);
}

/* (nullable) (transfer full): the number of the group, which is a text, or an integer in files from
 * before 2025. */
static char *
dup_group (const GobanChakra__Node *proto)
{
  const GobanChakra__Attribute *a = find_attribute (proto, "pg_name");

  if (a != NULL && *a->string_val != '\0')
    return g_strdup (a->string_val);
  if (find_attribute (proto, "comm_group") == NULL)
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT, get_integer (proto, "comm_group", 0));
}

/* -1: unknown. */
static gint64
get_comm_bytes (const GobanChakra__Node *proto)
{
  gint64 bytes = get_integer (proto, "comm_size", get_integer (proto, "tensor_size", -1));
  double sum;

  if (bytes >= 0 || proto->inputs == NULL)
    return bytes;
  sum = sum_bytes (proto->inputs->values);
  return sum > 0 ? (gint64) MIN (sum, (double) MAX_BYTES) : -1;
}

static gboolean
read_message (Reader *self, const GobanChakra__Node *proto, GError **error)
{
  g_autofree char *group = dup_group (proto);
  const Communication comm
      = { proto->type, get_integer (proto, "comm_type", 0), get_comm_bytes (proto), group };
  guint32 node;

  if (goban_id_table_contains (self->ids, proto->id))
    {
      g_autofree char *id = g_strdup_printf ("%" G_GUINT64_FORMAT, proto->id);

      return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: node %s is here twice", self->path, id);
    }
  node = add_node (self, proto->id, proto->name,
                   proto->outputs != NULL ? sum_bytes (proto->outputs->values) : 0,
                   (double) proto->duration_micros, &comm);
  if (proto->inputs != NULL && strcmp (proto->name, GROUPS_NODE) == 0)
    add_groups (self, proto->inputs->values);
  for (gsize i = 0; i < proto->n_data_deps; i++)
    depend (self, node, proto->data_deps[i], FALSE);
  for (gsize i = 0; i < proto->n_ctrl_deps; i++)
    depend (self, node, proto->ctrl_deps[i], TRUE);
  return TRUE;
}

static gboolean
read_messages (Reader *self, const guint8 *data, gsize size, const GobanReadOptions *options,
               GError **error)
{
  gsize at = 0, length = 0;

  for (guint i = 0; at < size; i++, at += length)
    {
      gsize begin = at;
      GobanChakra__Node *proto;
      gboolean ok;

      if (i % NODES_PER_CHECK == 0 && !goban_progress_check (options->progress, error))
        return FALSE;
      if (!next_message (data, size, &at, &length))
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "%s: byte %zu: the message of node %u is cut off", self->path, begin,
                             i);
      if (i == 0)
        continue; /* the trace's own */
      if (!goban_protobuf_check (&goban_chakra__node__descriptor, data + at, length, self->path,
                                 N_ ("a node of a Chakra trace"), error))
        return FALSE;
      proto = goban_chakra__node__unpack (NULL, length, data + at);
      if (proto == NULL)
        return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: byte %zu: not a node of a Chakra trace",
                             self->path, begin);
      ok = read_message (self, proto, error);
      goban_chakra__node__free_unpacked (proto, NULL);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static gboolean
read_list (Reader *self, GobanJsonValue object, const char *key, guint32 head, GError **error)
{
  gboolean is_control = strcmp (key, "data_deps") != 0;
  GobanJsonItems items;
  GobanJsonValue item;
  gint64 id;

  if (!goban_json_get_list (object, key, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      if (!goban_json_read_whole (item, GOBAN_JSON_COUNT, &id, error))
        return FALSE;
      depend (self, head, (guint64) id, is_control);
    }
  return TRUE;
}

static gboolean
read_object (Reader *self, GobanJsonValue object, GError **error)
{
  const GobanJsonWhole sizes = { 0, MAX_BYTES };
  Communication comm = { .comm_bytes = -1 };
  double time_us = NAN;
  const char *name = "";
  gint64 id = -1;
  guint32 node;

  if (!goban_json_check_object (object, NULL, error)
      || !goban_json_get_whole (object, "Id", GOBAN_JSON_COUNT, &id, error)
      || !goban_json_get_text (object, "Name", &name, error)
      || !goban_json_get_whole (object, "NodeType", GOBAN_JSON_COUNT, &comm.node_type, error)
      || !goban_json_get_whole (object, "comm_type", GOBAN_JSON_COUNT, &comm.comm_type, error)
      || !goban_json_get_whole (object, "tensor_size", sizes, &comm.comm_bytes, error)
      || !goban_json_get_whole (object, "comm_size", sizes, &comm.comm_bytes, error)
      || !goban_json_get_text (object, "pg_name", &comm.group, error)
      || !goban_json_get_number (object, "runtime", GOBAN_JSON_AMOUNT, &time_us, error))
    return FALSE;
  if (id < 0)
    return goban_json_refuse_missing (object, "Id", error);
  if (goban_id_table_contains (self->ids, (guint64) id))
    return goban_json_refuse (object, error, "the id %" PRId64 " is given twice", id);
  node = add_node (self, (guint64) id, name, 0, time_us, &comm);
  return read_list (self, object, "data_deps", node, error)
         && read_list (self, object, "ctrlDeps", node, error);
}

static gboolean
read_json (Reader *self, const char *data, gsize size, const GobanReadOptions *options,
           GError **error)
{
  g_autoptr (GobanJsonStream) stream = goban_json_stream_new (data, size, self->path, error);
  GobanJsonValue node;

  if (stream == NULL || !goban_json_stream_enter (stream, "workload_graph", error))
    return FALSE;
  for (guint i = 0; goban_json_stream_next (stream, &node); i++)
    {
      if (i % NODES_PER_CHECK == 0 && !goban_progress_check (options->progress, error))
        return FALSE;
      if (!read_object (self, node, error))
        return FALSE;
    }
  return TRUE;
}

/* --- the reader ------------------------------------------------------------------------------ */

static gboolean
is_json (const char *data, gsize size)
{
  gsize start = 0;

  while (start < size && g_ascii_isspace (data[start]))
    start++;
  return start < size && data[start] == '{';
}

/* The trace's own message, then nodes; the last one may be cut off. */
static gboolean
is_messages (const guint8 *data, gsize size)
{
  gsize at = 0, length;

  for (guint i = 0; i < SNIFFED_NODES && at < size; i++, at += length)
    {
      if (!next_message (data, size, &at, &length))
        return i > 1;
      if (i == 0
              ? length > 0 && !goban_protobuf_fits (&goban_probe_chakra_metadata, data + at, length)
              : !goban_protobuf_probe (&goban_probe_chakra_node, data + at, length))
        return FALSE;
      if (i > 0 && at + length == size)
        return TRUE;
    }
  return at < size;
}

static int
sniff (const char *head, gsize size, const char *path)
{
  if (is_json (head, size))
    return goban_text_file_has_key (head, size, "workload_graph") ? 90 : 0;
  return is_messages ((const guint8 *) head, size) ? 85 : 0;
}

static GobanGraph *
read_chakra (const char *data, gsize size, const char *path, const GobanReadOptions *options,
             GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "chakra");
  g_autoptr (GobanIdTable) ids = goban_id_table_new ();
  g_autoptr (GArray) dependencies = g_array_new (FALSE, FALSE, sizeof (Dependency));
  g_autoptr (GArray) tensors = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) linked = g_array_new (FALSE, FALSE, sizeof (Linked));
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  Reader self = { .path = path,
                  .builder = builder,
                  .ids = ids,
                  .dependencies = dependencies,
                  .tensors = tensors,
                  .linked = linked,
                  .groups = groups };

  if (is_json (data, size) ? !read_json (&self, data, size, options, error)
                           : !read_messages (&self, (const guint8 *) data, size, options, error))
    return NULL;
  if (!add_edges (&self, error))
    return NULL;
  add_collectives (&self);
  return goban_text_file_finish_graph (builder, path, error);
}

const GobanFormat goban_format_chakra = {
  .name = "chakra",
  .extensions = ".et",
  .blurb = "execution traces of Chakra: measured microseconds",
  .most_bytes = (gsize) 512 << 20,
  .sniff = sniff,
  .read = read_chakra,
};
