#include "engine/study/programs/program-message.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/json-text.h"

#include <math.h>
#include <string.h>

/* --- arrays ----------------------------------------------------------------------------------- */

static void
append_whole (GString *line, gint64 number)
{
  char digits[24];

  g_string_append_len (line, digits,
                       g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, number));
}

static void
append_row (GString *line, const double *numbers, guint n)
{
  g_string_append_c (line, '[');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      goban_json_append_number (line, numbers[i]);
    }
  g_string_append_c (line, ']');
}

void
goban_program_write_numbers (GString *line, const char *key, const double *numbers, guint n)
{
  goban_json_append_key (line, key);
  append_row (line, numbers, n);
}

static void
write_rows (GString *line, const char *key, const double *numbers, guint n_rows, guint n_columns)
{
  goban_json_begin (line, key, '[');
  for (guint i = 0; i < n_rows; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      append_row (line, numbers + (gsize) i * n_columns, n_columns);
    }
  g_string_append_c (line, ']');
}

static void
write_texts (GString *line, const char *key, const char *const *texts, guint n)
{
  goban_json_begin (line, key, '[');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (line, ',');
      goban_json_append_string (line, texts[i]);
    }
  g_string_append_c (line, ']');
}

/* --- nodes and edges -------------------------------------------------------------------------- */

static void
write_nodes (GString *line, const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n = goban_graph_get_n_nodes (graph);
  guint n_classes = goban_cluster_get_n_classes (goban_cost_model_get_cluster (costs));
  g_autofree const char **names = g_new (const char *, n);
  g_autofree const char **ops = g_new (const char *, n);
  g_autofree double *groups = g_new (double, n);
  g_autofree double *param_bytes = g_new (double, n);
  g_autofree double *output_bytes = g_new (double, n);
  g_autofree double *times_us = g_new (double, (gsize) n *n_classes);

  for (GobanNodeId v = 0; v < n; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      names[v] = node->name;
      ops[v] = node->op;
      groups[v] = node->group == GOBAN_NO_GROUP ? -1.0 : node->group;
      param_bytes[v] = goban_cost_model_param_bytes (costs, v);
      output_bytes[v] = goban_graph_get_output_bytes (graph, v);
      memcpy (times_us + (gsize) v * n_classes, goban_cost_model_times_us (costs, v),
              n_classes * sizeof *times_us);
    }
  goban_json_begin (line, "nodes", '{');
  write_texts (line, "name", names, n);
  write_texts (line, "op", ops, n);
  goban_program_write_numbers (line, "group", groups, n);
  goban_program_write_numbers (line, "param_bytes", param_bytes, n);
  goban_program_write_numbers (line, "output_bytes", output_bytes, n);
  write_rows (line, "time_us", times_us, n, n_classes);
  g_string_append_c (line, '}');
}

static void
write_edges (GString *line, const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n = goban_graph_get_n_edges (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree double *tails = g_new (double, n);
  g_autofree double *heads = g_new (double, n);
  g_autofree double *tensors = g_new (double, n);
  g_autofree double *bytes = g_new (double, n_tensors + 1);
  g_autofree double *mean_us = g_new (double, n_tensors + 1);

  for (guint e = 0; e < n; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      tails[e] = edge->tail;
      heads[e] = edge->head;
      tensors[e] = edge->tensor;
    }
  for (GobanTensorId t = 0; t < n_tensors; t++)
    bytes[t] = goban_graph_get_tensor (graph, t)->size_bytes;
  goban_cost_model_mean_transfers (costs, mean_us);
  goban_json_begin (line, "edges", '{');
  goban_program_write_numbers (line, "from", tails, n);
  goban_program_write_numbers (line, "to", heads, n);
  goban_program_write_numbers (line, "tensor", tensors, n);
  g_string_append_c (line, '}');
  goban_json_begin (line, "tensors", '{');
  goban_program_write_numbers (line, "bytes", bytes, n_tensors);
  goban_program_write_numbers (line, "mean_transfer_us", mean_us, n_tensors);
  g_string_append_c (line, '}');
}

/* --- devices ---------------------------------------------------------------------------------- */

static void
write_devices (GString *line, const GobanCostModel *costs)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n = goban_cluster_get_n_devices (cluster);
  g_autofree const char **names = g_new (const char *, n);
  g_autofree const char **kinds = g_new (const char *, n);
  g_autofree double *classes = g_new (double, n);
  g_autofree double *memory_bytes = g_new (double, n);
  /* Rows of what a route has from each device to each other. */
  g_autofree double *latency_us = g_new (double, (gsize) n *n);
  g_autofree double *bytes_per_us = g_new (double, (gsize) n *n);

  for (guint d = 0; d < n; d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, d);

      names[d] = device->name;
      kinds[d] = device->kind;
      classes[d] = goban_cluster_get_class (cluster, d);
      memory_bytes[d] = device->memory_bytes;
      for (guint to = 0; to < n; to++)
        {
          const GobanRoute *route = to != d ? goban_cluster_get_route (cluster, d, to) : NULL;

          latency_us[(gsize) d * n + to] = route != NULL ? route->latency_us : 0.0;
          bytes_per_us[(gsize) d * n + to]
              = route != NULL ? route->bytes_per_us : (double) INFINITY;
        }
    }
  goban_json_begin (line, "devices", '{');
  write_texts (line, "name", names, n);
  write_texts (line, "kind", kinds, n);
  goban_program_write_numbers (line, "class", classes, n);
  goban_program_write_numbers (line, "memory_bytes", memory_bytes, n);
  g_string_append_c (line, '}');
  goban_json_begin (line, "links", '{');
  write_rows (line, "latency_us", latency_us, n, n);
  write_rows (line, "bytes_per_us", bytes_per_us, n, n);
  goban_json_add_boolean (line, "contention_free", goban_cost_model_is_contention_free (costs));
  g_string_append_c (line, '}');
}

