#include "engine/io/tensorflow/tf-functions.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"
#include "engine/io/tensorflow/tf-model.h"
#include "engine/io/tensorflow/tf-served.h"
#include "engine/io/text.h"

/* --- references ----------------------------------------------------------- */

/* A parsed "NAME" or "NAME:PORT", in functions "ARG" or "NODE:OUTPUT:NUMBER". Owns its texts. */
typedef struct
{
  char *name;
  char *output; /* "" for none */
  guint32 port;
  gboolean is_control;
} GobanTfReference;

static void
tf_reference_clear (GobanTfReference *self)
{
  g_free (self->name);
  g_free (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTfReference, tf_reference_clear)

static GobanTfReference
tf_reference_parse (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (*text == '^' ? text + 1 : text, ":", 3);
  guint n = g_strv_length (parts);
  const char *last = n > 1 ? parts[n - 1] : "";
  guint64 number = 0;
  gboolean is_number = g_ascii_string_to_unsigned (last, 10, 0, GOBAN_TF_MAX_PORT, &number, NULL);

  return (GobanTfReference){ .name = g_strdup (n > 0 ? parts[0] : ""),
                             .output = g_strdup (n == 3 || (n == 2 && !is_number) ? parts[1] : ""),
                             .port = (guint32) number,
                             .is_control = *text == '^' };
}

/* The number of the first output of that name among those of an operator; 0 for names that are not
 * known here. */
static guint32
tf_find_output (const char *op, const char *name)
{
  static const struct
  {
    const char *op; /* or the beginning of it */
    const char *names[6];
  } rows[] = {
    { "FusedBatchNormGrad", { "x_backprop", "scale_backprop", "offset_backprop" } },
    { "FusedBatchNorm",
      { "y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
        "reserve_space_3" } },
    { "BroadcastGradientArgs", { "r0", "r1" } },
    { "LSTMBlockCell", { "i", "cs", "f", "o", "ci", "co" } },
    { "MaxPoolWithArgmax", { "output", "argmax" } },
    { "Merge", { "output", "value_index" } },
    { "SoftmaxCrossEntropy", { "loss", "backprop" } },
    { "SparseSoftmaxCrossEntropy", { "loss", "backprop" } },
    { "Switch", { "output_false", "output_true" } },
    { "TopK", { "values", "indices" } },
    { "Unique", { "y", "idx", "count" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_has_prefix (op, rows[i].op))
      for (guint32 k = 0; k < G_N_ELEMENTS (rows[i].names) && rows[i].names[k] != NULL; k++)
        if (strcmp (rows[i].names[k], name) == 0)
          return k;
  return 0;
}

/* --- calls ---------------------------------------------------------------- */

/* Calls within each other. */
#define MAX_DEPTH 64
#define MAX_NODES 500000
/* Calls that one input leads through, and inputs that are followed in all. */
#define MAX_STEPS 1024
#define MAX_FOLLOWED 5000000
/* Bytes of all names that are made. */
#define MAX_NAME_BYTES ((gsize) 512 << 20)
#define FOLLOWED_PER_CHECK 1024

/* A function of the library. */
typedef struct
{
  const GobanTf__FunctionDef *proto;
  GHashTable *args;    /* names to number + 1 */
  GHashTable *outputs; /* names to number + 1 */
  GHashTable *nodes;   /* names to number + 1 */
  GHashTable *returns; /* names of outputs to their values */
} Function;

/* Inputs of a node that calls a function, of both kinds; borrowed. Sorted once for all calls by
 * that node, however often the function around it is called. */
typedef struct
{
  GPtrArray *data; /* in the order of the function's arguments */
  GPtrArray *controls;
  gboolean is_first; /* the node is in a function, and waits for no other of it */
} CallInputs;

typedef struct _Scope Scope;

/* The graph, or one call of a function. */
struct _Scope
{
  Function *function;        /* NULL: the graph */
  Scope *parent;             /* NULL: the graph */
  const GobanTf__Node *call; /* in the parent */
  const CallInputs *inputs;  /* of the call */
  const char *prefix;        /* of its nodes' names */
  GobanTf__Node **nodes;
  gsize n_nodes;
  GHashTable *by_name; /* borrowed; of nodes to number + 1; of the graph once its calls are open */
  Scope **calls;       /* (n_nodes): of nodes that are replaced, else NULL */
  guint depth;
};

/* A node of the expanded graph. */
typedef struct
{
  GobanTf__Node node; /* first: it is known by its address */
  const char *prefix; /* of its scope */
} OwnNode;

typedef struct
{
  GobanTfExpansion *expansion;
  const GobanTfSource *source;
  GHashTable *functions; /* by name, Function */
  GHashTable *calls;     /* nodes to CallInputs */
  GPtrArray *scopes;     /* owned */
  GHashTable *top;       /* (nullable): of the graph's nodes to number + 1 */
  GPtrArray *inputs;     /* of the node at hand */
  guint64 n_followed;
  gsize n_nodes;
  gsize n_bytes; /* of names */
} Expanding;

/* --- functions ------------------------------------------------------------------------------- */

static void
free_function (gpointer data)
{
  Function *self = data;

  g_hash_table_unref (self->args);
  g_hash_table_unref (self->outputs);
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->returns);
  g_free (self);
}

static GHashTable *
number_arguments (GobanTf__Argument *const *args, gsize n)
{
  GHashTable *numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < n; i++)
    g_hash_table_insert (numbers, args[i]->name, GSIZE_TO_POINTER (i + 1));
  return numbers;
}

static GHashTable *
number_nodes (GobanTf__Node *const *nodes, gsize n)
{
  GHashTable *numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < n; i++)
    g_hash_table_insert (numbers, nodes[i]->name, GSIZE_TO_POINTER (i + 1));
  return numbers;
}

