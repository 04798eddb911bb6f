#include "ui/console/console-evaluator.h"

G_DEFINE_INTERFACE (GobanConsoleEvaluator, goban_console_evaluator, G_TYPE_OBJECT)

static const char *
lua_language (GobanConsoleEvaluator *self)
{
  return "lua";
}

static const char *
no_greeting (GobanConsoleEvaluator *self)
{
  return NULL;
}

static guint
no_number (GobanConsoleEvaluator *self)
{
  return 0;
}

static void
goban_console_evaluator_default_init (GobanConsoleEvaluatorInterface *iface)
{
  iface->get_language = lua_language;
  iface->get_greeting = no_greeting;
  iface->get_number = no_number;

  g_signal_new ("output", GOBAN_TYPE_CONSOLE_EVALUATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  g_signal_new ("exhibit", GOBAN_TYPE_CONSOLE_EVALUATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_signal_new ("inputs", GOBAN_TYPE_CONSOLE_EVALUATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_STRING);
  g_signal_new ("progress", GOBAN_TYPE_CONSOLE_EVALUATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_STRING);
  g_signal_new ("busy", GOBAN_TYPE_CONSOLE_EVALUATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

void
goban_console_evaluator_evaluate_async (GobanConsoleEvaluator *self, const char *text,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));
  g_return_if_fail (text != NULL);

  GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->evaluate_async (self, text, callback, user_data);
}

void
goban_console_evaluator_evaluate_script_async (GobanConsoleEvaluator *self,
                                               const GobanConsoleScript *script,
                                               GAsyncReadyCallback callback, gpointer user_data)
{
  GobanConsoleEvaluatorInterface *iface = GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self);

  if (iface->evaluate_script_async != NULL)
    iface->evaluate_script_async (self, script, callback, user_data);
  else
    iface->evaluate_async (self, script->text, callback, user_data);
}

char *
goban_console_evaluator_evaluate_finish (GobanConsoleEvaluator *self, GAsyncResult *result,
                                         GError **error)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), NULL);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->evaluate_finish (self, result, error);
}

gboolean
goban_console_evaluator_is_complete (GobanConsoleEvaluator *self, const char *text)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), TRUE);
  g_return_val_if_fail (text != NULL, TRUE);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->is_complete (self, text);
}

char **
goban_console_evaluator_complete (GobanConsoleEvaluator *self, const char *text, gsize cursor,
                                  gsize *start, char ***details)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), NULL);
  g_return_val_if_fail (text != NULL && start != NULL && details != NULL, NULL);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->complete (self, text, cursor, start, details);
}

char *
goban_console_evaluator_help (GobanConsoleEvaluator *self, const char *text, gsize cursor)
{
  GobanConsoleEvaluatorInterface *iface = GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self);

  return iface->help != NULL ? iface->help (self, text, cursor) : NULL;
}

void
goban_console_evaluator_interrupt (GobanConsoleEvaluator *self)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->interrupt (self);
}

const char *
goban_console_evaluator_get_language (GobanConsoleEvaluator *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), NULL);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->get_language (self);
}

const char *
goban_console_evaluator_get_greeting (GobanConsoleEvaluator *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), NULL);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->get_greeting (self);
}

guint
goban_console_evaluator_get_number (GobanConsoleEvaluator *self)
{
  g_return_val_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self), 0);

  return GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self)->get_number (self);
}

void
goban_console_evaluator_print (GobanConsoleEvaluator *self, GobanConsoleKind kind, const char *text)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  g_signal_emit_by_name (self, "output", (int) kind, text);
}

void
goban_console_evaluator_follow (GobanConsoleEvaluator *self,
                                const struct _GobanReference *reference)
{
  GobanConsoleEvaluatorInterface *iface = GOBAN_CONSOLE_EVALUATOR_GET_IFACE (self);

  if (iface->follow != NULL)
    iface->follow (self, reference);
}

void
goban_console_evaluator_exhibit (GobanConsoleEvaluator *self, const struct _GobanExhibit *exhibit)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  g_signal_emit_by_name (self, "exhibit", exhibit);
}

void
goban_console_evaluator_set_progress (GobanConsoleEvaluator *self, double fraction,
                                      const char *text)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  g_signal_emit_by_name (self, "progress", fraction, text);
}

void
goban_console_evaluator_set_inputs (GobanConsoleEvaluator *self, guint64 stamp, const char *change)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  g_signal_emit_by_name (self, "inputs", stamp, change);
}

void
goban_console_evaluator_set_busy (GobanConsoleEvaluator *self, gboolean is_busy)
{
  g_return_if_fail (GOBAN_IS_CONSOLE_EVALUATOR (self));

  g_signal_emit_by_name (self, "busy", is_busy);
}