/* --- messages --------------------------------------------------------------------------------- */

void
goban_program_write_graph (GString *line, const GobanCostModel *costs)
{
  goban_json_add_string (line, "name", goban_graph_get_name (goban_cost_model_get_graph (costs)));
  write_nodes (line, costs);
  write_edges (line, costs);
  write_devices (line, costs);
}

void
goban_program_write_plan (GString *line, const GobanPlan *plan)
{
  guint n = goban_plan_get_n_nodes (plan);
  g_autofree double *numbers = g_new (double, n);

  for (GobanNodeId v = 0; v < n; v++)
    numbers[v] = goban_plan_get_devices (plan)[v];
  goban_program_write_numbers (line, "devices", numbers, n);
  if (goban_plan_get_order (plan) != GOBAN_ORDER_PRIORITY)
    return;
  for (GobanNodeId v = 0; v < n; v++)
    numbers[v] = goban_plan_get_priorities (plan)[v];
  goban_program_write_numbers (line, "priorities", numbers, n);
}

void
goban_program_write_outcome (GString *line, GobanOutcome outcome)
{
  goban_json_add_number (line, "makespan_us", outcome.makespan_us);
  goban_json_add_number (line, "overflow_bytes", outcome.overflow_bytes);
  goban_json_add_boolean (line, "valid",
                          outcome.overflow_bytes == 0 && isfinite (outcome.makespan_us));
}

void
goban_program_write_problem (GString *line, const GobanProgramProblem *problem)
{
  g_string_assign (line, "{\"type\": \"problem\"");
  goban_json_append_key (line, "protocol");
  append_whole (line, GOBAN_PROTOCOL_VERSION);
  goban_json_append_key (line, "seed");
  g_string_append_printf (line, "%" G_GUINT64_FORMAT, problem->seed);
  goban_json_append_key (line, "plans");
  if (problem->n_plans == G_MAXUINT64)
    g_string_append (line, "null");
  else
    append_whole (line, (gint64) problem->n_plans);
  goban_json_add_number (line, "seconds", problem->seconds > 0 ? problem->seconds : (double) NAN);
  goban_json_append_key (line, "rollouts");
  append_whole (line, problem->n_rollouts);
  goban_json_append_key (line, "tasks");
  g_string_append (line, goban_tasks_have (problem->tasks, GOBAN_TASK_SCHEDULING)
                             ? "[\"placement\", \"scheduling\"]"
                             : "[\"placement\"]");
  goban_program_write_graph (line, problem->costs);
  if (problem->start != NULL)
    {
      goban_json_begin (line, "start", '{');
      goban_program_write_plan (line, problem->start);
      goban_program_write_outcome (line, problem->outcome);
      g_string_append_c (line, '}');
    }
  g_string_append (line, "}\n");
}

/* --- steps ------------------------------------------------------------------------------------ */

