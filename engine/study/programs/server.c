#include "engine/study/programs/server.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/placers/units.h"
#include "engine/sim/simulator.h"
#include "engine/study/analysis/causes.h"
#include "engine/study/programs/program-message.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/run/run-origin.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What a client keeps is bounded: it drops what it does not need. */
#define MAX_BOARDS 64
#define MAX_PLANS 10000
#define MAX_POLICIES 100
#define DEFAULT_CLUSTER "p100x4"

/* A graph on a cluster. */
typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanSimulator *simulator;
} Board;

typedef struct
{
  char *board; /* its name */
  GobanPlan *plan;
} Placed;

struct _GobanServer
{
  gboolean reads_files;
  GHashTable *boards;      /* "g1": Board */
  GHashTable *plans;       /* "p1": Placed */
  guint n_boards, n_plans; /* named so far */
  guint64 n_lines;
  GobanProgramMessage message;
};

/* A request, and what is written of its answer. */
typedef struct
{
  GobanServer *server;
  GobanJsonValue root;
  const GobanProgress *progress;
  GString *answer;
} Request;

/* --- life cycle ------------------------------------------------------------------------------- */

static void
board_free (Board *self)
{
  goban_simulator_free (self->simulator);
  g_clear_pointer (&self->units, goban_units_free);
  goban_cost_model_unref (self->costs);
  g_free (self);
}

static void
placed_free (Placed *self)
{
  goban_plan_unref (self->plan);
  g_free (self->board);
  g_free (self);
}

GobanServer *
goban_server_new (gboolean reads_files)
{
  GobanServer *self = g_new0 (GobanServer, 1);

  self->reads_files = reads_files;
  self->boards
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) board_free);
  self->plans
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) placed_free);
  goban_program_message_init (&self->message);
  return self;
}

void
goban_server_free (GobanServer *self)
{
  g_hash_table_unref (self->plans);
  g_hash_table_unref (self->boards);
  goban_program_message_clear (&self->message);
  g_free (self);
}

/* --- graphs and plans ------------------------------------------------------------------------- */

/* What the request names under @key. (nullable) */
static gpointer
find_named (const Request *self, GHashTable *table, const char *key, const char **name,
            GError **error)
{
  GobanJsonValue value = goban_json_find (self->root, key);
  gpointer found;

  *name = NULL;
  if (goban_json_is_missing (value))
    {
      goban_json_refuse_missing (self->root, key, error);
      return NULL;
    }
  if (!goban_json_read_text (value, name, error))
    return NULL;
  found = g_hash_table_lookup (table, *name);
  if (found == NULL)
    goban_json_refuse (value, error, "there is no %s %s", key, *name);
  return found;
}

static Board *
find_board (const Request *self, const char **name, GError **error)
{
  return find_named (self, self->server->boards, "graph", name, error);
}

static Placed *
find_plan (const Request *self, Board **board, GError **error)
{
  const char *name;
  Placed *placed = find_named (self, self->server->plans, "plan", &name, error);

  if (placed != NULL)
    *board = g_hash_table_lookup (self->server->boards, placed->board);
  return placed;
}

/* Names a plan. FALSE with @error set if there are too many. */
static gboolean
keep_plan (Request *self, const char *board, GobanPlan *plan, GError **error)
{
  GobanServer *server = self->server;
  g_autofree char *name = NULL;
  Placed *placed;

  if (g_hash_table_size (server->plans) >= MAX_PLANS)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%d plans are kept: drop some", MAX_PLANS);
  name = g_strdup_printf ("p%u", ++server->n_plans);
  placed = g_new (Placed, 1);
  *placed = (Placed){ g_strdup (board), goban_plan_ref (plan) };
  goban_json_add_string (self->answer, "plan", name);
  g_hash_table_insert (server->plans, g_steal_pointer (&name), placed);
  return TRUE;
}

/* --- requests --------------------------------------------------------------------------------- */

