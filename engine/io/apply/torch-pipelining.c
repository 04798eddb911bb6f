/* A schedule of torch.distributed.pipelining, a line per rank and a field per step, and the split
 * of the model into stages, a Python module.
 *
 * A stage begins with a module and lasts until the next one begins, in the order of the graph. The
 * devices of the plan are the ranks, in the order of their first ops; they take the stages in turn.
 * "1F0" is the forward pass of stage 1 with micro-batch 0, "1B0" the backward pass; an empty field
 * is a bubble. Each rank takes the first op that is ready, forward passes before backward ones, as
 * GPipe does, unless the request names another schedule, which has no bubbles. Sends and receives
 * are added by PyTorch.
 */
#include "engine/io/apply/target.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/json-text.h"
#include "engine/machine/parallel/schedule-csv.h"

#define MOST_MICRO_BATCHES 1024
#define NOT_YET G_MAXUINT

static const GobanDeviceWord words[] = {
  { "gpu", "cuda:", TRUE },
  { NULL },
};

typedef struct
{
  GobanNodeId first;
  GobanDeviceId device;
  const char *module; /* that it begins with; NULL: the first stage */
} Stage;

typedef struct
{
  const GobanApplyWork *work;
  GArray *stages; /* of Stage */
  guint n_ranks;
  gboolean has_backward;
} Pipeline;

static const Stage *
get_stage (const Pipeline *self, guint s)
{
  return &g_array_index (self->stages, Stage, s);
}

static gboolean
is_forward (const GobanApplyWork *work, GobanNodeId node)
{
  return goban_graph_get_node (work->graph, node)->phase == GOBAN_PHASE_FORWARD;
}

/* --- stages ---------------------------------------------------------------------------------- */

/* The largest module that begins with the node, or NULL. */
static const char *
find_module (const GobanModules *modules, GobanNodeId node)
{
  const char *path = NULL;

  for (guint i = modules->of_node[node]; i > 0 && goban_modules_get (modules, i)->first == node;
       i = goban_modules_get (modules, i)->parent)
    path = goban_modules_get (modules, i)->path;
  return path;
}

static gboolean
find_stages (Pipeline *self, const GobanModules *modules, GError **error)
{
  const GobanApplyWork *work = self->work;
  GobanNodeId last = GOBAN_NO_NODE;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      Stage stage = { v, goban_plan_get_device (work->plan, v), NULL };

      if (!is_forward (work, v))
        continue;
      if (last == GOBAN_NO_NODE || goban_plan_get_device (work->plan, last) != stage.device)
        {
          if (last != GOBAN_NO_NODE && (stage.module = find_module (modules, v)) == NULL)
            return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                                 "a stage of a PyTorch pipeline begins with a module: node “%s” on "
                                 "%s follows “%s” on %s inside “%s”",
                                 goban_apply_node_name (work, v), goban_apply_device_name (work, v),
                                 goban_apply_node_name (work, last),
                                 goban_apply_device_name (work, last),
                                 goban_modules_get_name (modules, modules->of_node[v]));
          g_array_append_val (self->stages, stage);
        }
      last = v;
    }
  return self->stages->len > 0
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "the graph has no forward ops");
}

/* The number of the device's first stage. */
static guint
find_first (const Pipeline *self, GobanDeviceId device)
{
  guint s = 0;

  while (get_stage (self, s)->device != device)
    s++;
  return s;
}

/* Stage s is on rank s modulo the number of ranks, PyTorch's default. */
static gboolean
check_ranks (Pipeline *self, GError **error)
{
  const GobanApplyWork *work = self->work;
  guint n = self->stages->len;

  for (guint s = 0; s < n; s++)
    self->n_ranks += find_first (self, get_stage (self, s)->device) == s;
  for (guint s = 0; s < n; s++)
    {
      GobanNodeId node = get_stage (self, s)->first;
      GobanNodeId expected = get_stage (self, s % self->n_ranks)->first;

      if (goban_plan_get_device (work->plan, node) != goban_plan_get_device (work->plan, expected))
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "the ranks of a PyTorch pipeline take the stages in turn: stage %u, "
                             "from node “%s” on, is on %s, and not on %s",
                             s, goban_apply_node_name (work, node),
                             goban_apply_device_name (work, node),
                             goban_apply_device_name (work, expected));
    }
  return n % self->n_ranks == 0
         || goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                          "the ranks of a PyTorch pipeline have equally many stages: %u stages on "
                          "%u devices, the last from node “%s” on",
                          n, self->n_ranks,
                          goban_apply_node_name (work, get_stage (self, n - 1)->first));
}