static gboolean
takes_lists (const GobanTf__Signature *signature)
{
  for (gsize i = 0; i < signature->n_input_arg; i++)
    if (*signature->input_arg[i]->number_attr != '\0'
        || *signature->input_arg[i]->type_list_attr != '\0')
      return TRUE;
  for (gsize i = 0; i < signature->n_output_arg; i++)
    if (*signature->output_arg[i]->number_attr != '\0'
        || *signature->output_arg[i]->type_list_attr != '\0')
      return TRUE;
  return FALSE;
}

static void
add_function (GHashTable *functions, const GobanTf__FunctionDef *proto)
{
  Function *function;

  if (proto->signature == NULL || *proto->signature->name == '\0' || takes_lists (proto->signature))
    return;
  function = g_new0 (Function, 1);
  function->proto = proto;
  function->args = number_arguments (proto->signature->input_arg, proto->signature->n_input_arg);
  function->outputs
      = number_arguments (proto->signature->output_arg, proto->signature->n_output_arg);
  function->nodes = number_nodes (proto->node_def, proto->n_node_def);
  function->returns = g_hash_table_new (g_str_hash, g_str_equal);
  for (gsize i = 0; i < proto->n_ret; i++)
    g_hash_table_insert (function->returns, proto->ret[i]->key, proto->ret[i]->value);
  g_hash_table_insert (functions, proto->signature->name, function);
}

static GHashTable *
read_library (const GobanTf__Library *library)
{
  GHashTable *functions = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_function);

  for (gsize i = 0; library != NULL && i < library->n_function; i++)
    add_function (functions, library->function[i]);
  return functions;
}

static gboolean
is_call_op (const char *op)
{
  static const char *const ops[] = { "PartitionedCall", "StatefulPartitionedCall" };

  return goban_find_word (ops, G_N_ELEMENTS (ops), op) >= 0;
}

/* (nullable): that the node calls. */
static Function *
find_function (GHashTable *functions, const GobanTf__Node *node)
{
  const GobanTf__Value *f;

  if (!is_call_op (node->op))
    return g_hash_table_lookup (functions, node->op);
  f = goban_tf_attr (node, "f");
  return f != NULL && f->func != NULL ? g_hash_table_lookup (functions, f->func->name) : NULL;
}