static GobanGraph *
read_graph (const Request *self, GError **error)
{
  const char *path = NULL, *text = NULL, *format = NULL;
  GobanLoadOptions options = { .only_regular = TRUE, .progress = self->progress };

  if (!goban_json_get_text (self->root, "graph", &path, error)
      || !goban_json_get_text (self->root, "text", &text, error)
      || !goban_json_get_text (self->root, "format", &format, error))
    return NULL;
  options.format = format;
  if ((path != NULL) == (text != NULL))
    {
      goban_json_refuse (self->root, error,
                         "either graph, a path or a generator's words, or text is needed");
      return NULL;
    }
  if (!goban_graph_source_check_reader (format, error))
    return NULL;
  if (text != NULL)
    return goban_graph_source_parse (text, strlen (text), &options, error);
  if (!self->server->reads_files && !goban_graph_source_is_spec (path))
    {
      goban_json_refuse (goban_json_find (self->root, "graph"), error,
                         "this server reads no files: send the text");
      return NULL;
    }
  return goban_graph_source_load (path, &options, error);
}

/* The one that is named, that of the graph's file, or the usual one. */
static GobanCluster *
read_cluster (const Request *self, GobanGraph *graph, GError **error)
{
  const char *spec = NULL;
  g_autoptr (GError) why = NULL;
  GobanCluster *cluster;

  if (!goban_json_get_text (self->root, "cluster", &spec, error))
    return NULL;
  if (spec == NULL)
    {
      cluster = goban_cluster_new_for_graph (graph, &why);
      return cluster != NULL ? cluster : goban_cluster_new_from_spec (DEFAULT_CLUSTER, error);
    }
  if (!self->server->reads_files && !goban_cluster_is_description (spec))
    {
      goban_json_refuse (goban_json_find (self->root, "cluster"), error,
                         "this server reads no files: send a description");
      return NULL;
    }
  return goban_cluster_new_from_inner_spec (spec, error);
}

static gboolean
do_load (Request *self, GError **error)
{
  GobanServer *server = self->server;
  gboolean wants_arrays = FALSE, is_free = FALSE;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autofree char *warning = NULL;
  GobanUnits *units;
  Board *board;
  char *name;

  if (g_hash_table_size (server->boards) >= MAX_BOARDS)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%d graphs are kept: drop some", MAX_BOARDS);
  if (!goban_json_get_boolean (self->root, "arrays", &wants_arrays, error)
      || !goban_json_get_boolean (self->root, "contention_free", &is_free, error))
    return FALSE;
  graph = read_graph (self, error);
  cluster = graph != NULL ? read_cluster (self, graph, error) : NULL;
  if (cluster == NULL || !goban_cluster_check_times (cluster, graph, &warning, error))
    return FALSE;
  if (warning != NULL)
    goban_json_add_string (self->answer, "warning", warning);
  costs = goban_cost_model_new (graph, cluster,
                                is_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS);
  units = goban_units_new (costs, error);
  if (units == NULL)
    return FALSE;
  board = g_new (Board, 1);
  *board = (Board){ goban_cost_model_ref (costs), units, goban_simulator_new (costs) };
  name = g_strdup_printf ("g%u", ++server->n_boards);
  g_hash_table_insert (server->boards, name, board);
  goban_json_add_string (self->answer, "graph", name);
  goban_json_add_number (self->answer, "n_nodes", goban_graph_get_n_nodes (graph));
  goban_json_add_number (self->answer, "n_edges", goban_graph_get_n_edges (graph));
  goban_json_add_number (self->answer, "n_devices", units->n_devices);
  goban_json_add_number (self->answer, "bound_us",
                         goban_kept_bounds (board->costs, FALSE)->bound_us);
  if (wants_arrays)
    goban_program_write_graph (self->answer, board->costs);
  return TRUE;
}

/* The budget of a policy. */
static gboolean
read_options (const Request *self, GobanRunOptions *options, GError **error)
{
  gint64 seed = 0, evaluations = 0;

  *options = (GobanRunOptions){ .progress = self->progress, .skips_record = TRUE };
  if (!goban_json_get_whole (self->root, "seed", GOBAN_JSON_COUNT, &seed, error)
      || !goban_json_get_whole (self->root, "evals", GOBAN_JSON_COUNT, &evaluations, error)
      || !goban_json_get_number (self->root, "seconds", GOBAN_JSON_AMOUNT, &options->max_seconds,
                                 error))
    return FALSE;
  options->seed = (guint64) seed;
  options->max_evaluations = (guint64) evaluations;
  return TRUE;
}

