#include "engine/study/programs/program-message.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"
#include "engine/core/json-reader.h"

#include <string.h>

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