/* The backward ops go through the stages in reverse. */
static gboolean
check_backward (Pipeline *self, GError **error)
{
  const GobanApplyWork *work = self->work;
  guint s = self->stages->len - 1;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      GobanDeviceId device = goban_plan_get_device (work->plan, v);

      if (goban_graph_get_node (work->graph, v)->phase != GOBAN_PHASE_BACKWARD)
        continue;
      self->has_backward = TRUE;
      if (get_stage (self, s)->device != device && s > 0
          && get_stage (self, s - 1)->device == device)
        s--;
      if (get_stage (self, s)->device != device)
        return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                             "a PyTorch pipeline computes the gradients of a stage where the stage "
                             "is: node “%s” is on %s, but stage %u is on %s",
                             goban_apply_node_name (work, v), goban_apply_device_name (work, v), s,
                             goban_apply_device_name (work, get_stage (self, s)->first));
    }
  return TRUE;
}

/* An update is on the device of its gradients. */
static gboolean
check_updates (const GobanApplyWork *work, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (work->graph, v);

      if (goban_graph_get_node (work->graph, v)->phase != GOBAN_PHASE_UPDATE)
        continue;
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (work->graph, in.ids[i])->tail;

          if (goban_graph_get_node (work->graph, tail)->phase == GOBAN_PHASE_BACKWARD
              && goban_plan_get_device (work->plan, tail) != goban_plan_get_device (work->plan, v))
            return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                                 "a PyTorch pipeline updates parameters where their gradients are: "
                                 "node “%s” is on %s, node “%s” on %s",
                                 goban_apply_node_name (work, v), goban_apply_device_name (work, v),
                                 goban_apply_node_name (work, tail),
                                 goban_apply_device_name (work, tail));
        }
    }
  return TRUE;
}

/* --- the schedule ---------------------------------------------------------------------------- */

/* Steps at which passes are done, by stage and micro-batch; the backward ones behind the forward
 * ones. */
typedef struct
{
  const Pipeline *pipeline;
  guint n_stages;
  guint n_batches;
  guint *steps;
} Clock;

static guint *
get_step (const Clock *self, gboolean backward, guint stage, guint batch)
{
  return &self->steps[((backward ? self->n_stages : 0) + stage) * self->n_batches + batch];
}

static gboolean
is_ready (const Clock *self, gboolean backward, guint stage, guint batch, guint step)
{
  gboolean is_end = backward ? stage + 1 == self->n_stages : stage == 0;
  guint neighbour = backward ? stage + 1 : stage - 1;

  return *get_step (self, backward, stage, batch) == NOT_YET
         && (!backward || *get_step (self, FALSE, stage, batch) < step)
         && (is_end || *get_step (self, backward, neighbour, batch) < step);
}

/* The pass that the rank begins at the step; FALSE: none is ready. */
static gboolean
take_pass (const Clock *self, guint rank, guint step, GString *line)
{
  for (guint backward = 0; backward <= (guint) self->pipeline->has_backward; backward++)
    for (guint batch = 0; batch < self->n_batches; batch++)
      for (guint stage = rank; stage < self->n_stages; stage += self->pipeline->n_ranks)
        if (is_ready (self, backward != 0, stage, batch, step))
          {
            *get_step (self, backward != 0, stage, batch) = step;
            g_string_append_printf (line, "%u%c%u", stage, backward != 0 ? 'B' : 'F', batch);
            return TRUE;
          }
  return FALSE;
}