static void
write_run (GString *answer, GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);

  goban_program_write_outcome (answer, (GobanOutcome){ goban_trace_get_makespan (trace),
                                                       goban_trace_get_overflow_bytes (trace) });
  goban_json_add_number (answer, "evaluations", goban_run_get_origin (run)->evaluations);
}

static gboolean
do_place (Request *self, GError **error)
{
  const char *name, *policy = NULL;
  Board *board = find_board (self, &name, error);
  GobanRunOptions options;
  g_autoptr (GobanRun) run = NULL;

  if (board == NULL || !goban_json_get_name (self->root, "policy", &policy, error)
      || !read_options (self, &options, error))
    return FALSE;
  if (policy == NULL)
    return goban_json_refuse_missing (self->root, "policy", error);
  run = goban_run_new_from_policy (board->costs, policy, &options, error);
  if (run == NULL || !keep_plan (self, name, goban_run_get_plan (run), error))
    return FALSE;
  write_run (self->answer, run);
  goban_program_write_plan (self->answer, goban_run_get_plan (run));
  return TRUE;
}

static GobanProgramExpectation
expect (const Board *board)
{
  return (GobanProgramExpectation){ .n_nodes = goban_graph_get_n_nodes (board->units->graph),
                                    .n_devices = board->units->n_devices,
                                    .has_priorities = TRUE };
}

/* By the given devices, and the priorities there are. */
static GobanPlan *
read_plan (const Request *self, const Board *board, GError **error)
{
  GobanProgramMessage *message = &self->server->message;
  const GobanProgramExpectation expectation = expect (board);
  g_autoptr (GobanPlan) blank = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree GobanDeviceId *of_units = NULL;

  if (!goban_program_message_read_body (message, self->root, GOBAN_SAYS_PLAN, &expectation, error))
    return NULL;
  of_units = g_new0 (GobanDeviceId, board->units->n_units);
  blank = goban_units_new_plan (board->units, of_units);
  goban_plan_set_policy (blank, "by hand");
  plan = goban_program_message_new_plan (message, blank);
  return goban_plan_check (plan, board->costs, error) ? g_steal_pointer (&plan) : NULL;
}

static gboolean
do_simulate (Request *self, GError **error)
{
  const char *name;
  Board *board = find_board (self, &name, error);
  g_autoptr (GobanPlan) plan = board != NULL ? read_plan (self, board, error) : NULL;

  if (plan == NULL || !keep_plan (self, name, plan, error))
    return FALSE;
  goban_program_write_outcome (self->answer, goban_simulator_evaluate (board->simulator, plan));
  return TRUE;
}

/* A copy of the plan with the moves of the message; groups move as one. */
static GobanPlan *
move_nodes (const Request *self, const Board *board, const GobanPlan *plan, GError **error)
{
  const GArray *moves = self->server->message.moves;
  const GobanUnits *units = board->units;
  g_autoptr (GobanPlan) moved = goban_plan_copy (plan);

  for (guint i = 0; i < moves->len; i++)
    {
      GobanProgramMove move = g_array_index (moves, GobanProgramMove, i);
      guint32 unit = units->unit_of[move.node];

      if (!goban_units_can_run (units, unit, move.device))
        {
          goban_set_error (error, GOBAN_ERROR_INVALID, "“%s” cannot run on %s",
                           goban_graph_get_node (units->graph, move.node)->name,
                           goban_cluster_get_device (units->cluster, move.device)->name);
          return NULL;
        }
      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        goban_plan_set_device (moved, units->nodes[k], move.device);
    }
  return g_steal_pointer (&moved);
}

static gboolean
do_move (Request *self, GError **error)
{
  Board *board;
  Placed *placed = find_plan (self, &board, error);
  gboolean is_kept = TRUE;
  GobanProgramExpectation expectation;
  g_autoptr (GobanPlan) plan = NULL;

  if (placed == NULL)
    return FALSE;
  expectation = expect (board);
  if (!goban_json_get_boolean (self->root, "keep", &is_kept, error)
      || !goban_program_message_read_body (&self->server->message, self->root, GOBAN_SAYS_PROPOSE,
                                           &expectation, error))
    return FALSE;
  plan = move_nodes (self, board, placed->plan, error);
  if (plan == NULL)
    return FALSE;
  goban_program_write_outcome (self->answer, goban_simulator_evaluate (board->simulator, plan));
  if (is_kept)
    {
      goban_plan_unref (placed->plan);
      placed->plan = g_steal_pointer (&plan);
    }
  return TRUE;
}

