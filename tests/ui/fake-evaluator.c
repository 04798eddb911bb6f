#include "tests/ui/fake-evaluator.h"

#include "engine/core/error.h"

#include <string.h>

struct _FakeEvaluator
{
  GObject parent;

  GTask *waiting; /* NULL unless "wait" runs */
};

static void
evaluate_async (GobanConsoleEvaluator *evaluator, const char *text, GAsyncReadyCallback callback,
                gpointer user_data)
{
  FakeEvaluator *self = FAKE_EVALUATOR (evaluator);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  if (g_str_has_prefix (text, "echo "))
    {
      goban_console_evaluator_print (evaluator, GOBAN_CONSOLE_STDOUT, text + 5);
      g_task_return_pointer (task, g_strdup_printf ("=%s", text + 5), g_free);
    }
  else if (g_str_has_prefix (text, "fail "))
    g_task_return_new_error (task, GOBAN_ERROR, GOBAN_ERROR_INVALID, "%s", text + 5);
  else if (g_str_equal (text, "wait"))
    self->waiting = g_steal_pointer (&task);
  else
    g_task_return_pointer (task, g_strdup (""), g_free);
}

static char *
evaluate_finish (GobanConsoleEvaluator *evaluator, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
is_complete (GobanConsoleEvaluator *evaluator, const char *text)
{
  return !g_str_has_suffix (text, "do");
}

static char **
complete (GobanConsoleEvaluator *evaluator, const char *text, gsize cursor, gsize *start,
          char ***details)
{
  static const char *const words[] = { "apple", "apply", "banana" };
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) told = g_strv_builder_new ();
  gsize from = cursor;

  while (from > 0 && g_ascii_isalpha (text[from - 1]))
    from--;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strncmp (words[i], text + from, cursor - from) == 0)
      {
        g_autofree char *detail = g_strdup_printf ("%s(x)\nA fruit or not.", words[i]);

        g_strv_builder_add (found, words[i]);
        g_strv_builder_add (told, detail);
      }

  *start = from;
  *details = g_strv_builder_end (told);
  return g_strv_builder_end (found);
}

static void
interrupt (GobanConsoleEvaluator *evaluator)
{
  FakeEvaluator *self = FAKE_EVALUATOR (evaluator);
  g_autoptr (GTask) task = g_steal_pointer (&self->waiting);

  if (task != NULL)
    g_task_return_new_error (task, GOBAN_ERROR, GOBAN_ERROR_CANCELLED, "interrupted");
}

static void
iface_init (GobanConsoleEvaluatorInterface *iface)
{
  iface->evaluate_async = evaluate_async;
  iface->evaluate_finish = evaluate_finish;
  iface->is_complete = is_complete;
  iface->complete = complete;
  iface->interrupt = interrupt;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeEvaluator, fake_evaluator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GOBAN_TYPE_CONSOLE_EVALUATOR, iface_init))

static void
fake_evaluator_class_init (FakeEvaluatorClass *klass)
{
}

static void
fake_evaluator_init (FakeEvaluator *self)
{
}

GobanConsoleEvaluator *
fake_evaluator_new (void)
{
  return GOBAN_CONSOLE_EVALUATOR (g_object_new (FAKE_TYPE_EVALUATOR, NULL));
}