static void
append_schedule (const Pipeline *self, guint n_batches, GString *text)
{
  guint n_stages = self->stages->len;
  guint n_passes = n_stages * n_batches * (self->has_backward ? 2 : 1);
  g_autofree guint *steps = g_new (guint, (gsize) 2 * n_stages * n_batches);
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();
  Clock clock = { self, n_stages, n_batches, steps };

  for (gsize i = 0; i < (gsize) 2 * n_stages * n_batches; i++)
    steps[i] = NOT_YET;
  for (guint rank = 0; rank < self->n_ranks; rank++)
    g_ptr_array_add (lines, g_string_new (NULL));
  /* Some pass is ready at each step, because a step waits only for earlier ones. */
  for (guint step = 0; n_passes > 0; step++)
    for (guint rank = 0; rank < self->n_ranks; rank++)
      {
        GString *line = g_ptr_array_index (lines, rank);

        g_string_append (line, step > 0 ? "," : "");
        n_passes -= take_pass (&clock, rank, step, line) ? 1 : 0;
      }
  for (guint rank = 0; rank < self->n_ranks; rank++)
    {
      GString *line = g_ptr_array_index (lines, rank);

      g_string_append_printf (text, "%s\n", line->str);
      g_string_free (line, TRUE);
    }
}

static gboolean
append_named_schedule (const Pipeline *self, guint n_batches, GError **error)
{
  GobanScheduleShape shape = { .n_ranks = self->n_ranks,
                               .n_stages = self->stages->len,
                               .n_batches = n_batches,
                               .has_backward = self->has_backward };
  g_autoptr (GobanSchedule) schedule
      = goban_schedule_new (self->work->request->schedule, &shape, error);
  g_autofree char *csv = schedule != NULL ? goban_schedule_to_csv (schedule, NULL) : NULL;

  if (csv == NULL)
    return FALSE;
  g_string_append (self->work->text, csv);
  return TRUE;
}

static void
append_split (const Pipeline *self, char *const *names, GString *text)
{
  g_string_append (text, "from torch.distributed.pipelining import SplitPoint\n\n"
                         "# Devices of the ranks.\nDEVICES = [");
  for (guint rank = 0; rank < self->n_ranks; rank++)
    g_string_append_printf (text, "%s\"%s\"", rank > 0 ? ", " : "",
                            names[get_stage (self, rank)->device]);
  g_string_append (text, "]\n\nsplit_spec = {\n");
  for (guint s = 1; s < self->stages->len; s++)
    {
      g_string_append (text, "    ");
      goban_json_append_string (text, get_stage (self, s)->module);
      g_string_append (text, ": SplitPoint.BEGINNING,\n");
    }
  g_string_append (text, "}\n");
}

static gboolean
write_pipeline (GobanApplyWork *work, GError **error)
{
  guint n_batches = MAX (work->request->n_micro_batches, 1);
  g_auto (GStrv) names = goban_device_names_new (work, words, "PyTorch", error);
  g_autoptr (GobanModules) modules = NULL;
  g_autoptr (GArray) stages = g_array_new (FALSE, FALSE, sizeof (Stage));
  Pipeline self = { .work = work, .stages = stages };

  if (names == NULL)
    return FALSE;
  if (n_batches > MOST_MICRO_BATCHES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a pipeline has at most %d micro-batches",
                         MOST_MICRO_BATCHES);
  modules = goban_modules_new (work);
  if (!find_stages (&self, modules, error) || !check_ranks (&self, error)
      || !check_backward (&self, error) || !check_updates (work, error))
    return FALSE;
  if (work->request->schedule == NULL)
    append_schedule (&self, n_batches, work->text);
  else if (!append_named_schedule (&self, n_batches, error))
    return FALSE;
  append_split (&self, names, work->second);
  return TRUE;
}

const GobanApplyTarget goban_apply_torch_pipelining = {
  .name = "torch-pipelining",
  .framework = "PyTorch",
  .blurb = N_ ("the schedule of a pipeline as CSV, and the split_spec of its stages"),
  .suffix = ".csv",
  .second_suffix = ".split.py",
  .write = write_pipeline,
};