/* Without a node or a device, why the plan is not valid. */
static gboolean
do_why (Request *self, GError **error)
{
  Board *board;
  Placed *placed = find_plan (self, &board, error);
  gint64 node = -1, device = -1;
  double time_us = 0;
  g_autoptr (GobanTrace) trace = NULL;
  GobanCauses *causes;
  guint n;

  if (placed == NULL)
    return FALSE;
  if (!goban_json_get_whole (self->root, "node",
                             (GobanJsonWhole){ 0, (gint64) expect (board).n_nodes - 1 }, &node,
                             error)
      || !goban_json_get_whole (self->root, "device",
                                (GobanJsonWhole){ 0, (gint64) board->units->n_devices - 1 },
                                &device, error)
      || !goban_json_get_number (self->root, "time_us", GOBAN_JSON_AMOUNT, &time_us, error))
    return FALSE;
  trace = goban_simulate (board->costs, placed->plan);
  goban_json_add_string (self->answer, "why", goban_trace_get_why (trace));
  if (node < 0 && device < 0)
    return TRUE;
  causes = node >= 0 ? goban_causes_new_for_node (trace, (GobanNodeId) node)
                     : goban_causes_new_for_device (trace, (GobanDeviceId) device, time_us);
  goban_causes_get (causes, &n);
  goban_json_begin (self->answer, "causes", '[');
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *words = goban_causes_describe (causes, i);

      g_string_append (self->answer, i > 0 ? ", " : "");
      goban_json_append_string (self->answer, words);
    }
  g_string_append_c (self->answer, ']');
  goban_causes_free (causes);
  return TRUE;
}

/* A policy that fails has its error in its row. */
static gboolean
do_compare (Request *self, GError **error)
{
  const char *name;
  Board *board = find_board (self, &name, error);
  g_autofree const char **policies = NULL;
  GobanRunOptions options;

  if (board == NULL || !read_options (self, &options, error)
      || !goban_json_get_texts (self->root, "policies", &policies, error))
    return FALSE;
  if (policies == NULL || policies[0] == NULL || g_strv_length ((char **) policies) > MAX_POLICIES)
    return goban_json_refuse (self->root, error, "policies: a list of 1 to %d names is needed",
                              MAX_POLICIES);
  goban_json_begin (self->answer, "rows", '[');
  for (guint i = 0; policies[i] != NULL; i++)
    {
      g_autoptr (GError) why = NULL;
      g_autoptr (GobanRun) run
          = goban_run_new_from_policy (board->costs, policies[i], &options, &why);

      g_string_append (self->answer, i > 0 ? ", {" : "{");
      goban_json_add_string (self->answer, "policy", policies[i]);
      if (run != NULL)
        write_run (self->answer, run);
      else
        goban_json_add_string (self->answer, "error", why->message);
      g_string_append_c (self->answer, '}');
    }
  g_string_append_c (self->answer, ']');
  return TRUE;
}

static gboolean
is_on_board (gpointer name, gpointer placed, gpointer board)
{
  return strcmp (((Placed *) placed)->board, board) == 0;
}

/* A plan, or a graph with its plans. */
static gboolean
do_drop (Request *self, GError **error)
{
  GobanServer *server = self->server;
  const char *name;

  if (goban_json_has (self->root, "plan"))
    {
      if (find_named (self, server->plans, "plan", &name, error) == NULL)
        return FALSE;
      return g_hash_table_remove (server->plans, name);
    }
  if (find_board (self, &name, error) == NULL)
    return FALSE;
  g_hash_table_foreach_remove (server->plans, is_on_board, (gpointer) name);
  return g_hash_table_remove (server->boards, name);
}

/* --- lines ------------------------------------------------------------------------------------ */