gboolean
goban_tf_has_calls (const GobanTf__GraphDef *proto)
{
  g_autoptr (GHashTable) functions = read_library (proto->library);

  for (gsize i = 0; i < proto->n_node; i++)
    if (find_function (functions, proto->node[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* --- scopes ---------------------------------------------------------------------------------- */

static void
free_call_inputs (gpointer data)
{
  CallInputs *self = data;

  g_ptr_array_unref (self->data);
  g_ptr_array_unref (self->controls);
  g_free (self);
}

/* Whether the node waits for no other of its function: then it waits for the inputs of the call. */
static gboolean
is_first (const Scope *scope, const GobanTf__Node *node)
{
  for (gsize i = 0; scope->function != NULL && i < node->n_input; i++)
    {
      g_auto (GobanTfReference) reference = tf_reference_parse (node->input[i]);

      if (g_hash_table_contains (scope->by_name, reference.name)
          && !g_hash_table_contains (scope->function->args, reference.name))
        return FALSE;
    }
  return scope->function != NULL;
}

static const CallInputs *
get_call_inputs (Expanding *self, const Scope *scope, const GobanTf__Node *node)
{
  CallInputs *inputs = g_hash_table_lookup (self->calls, node);

  if (inputs != NULL)
    return inputs;
  inputs = g_new0 (CallInputs, 1);
  inputs->data = g_ptr_array_new ();
  inputs->controls = g_ptr_array_new ();
  inputs->is_first = is_first (scope, node);
  for (gsize i = 0; i < node->n_input; i++)
    g_ptr_array_add (*node->input[i] == '^' ? inputs->controls : inputs->data, node->input[i]);
  g_hash_table_insert (self->calls, (gpointer) node, inputs);
  return inputs;
}

static void
free_scope (gpointer data)
{
  Scope *self = data;

  g_free (self->calls);
  g_free (self);
}

/* Whether the scope, or one around it, is a call of @function. */
static gboolean
is_within (const Scope *scope, const Function *function)
{
  for (; scope != NULL; scope = scope->parent)
    if (scope->function == function)
      return TRUE;
  return FALSE;
}

static gboolean
refuse_size (const Expanding *self, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s: its calls of functions stand for more than %d nodes",
                       self->source->path, MAX_NODES);
}

/* A name within the scope, with @before and @behind around it; borrowed. */
static char *
make_name (Expanding *self, const Scope *scope, const char *before, const char *name,
           const char *behind)
{
  g_autofree char *text = g_strconcat (before, scope->prefix, name, behind, NULL);

  self->n_bytes += strlen (text);
  return g_string_chunk_insert_const (self->expansion->strings, text);
}

static Scope *
new_call (Expanding *self, Scope *scope, const GobanTf__Node *node, Function *function)
{
  Scope *call = g_new0 (Scope, 1);

  g_ptr_array_add (self->scopes, call);
  call->function = function;
  call->parent = scope;
  call->call = node;
  call->inputs = get_call_inputs (self, scope, node);
  call->prefix = make_name (self, scope, "", node->name, "/");
  call->nodes = function->proto->node_def;
  call->n_nodes = function->proto->n_node_def;
  call->by_name = function->nodes;
  call->calls = g_new0 (Scope *, call->n_nodes + 1);
  call->depth = scope->depth + 1;
  return call;
}

static gboolean
open_calls (Expanding *self, Scope *scope, GError **error)
{
  self->n_nodes += scope->n_nodes;
  if (scope->function != NULL && (self->n_nodes > MAX_NODES || self->n_bytes > MAX_NAME_BYTES))
    return refuse_size (self, error);
  if (!goban_progress_check (self->source->progress, error))
    return FALSE;
  for (gsize i = 0; i < scope->n_nodes; i++)
    {
      Function *function = find_function (self->functions, scope->nodes[i]);

      if (function == NULL || scope->depth == MAX_DEPTH || is_within (scope, function))
        continue;
      scope->calls[i] = new_call (self, scope, scope->nodes[i], function);
      self->expansion->n_calls++;
      if (!open_calls (self, scope->calls[i], error))
        return FALSE;
    }
  return TRUE;
}

/* --- inputs ---------------------------------------------------------------------------------- */

static gboolean follow (Expanding *self, Scope *scope, const char *text, gboolean is_control,
                        guint n_steps, GError **error);

/* @reason: of N_(). */
static gboolean
refuse_input (const Expanding *self, const Scope *scope, const char *text, const char *reason,
              GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *shown = goban_text_file_excerpt (valid);
  g_autofree char *name = g_utf8_make_valid (
      scope->function != NULL ? scope->function->proto->signature->name : "", -1);
  g_autofree char *function = goban_text_file_excerpt (name);

  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the input “%s” in the function “%s” %s",
                       self->source->path, shown, function, _ (reason));
}

/* The input that a call passes as an argument; control inputs do not count. */
static gboolean
follow_argument (Expanding *self, Scope *scope, guint number, const char *text, gboolean is_control,
                 guint n_steps, GError **error)
{
  const GPtrArray *data = scope->inputs->data;

  if (number < data->len)
    return follow (self, scope->parent, data->pdata[number], is_control, n_steps + 1, error);
  return refuse_input (self, scope, text, N_ ("is an argument that its call does not pass"), error);
}

/* A call has finished with all that it returns, unless it says otherwise. */
static gboolean
follow_end (Expanding *self, Scope *call, guint n_steps, GError **error)
{
  const GobanTf__FunctionDef *proto = call->function->proto;
  gboolean is_said = proto->n_control_ret > 0;
  gsize n = is_said ? proto->n_control_ret : proto->n_ret;

  for (gsize i = 0; i < n; i++)
    if (!follow (self, call, is_said ? proto->control_ret[i]->value : proto->ret[i]->value, TRUE,
                 n_steps + 1, error))
      return FALSE;
  return TRUE;
}

static gboolean
follow_result (Expanding *self, Scope *call, const GobanTfReference *reference, guint n_steps,
               GError **error)
{
  const GobanTf__Signature *signature = call->function->proto->signature;
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (call->function->outputs, reference->output));
  guint port = !is_call_op (call->call->op) && found > 0 ? found - 1 : reference->port;
  const char *result
      = port < signature->n_output_arg
            ? g_hash_table_lookup (call->function->returns, signature->output_arg[port]->name)
            : NULL;

  if (result == NULL)
    return refuse_input (self, call, reference->name,
                         N_ ("is a result that the function does not have"), error);
  return follow (self, call, result, FALSE, n_steps + 1, error);
}

static void
add_input (Expanding *self, const Scope *scope, const GobanTfReference *reference,
           const GobanTf__Node *node, gboolean is_control)
{
  guint32 port = reference->port;
  char behind[16];

  if (scope->function != NULL)
    port += tf_find_output (node->op, reference->output);
  g_snprintf (behind, sizeof behind, ":%u", port);
  g_ptr_array_add (self->inputs, make_name (self, scope, is_control ? "^" : "", node->name,
                                            is_control ? "" : behind));
}

/* Appends the nodes that an input leads to, through all calls, to the inputs of the node at hand:
 * one, or for a control input as many as a call ends with. */
static gboolean
follow (Expanding *self, Scope *scope, const char *text, gboolean is_control, guint n_steps,
        GError **error)
{
  g_auto (GobanTfReference) reference = tf_reference_parse (text);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (scope->by_name, reference.name));
  guint arg = scope->function != NULL
                  ? GPOINTER_TO_UINT (g_hash_table_lookup (scope->function->args, reference.name))
                  : 0;
  Scope *call = found > 0 ? scope->calls[found - 1] : NULL;

  is_control |= reference.is_control;
  if (n_steps > MAX_STEPS || self->n_followed++ > MAX_FOLLOWED)
    return refuse_input (self, scope, text, N_ ("leads in a circle, or through too many calls"),
                         error);
  if (self->n_bytes > MAX_NAME_BYTES)
    return refuse_size (self, error);
  if (self->n_followed % FOLLOWED_PER_CHECK == 0
      && !goban_progress_check (self->source->progress, error))
    return FALSE;
  if (arg > 0)
    return follow_argument (self, scope, arg - 1, text, is_control, n_steps, error);
  if (found == 0)
    return refuse_input (self, scope, text, N_ ("is not in the file"), error);
  if (call == NULL)
    add_input (self, scope, &reference, scope->nodes[found - 1], is_control);
  else if (is_control)
    return follow_end (self, call, n_steps, error);
  else
    return follow_result (self, call, &reference, n_steps, error);
  return TRUE;
}

