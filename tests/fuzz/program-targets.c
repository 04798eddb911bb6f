/* Messages of programs that make plans, and requests of programs that ask: lines of JSON. */
#include "engine/core/json-reader.h"
#include "engine/study/programs/program-message.h"
#include "engine/study/programs/server.h"
#include "tests/fuzz/targets.h"

#include <string.h>

#define N_NODES 4
#define N_DEVICES 3
#define N_ROWS 2
/* Policies of a request end then; what is measured is the reader. */
#define MAX_REQUEST_US 20000

typedef void (*LineFunc) (const char *line, gsize n, gpointer user_data);

static void
for_each_line (const char *data, gsize size, LineFunc func, gpointer user_data)
{
  const char *end = data + size;

  while (data != NULL && data < end)
    {
      const char *stop = memchr (data, '\n', (gsize) (end - data));

      stop = stop != NULL ? stop : end;
      func (data, (gsize) (stop - data), user_data);
      data = stop + 1;
    }
}

/* --- plans ------------------------------------------------------------------------------------ */

/* Every index that was read is one of the problem. */
static void
check_message (const GobanProgramMessage *message, gboolean has_priorities)
{
  switch (message->saying)
    {
    case GOBAN_SAYS_HELLO:
      FUZZ_CHECK (message->tasks != 0 && !goban_tasks_have (message->tasks, GOBAN_TASK_FUSION));
      FUZZ_CHECK (message->n_rollouts >= 1 && message->n_rollouts <= GOBAN_PROGRAM_MAX_ROLLOUTS);
      break;
    case GOBAN_SAYS_PLAN:
      FUZZ_CHECK (message->devices->len == N_NODES);
      FUZZ_CHECK (message->priorities->len == 0
                  || (has_priorities && message->priorities->len == N_NODES));
      break;
    case GOBAN_SAYS_ACT:
      FUZZ_CHECK (message->devices->len == N_ROWS);
      break;
    case GOBAN_SAYS_PROPOSE:
      for (guint i = 0; i < message->moves->len; i++)
        {
          GobanProgramMove move = g_array_index (message->moves, GobanProgramMove, i);

          FUZZ_CHECK (move.node < N_NODES && move.device < N_DEVICES);
        }
      break;
    default:
      FUZZ_CHECK (message->saying == GOBAN_SAYS_END);
    }
  for (guint i = 0; message->saying != GOBAN_SAYS_HELLO && i < message->devices->len; i++)
    FUZZ_CHECK (g_array_index (message->devices, GobanDeviceId, i) < N_DEVICES);
}

static void
read_message_cb (const char *line, gsize n, gpointer user_data)
{
  GobanProgramMessage *message = user_data;

  for (guint i = 0; i < 2; i++)
    {
      const GobanProgramExpectation expectation = {
        .expected = i == 0 ? GOBAN_SAYS_PLAN | GOBAN_SAYS_END : G_MAXUINT,
        .n_nodes = N_NODES,
        .n_devices = N_DEVICES,
        .n_rows = N_ROWS,
        .has_priorities = i == 1,
      };
      g_autoptr (GError) error = NULL;
      gboolean is_read
          = goban_program_message_read (message, line, n, &expectation, FUZZ_ORIGIN, &error);

      fuzz_check_outcome (is_read, error, FUZZ_ORIGIN);
      if (is_read)
        check_message (message, i == 1);
    }
}

void
fuzz_program (const char *data, gsize size)
{
  g_auto (GobanProgramMessage) message;

  goban_program_message_init (&message);
  for_each_line (data, size, read_message_cb, &message);
}

/* --- requests --------------------------------------------------------------------------------- */

typedef struct
{
  GobanServer *server;
  gint64 until_us;
} Session;

static gboolean
should_stop_cb (gpointer user_data)
{
  return g_get_monotonic_time () > ((const Session *) user_data)->until_us;
}

/* Each request has one line of an object as its answer. */
static void
ask_cb (const char *line, gsize n, gpointer user_data)
{
  Session *session = user_data;
  const GobanProgress progress = { .should_stop = should_stop_cb, .user_data = session };
  g_autofree char *answer = NULL;
  g_autoptr (GobanJsonReader) reader = NULL;

  session->until_us = g_get_monotonic_time () + MAX_REQUEST_US;
  answer = goban_server_answer (session->server, line, n, &progress);
  FUZZ_CHECK (strchr (answer, '\n') == answer + strlen (answer) - 1);
  reader = goban_json_reader_new (answer, -1, FUZZ_ORIGIN, NULL);
  if (reader == NULL
      || goban_json_get_type (goban_json_reader_get_root (reader)) != GOBAN_JSON_OBJECT)
    fuzz_fail ("the answer is no object", answer);
}

void
fuzz_serve (const char *data, gsize size)
{
  g_autoptr (GobanServer) server = goban_server_new (FALSE);
  Session session = { server, 0 };

  for_each_line (data, size, ask_cb, &session);
}