void
goban_program_write_step (GString *line, const GPtrArray *rollouts, GobanNodeId node)
{
  GobanCostModel *costs = ((const GobanGreedyPlan *) rollouts->pdata[0])->costs;
  guint n = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  gsize n_cells = (gsize) rollouts->len * n;
  g_autofree double *free_us = g_new (double, n_cells);
  g_autofree double *inputs_us = g_new (double, n_cells);
  g_autofree double *mask = g_new (double, n_cells);

  for (guint k = 0; k < rollouts->len; k++)
    {
      const GobanGreedyPlan *greedy = g_ptr_array_index (rollouts, k);
      gboolean fits = FALSE;

      for (guint d = 0; d < n; d++)
        {
          gsize i = (gsize) k * n + d;

          free_us[i] = greedy->free_us[d];
          inputs_us[i] = goban_greedy_plan_get_inputs_us (greedy, node, (GobanDeviceId) d);
          mask[i] = goban_greedy_plan_fits (greedy, node, (GobanDeviceId) d);
          fits = fits || mask[i] > 0.0;
        }
      /* 1: the node may go there. Where memory suffices nowhere, memory does not count. */
      for (guint d = 0; !fits && d < n; d++)
        mask[(gsize) k * n + d] = goban_cost_model_can_run (costs, node, (GobanDeviceId) d);
    }
  goban_json_append_key (line, "node");
  g_string_append_printf (line, "%u", node);
  write_rows (line, "free_us", free_us, rollouts->len, n);
  write_rows (line, "inputs_us", inputs_us, rollouts->len, n);
  write_rows (line, "mask", mask, rollouts->len, n);
}

static const char *const sayings[] = { "hello", "plan", "propose", "act", "end", NULL };
static const char *const ways[] = { "plan", "step", "propose", NULL };

void
goban_program_message_init (GobanProgramMessage *self)
{
  *self = (GobanProgramMessage){
    .devices = g_array_new (FALSE, FALSE, sizeof (GobanDeviceId)),
    .priorities = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .moves = g_array_new (FALSE, FALSE, sizeof (GobanProgramMove)),
  };
}

void
goban_program_message_clear (GobanProgramMessage *self)
{
  g_clear_pointer (&self->devices, g_array_unref);
  g_clear_pointer (&self->priorities, g_array_unref);
  g_clear_pointer (&self->moves, g_array_unref);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* A list of @n whole numbers. */
static gboolean
enter_list (GobanJsonValue root, const char *key, guint n, GobanJsonItems *items, GError **error)
{
  GobanJsonValue list = goban_json_find (root, key);

  if (goban_json_is_missing (list))
    return goban_json_refuse_missing (root, key, error);
  if (!goban_json_read_list (list, items, error))
    return FALSE;
  return items->n == n
         || goban_json_refuse (list, error, "%u numbers are needed, not %u", n, items->n);
}

static gboolean
read_devices (GobanProgramMessage *self, GobanJsonValue root, guint n, guint n_devices,
              GError **error)
{
  const GobanJsonWhole range = { 0, (gint64) n_devices - 1 };
  GobanJsonItems items;
  GobanJsonValue item;

  if (!enter_list (root, "devices", n, &items, error))
    return FALSE;
  g_array_set_size (self->devices, 0);
  while (goban_json_items_next (&items, &item))
    {
      gint64 number = 0;
      GobanDeviceId device;

      if (!goban_json_read_whole (item, range, &number, error))
        return FALSE;
      device = (GobanDeviceId) number;
      g_array_append_val (self->devices, device);
    }
  return TRUE;
}

static gboolean
read_priorities (GobanProgramMessage *self, GobanJsonValue root,
                 const GobanProgramExpectation *expectation, GError **error)
{
  const GobanJsonWhole range = { G_MININT32, G_MAXINT32 };
  GobanJsonItems items;
  GobanJsonValue item;

  g_array_set_size (self->priorities, 0);
  if (!goban_json_has (root, "priorities"))
    return TRUE;
  if (!expectation->has_priorities)
    return goban_json_refuse (goban_json_find (root, "priorities"), error,
                              "scheduling is not among the tasks: say so in hello");
  if (!enter_list (root, "priorities", expectation->n_nodes, &items, error))
    return FALSE;
  while (goban_json_items_next (&items, &item))
    {
      gint64 number = 0;
      gint32 priority;

      if (!goban_json_read_whole (item, range, &number, error))
        return FALSE;
      priority = (gint32) number;
      g_array_append_val (self->priorities, priority);
    }
  return TRUE;
}

/* Up to which makespan a plan or a move is accepted. */
static gboolean
read_limit (GobanProgramMessage *self, GobanJsonValue root, GError **error)
{
  self->has_limit = goban_json_has (root, "at_most_us");
  return goban_json_get_number (root, "at_most_us", GOBAN_JSON_AMOUNT, &self->limit_us, error);
}

static gboolean
read_move (GobanJsonValue item, const GobanProgramExpectation *expectation, GobanProgramMove *move,
           GError **error)
{
  const gint64 most[] = { (gint64) expectation->n_nodes - 1, (gint64) expectation->n_devices - 1 };
  gint64 numbers[2] = { 0 };
  GobanJsonItems pair;
  GobanJsonValue value;

  if (!goban_json_read_list (item, &pair, error))
    return FALSE;
  if (pair.n != 2)
    return goban_json_refuse (item, error, "a node and a device are needed");
  for (guint i = 0; i < 2 && goban_json_items_next (&pair, &value); i++)
    if (!goban_json_read_whole (value, (GobanJsonWhole){ 0, most[i] }, &numbers[i], error))
      return FALSE;
  *move = (GobanProgramMove){ (GobanNodeId) numbers[0], (GobanDeviceId) numbers[1] };
  return TRUE;
}

static gboolean
read_moves (GobanProgramMessage *self, GobanJsonValue root,
            const GobanProgramExpectation *expectation, GError **error)
{
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_has (root, "moves"))
    return goban_json_refuse_missing (root, "moves", error);
  if (!goban_json_get_list (root, "moves", &items, error))
    return FALSE;
  g_array_set_size (self->moves, 0);
  while (goban_json_items_next (&items, &item))
    {
      GobanProgramMove move;

      if (!read_move (item, expectation, &move, error))
        return FALSE;
      g_array_append_val (self->moves, move);
    }
  return TRUE;
}