/* --- nodes ----------------------------------------------------------------------------------- */

static gboolean
follow_inputs (Expanding *self, Scope *scope, const GobanTf__Node *node, GError **error)
{
  g_ptr_array_set_size (self->inputs, 0);
  for (gsize i = 0; i < node->n_input; i++)
    if (!follow (self, scope, node->input[i], FALSE, 0, error))
      return FALSE;
  for (gboolean waits = is_first (scope, node); waits;
       waits = scope->inputs->is_first, scope = scope->parent)
    for (guint i = 0; i < scope->inputs->controls->len; i++)
      if (!follow (self, scope->parent, scope->inputs->controls->pdata[i], TRUE, 0, error))
        return FALSE;
  return TRUE;
}

static void
add_node (Expanding *self, const Scope *scope, const GobanTf__Node *from)
{
  OwnNode *own = g_new (OwnNode, 1);
  GobanTf__Node *node = &own->node;

  *own = (OwnNode){ *from, scope->prefix };
  node->name = make_name (self, scope, "", from->name, "");
  node->n_input = self->inputs->len;
  node->input = g_memdup2 (self->inputs->pdata, sizeof (char *) * self->inputs->len);
  for (; *node->device == '\0' && scope->call != NULL; scope = scope->parent)
    node->device = scope->call->device;
  g_ptr_array_add (self->expansion->nodes, node);
}