static const struct
{
  const char *name;
  gboolean (*answer) (Request *request, GError **error);
  const char *keys[12]; /* NULL-terminated */
} verbs[] = {
  { "load",
    do_load,
    { "id", "do", "graph", "text", "format", "cluster", "contention_free", "arrays", NULL } },
  { "place", do_place, { "id", "do", "graph", "policy", "seed", "evals", "seconds", NULL } },
  { "simulate", do_simulate, { "id", "do", "graph", "devices", "priorities", NULL } },
  { "move", do_move, { "id", "do", "plan", "moves", "keep", NULL } },
  { "why", do_why, { "id", "do", "plan", "node", "device", "time_us", NULL } },
  { "compare", do_compare, { "id", "do", "graph", "policies", "seed", "evals", "seconds", NULL } },
  { "drop", do_drop, { "id", "do", "graph", "plan", NULL } },
};

char *
goban_server_greet (void)
{
  g_autoptr (GString) line = g_string_new ("{");
  const char *names[G_N_ELEMENTS (verbs) + 1] = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    names[i] = verbs[i].name;
  goban_json_add_string (line, "type", "hello");
  goban_json_add_number (line, "protocol", GOBAN_PROTOCOL_VERSION);
  goban_json_add_strings (line, "does", names);
  g_string_append (line, "}\n");
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static gboolean
answer_request (Request *self, GError **error)
{
  const char *names[G_N_ELEMENTS (verbs) + 1] = { NULL };
  guint verb = G_N_ELEMENTS (verbs);

  if (goban_json_get_type (self->root) != GOBAN_JSON_OBJECT)
    return goban_json_refuse (self->root, error, "an object is needed");
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    names[i] = verbs[i].name;
  if (!goban_json_has (self->root, "do"))
    return goban_json_refuse_missing (self->root, "do", error);
  return goban_json_get_word (self->root, "do", names, &verb, error)
         && goban_json_check_object (self->root, verbs[verb].keys, error)
         && verbs[verb].answer (self, error);
}

/* The request's own, as it stands there. */
static void
write_id (GString *answer, GobanJsonValue root)
{
  GobanJsonValue id = goban_json_get_type (root) == GOBAN_JSON_OBJECT
                          ? goban_json_find (root, "id")
                          : (GobanJsonValue){ root.reader, GOBAN_JSON_MISSING };
  const char *digits;
  gsize n;

  goban_json_append_key (answer, "id");
  if (goban_json_is_missing (id))
    g_string_append (answer, "null");
  else if ((digits = goban_json_peek_digits (id, &n)) != NULL)
    g_string_append_len (answer, digits, (gssize) n);
  else
    goban_json_append_string (answer, goban_json_peek_text (id));
}

/* An answer of nothing but the error. (transfer full) */
static char *
end_answer (GString *answer, gsize n_kept, const GError *error)
{
  if (error != NULL)
    {
      g_string_truncate (answer, n_kept);
      goban_json_add_string (answer, "error", error->message);
    }
  g_string_append (answer, "}\n");
  return g_string_free (answer, FALSE);
}

char *
goban_server_refuse_line (GobanServer *self)
{
  g_autoptr (GError) error = NULL;

  self->n_lines++;
  goban_set_error (&error, GOBAN_ERROR_INVALID, "line %" PRIu64 " is longer than %d MB",
                   self->n_lines, (int) (GOBAN_SERVER_MAX_LINE >> 20));
  return end_answer (g_string_new ("{\"id\": null"), strlen ("{\"id\": null"), error);
}

char *
goban_server_answer (GobanServer *self, const char *line, gsize n, const GobanProgress *progress)
{
  g_autofree char *origin = g_strdup_printf ("line %" G_GUINT64_FORMAT, ++self->n_lines);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanJsonReader) reader = goban_json_reader_new (line, (gssize) n, origin, &error);
  Request request = { .server = self, .progress = progress, .answer = g_string_new ("{") };
  gsize n_kept;

  if (reader != NULL)
    {
      request.root = goban_json_reader_get_root (reader);
      write_id (request.answer, request.root);
    }
  else
    g_string_append (request.answer, "\"id\": null");
  n_kept = request.answer->len;
  if (reader != NULL)
    answer_request (&request, &error);
  if (error != NULL)
    goban_program_drop_line_number (error, origin);
  return end_answer (request.answer, n_kept, error);
}