gboolean
goban_program_message_read_body (GobanProgramMessage *self, GobanJsonValue root,
                                 GobanProgramSaying saying,
                                 const GobanProgramExpectation *expectation, GError **error)
{
  return saying == GOBAN_SAYS_PROPOSE
             ? read_moves (self, root, expectation, error)
             : read_devices (self, root, expectation->n_nodes, expectation->n_devices, error)
                   && read_priorities (self, root, expectation, error);
}

static gboolean
read_plan (GobanProgramMessage *self, GobanJsonValue root,
           const GobanProgramExpectation *expectation, GError **error)
{
  static const char *const keys[]
      = { "!type", "!devices", "priorities", "at_most_us", "details", NULL };

  self->wants_details = FALSE;
  return goban_json_check_object (root, keys, error)
         && goban_program_message_read_body (self, root, GOBAN_SAYS_PLAN, expectation, error)
         && read_limit (self, root, error)
         && goban_json_get_boolean (root, "details", &self->wants_details, error);
}

static gboolean
read_proposal (GobanProgramMessage *self, GobanJsonValue root,
               const GobanProgramExpectation *expectation, GError **error)
{
  static const char *const keys[] = { "!type", "!moves", "at_most_us", NULL };

  return goban_json_check_object (root, keys, error) && read_moves (self, root, expectation, error)
         && read_limit (self, root, error);
}

static gboolean
read_act (GobanProgramMessage *self, GobanJsonValue root,
          const GobanProgramExpectation *expectation, GError **error)
{
  static const char *const keys[] = { "!type", "!devices", NULL };

  return goban_json_check_object (root, keys, error)
         && read_devices (self, root, expectation->n_rows, expectation->n_devices, error);
}