/* In the order of the file, each call's nodes in its place. */
static gboolean
add_nodes (Expanding *self, Scope *scope, GError **error)
{
  for (gsize i = 0; i < scope->n_nodes; i++)
    {
      if (scope->calls[i] != NULL)
        {
          if (!add_nodes (self, scope->calls[i], error))
            return FALSE;
          continue;
        }
      if (!follow_inputs (self, scope, scope->nodes[i], error))
        return FALSE;
      add_node (self, scope, scope->nodes[i]);
      if (self->n_bytes > MAX_NAME_BYTES)
        return refuse_size (self, error);
    }
  return TRUE;
}

static void
free_node (gpointer data)
{
  GobanTf__Node *node = data;

  g_free (node->input);
  g_free (node);
}

/* --- signatures ------------------------------------------------------------------------------ */

/* Outputs that lead nowhere do not count. */
static void
keep_served (Expanding *self, Scope *top, const GobanTf__NamedSignature *signature)
{
  g_ptr_array_set_size (self->inputs, 0);
  for (gsize i = 0; i < signature->value->n_outputs; i++)
    if (signature->value->outputs[i]->value != NULL)
      follow (self, top, signature->value->outputs[i]->value->name, FALSE, 0, NULL /* see above */);
  if (goban_tf_served_keep (self->expansion->nodes, self->inputs, &self->expansion->n_left_out))
    self->expansion->signature = signature->key;
}

/* Keeps the nodes that the signature needs, in a graph without calls. */
static void
keep_served_nodes (GobanTfExpansion *expansion, const GobanTfSource *source,
                   const GobanTf__NamedSignature *signature)
{
  expansion->served = goban_tf_served_nodes (source->proto, signature, &expansion->n_left_out);
  if (expansion->served == NULL)
    return;
  expansion->signature = signature->key;
  expansion->graph.node = (GobanTf__Node **) expansion->served->pdata;
  expansion->graph.n_node = expansion->served->len;
}

/* --- the whole ------------------------------------------------------------------------------- */

static gboolean
expand (Expanding *self, GError **error)
{
  GobanTfExpansion *expansion = self->expansion;
  const GobanTf__GraphDef *proto = self->source->proto;
  const GobanTf__NamedSignature *signature = goban_tf_served_find (self->source->meta);
  Scope *top = g_new0 (Scope, 1);

  g_ptr_array_add (self->scopes, top);
  top->prefix = "";
  top->nodes = proto->node;
  top->n_nodes = proto->n_node;
  top->calls = g_new0 (Scope *, top->n_nodes + 1);
  if (!open_calls (self, top, error))
    return FALSE;
  if (self->source->keeps_all)
    signature = NULL;
  if (expansion->n_calls == 0)
    {
      if (signature != NULL)
        keep_served_nodes (expansion, self->source, signature);
      return TRUE;
    }
  top->by_name = self->top = number_nodes (proto->node, proto->n_node);
  if (!add_nodes (self, top, error))
    return FALSE;
  if (signature != NULL)
    keep_served (self, top, signature);
  expansion->graph.node = (GobanTf__Node **) expansion->nodes->pdata;
  expansion->graph.n_node = expansion->nodes->len;
  return TRUE;
}

gboolean
goban_tf_expansion_init (GobanTfExpansion *self, const GobanTfSource *source, GError **error)
{
  g_autoptr (GHashTable) functions = read_library (source->proto->library);
  g_autoptr (GHashTable) calls = g_hash_table_new_full (NULL, NULL, NULL, free_call_inputs);
  g_autoptr (GPtrArray) scopes = g_ptr_array_new_with_free_func (free_scope);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  Expanding expanding = { .expansion = self,
                          .source = source,
                          .functions = functions,
                          .calls = calls,
                          .scopes = scopes,
                          .inputs = inputs };
  gboolean is_done;

  *self = (GobanTfExpansion){ .graph = *source->proto };
  self->nodes = g_ptr_array_new_with_free_func (free_node);
  self->strings = g_string_chunk_new (4096);
  is_done = expand (&expanding, error);
  g_clear_pointer (&expanding.top, g_hash_table_unref);
  return is_done;
}

const char *
goban_tf_expansion_get_prefix (const GobanTfExpansion *self, const GobanTf__Node *node)
{
  return self->n_calls > 0 ? ((const OwnNode *) (const void *) node)->prefix : "";
}

void
goban_tf_expansion_clear (GobanTfExpansion *self)
{
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
  g_clear_pointer (&self->served, g_ptr_array_unref);
  g_clear_pointer (&self->strings, g_string_chunk_free);
}