/* Other keys are left to later versions. */
static gboolean
read_hello (GobanProgramMessage *self, GobanJsonValue root, GError **error)
{
  static const char *const words[] = { "placement", "scheduling", NULL };
  const GobanTasks tasks[] = { 1u << GOBAN_TASK_PLACEMENT, 1u << GOBAN_TASK_SCHEDULING };
  gint64 version = 0, n_rollouts = 1;
  guint decides = GOBAN_DECIDES_PLAN;
  GobanJsonItems items;
  GobanJsonValue item;

  if (!goban_json_has (root, "protocol"))
    return goban_json_refuse_missing (root, "protocol", error);
  if (!goban_json_get_whole (root, "protocol", GOBAN_JSON_COUNT, &version, error))
    return FALSE;
  if (version != GOBAN_PROTOCOL_VERSION)
    return goban_json_refuse (goban_json_find (root, "protocol"), error,
                              "version %d of the protocol is spoken here, not %d",
                              GOBAN_PROTOCOL_VERSION, (int) MIN (version, G_MAXINT));
  if (!goban_json_has (root, "decides"))
    return goban_json_refuse_missing (root, "decides", error);
  if (!goban_json_get_word (root, "decides", ways, &decides, error)
      || !goban_json_get_whole (root, "rollouts", (GobanJsonWhole){ 1, GOBAN_PROGRAM_MAX_ROLLOUTS },
                                &n_rollouts, error)
      || !goban_json_get_list (root, "tasks", &items, error))
    return FALSE;
  self->decides = decides;
  self->n_rollouts = (guint) n_rollouts;
  self->tasks = items.n == 0 ? GOBAN_TASKS_DEFAULT : 0;
  while (goban_json_items_next (&items, &item))
    {
      const char *word = NULL;

      if (!goban_json_read_text (item, &word, error))
        return FALSE;
      if (!g_strv_contains (words, word))
        return goban_json_refuse (item, error, "a program decides placement and scheduling, not %s",
                                  word);
      self->tasks |= tasks[strcmp (word, words[0]) == 0 ? 0 : 1];
    }
  return TRUE;
}

/* --- messages --------------------------------------------------------------------------------- */

/* "plan or end" */
static char *
list_expected (guint expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; sayings[i] != NULL; i++)
    if (expected & 1u << i)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " or " : "", sayings[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
read_root (GobanProgramMessage *self, GobanJsonValue root,
           const GobanProgramExpectation *expectation, GError **error)
{
  guint saying = G_N_ELEMENTS (sayings);

  if (goban_json_get_type (root) != GOBAN_JSON_OBJECT)
    return goban_json_refuse (root, error, "an object is needed");
  if (!goban_json_has (root, "type"))
    return goban_json_refuse_missing (root, "type", error);
  if (!goban_json_get_word (root, "type", sayings, &saying, error))
    return FALSE;
  if ((expectation->expected & 1u << saying) == 0)
    {
      g_autofree char *expected = list_expected (expectation->expected);

      return goban_json_refuse (root, error, "%s is expected, not %s", expected, sayings[saying]);
    }
  self->saying = 1u << saying;
  switch (self->saying)
    {
    case GOBAN_SAYS_HELLO:
      return read_hello (self, root, error);
    case GOBAN_SAYS_PLAN:
      return read_plan (self, root, expectation, error);
    case GOBAN_SAYS_PROPOSE:
      return read_proposal (self, root, expectation, error);
    case GOBAN_SAYS_ACT:
      return read_act (self, root, expectation, error);
    case GOBAN_SAYS_END:
      return TRUE;
    default:
      g_assert_not_reached ();
    }
}

void
goban_program_drop_line_number (GError *error, const char *origin)
{
  const char *rest = error->message + strlen (origin);
  char *shorter;

  if (!g_str_has_prefix (error->message, origin) || !g_str_has_prefix (rest, ":1:"))
    return;
  rest += strlen (":1:");
  shorter = g_strconcat (origin, g_ascii_isdigit (*rest) ? ", column " : ":", rest, NULL);
  g_free (error->message);
  error->message = shorter;
}

gboolean
goban_program_message_read (GobanProgramMessage *self, const char *line, gsize n,
                            const GobanProgramExpectation *expectation, const char *origin,
                            GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autoptr (GobanJsonReader) reader = goban_json_reader_new (line, (gssize) n, origin, &why);

  if (reader != NULL && read_root (self, goban_json_reader_get_root (reader), expectation, &why))
    return TRUE;
  goban_program_drop_line_number (why, origin);
  if (reader != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  else
    goban_set_error (error, GOBAN_ERROR_PARSE,
                     "%s. Its standard output is for messages; others belong on standard error",
                     why->message);
  return FALSE;
}

GobanPlan *
goban_program_message_new_plan (const GobanProgramMessage *self, const GobanPlan *blank)
{
  GobanPlan *plan = goban_plan_copy (blank);

  for (GobanNodeId v = 0; v < self->devices->len; v++)
    goban_plan_set_device (plan, v, g_array_index (self->devices, GobanDeviceId, v));
  if (self->priorities->len > 0)
    goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < self->priorities->len; v++)
    goban_plan_set_priority (plan, v, g_array_index (self->priorities, gint32, v));
  return plan;
}
