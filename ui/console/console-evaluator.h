/* console-evaluator.h: interface of an evaluator: runs the text that the user types into the
 * console.
 *
 * An interface, so that the console pane does not depend on a language and tests can use a fake.
 * Everything happens on the main thread. At most one evaluation runs at a time: the view waits for
 * the end of one before it starts the next. Without GTK.
 *
 * Signal "output" (GobanConsoleKind kind, const char *text): text that a running evaluation prints,
 * in order, in pieces of any size; a piece ends a line only if it has a '\n'.
 * Signal "exhibit" (const GobanExhibit *exhibit): a plot or a table among the output, borrowed.
 * Signal "progress" (double fraction, const char *text): how far a running evaluation says it is;
 * a negative fraction ends it.
 * Signal "inputs" (guint64 stamp, const char *change): results refer to other inputs from here on;
 * the same stamp means the same inputs, and the change says what results are from before, or
 * is "" for inputs that are known now.
 * Signal "busy" (gboolean): work that no evaluation began, and that can be interrupted as one.
 *
 * Decision U3 (ui/NOTES.md).
 */
#pragma once

#include <gio/gio.h>

struct _GobanExhibit;
struct _GobanReference;

/* Kind of a piece of text, for its style. */
typedef enum
{
  GOBAN_CONSOLE_STDOUT, /* printed by the program */
  GOBAN_CONSOLE_RESULT, /* the value of the input */
  GOBAN_CONSOLE_ERROR,
  GOBAN_CONSOLE_LOG,   /* a log line that repeats a change of state */
  GOBAN_CONSOLE_INPUT, /* the input, echoed by the view; evaluators do not emit it */
  GOBAN_N_CONSOLE_KINDS
} GobanConsoleKind;

#define GOBAN_TYPE_CONSOLE_EVALUATOR (goban_console_evaluator_get_type ())
G_DECLARE_INTERFACE (GobanConsoleEvaluator, goban_console_evaluator, GOBAN, CONSOLE_EVALUATOR,
                     GObject)

/* A script, or lines of one: in messages its lines have the numbers that they have in the text. */
typedef struct
{
  const char *text;
  const char *path; /* (nullable): its file */
  const char *name; /* in messages: "NAME:3: ..." */
} GobanConsoleScript;

struct _GobanConsoleEvaluatorInterface
{
  GTypeInterface parent;

  void (*evaluate_async) (GobanConsoleEvaluator *self, const char *text,
                          GAsyncReadyCallback callback, gpointer user_data);
  char *(*evaluate_finish) (GobanConsoleEvaluator *self, GAsyncResult *result, GError **error);
  gboolean (*is_complete) (GobanConsoleEvaluator *self, const char *text);
  char **(*complete) (GobanConsoleEvaluator *self, const char *text, gsize cursor, gsize *start,
                      char ***details);
  void (*interrupt) (GobanConsoleEvaluator *self);

  /* Optional. */
  char *(*help) (GobanConsoleEvaluator *self, const char *text, gsize cursor);
  void (*follow) (GobanConsoleEvaluator *self, const struct _GobanReference *reference);
  const char *(*get_language) (GobanConsoleEvaluator *self);
  const char *(*get_greeting) (GobanConsoleEvaluator *self);
  guint (*get_number) (GobanConsoleEvaluator *self);
  void (*evaluate_script_async) (GobanConsoleEvaluator *self, const GobanConsoleScript *script,
                                 GAsyncReadyCallback callback, gpointer user_data);
};

/* Runs @text without blocking the main loop. */
void goban_console_evaluator_evaluate_async (GobanConsoleEvaluator *self, const char *text,
                                             GAsyncReadyCallback callback, gpointer user_data);

/* Runs a script; without support for scripts, its text. */
void goban_console_evaluator_evaluate_script_async (GobanConsoleEvaluator *self,
                                                    const GobanConsoleScript *script,
                                                    GAsyncReadyCallback callback,
                                                    gpointer user_data);

/**
 * goban_console_evaluator_evaluate_finish:
 *
 * Returns: (transfer full) (nullable): the value as text, "" if there is nothing to show;
 *   or %NULL with @error set, whose message is shown as it is (it may have several lines)
 */
char *goban_console_evaluator_evaluate_finish (GobanConsoleEvaluator *self, GAsyncResult *result,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE if @text is incomplete and Enter should open another line. */
gboolean goban_console_evaluator_is_complete (GobanConsoleEvaluator *self, const char *text);

/**
 * goban_console_evaluator_complete:
 * @text: the whole input
 * @cursor: where the cursor is, in bytes
 * @start: (out): where the word being completed begins, in bytes; start <= cursor
 *
 * @details: (out) (transfer full): of each text, its signature, a newline and help, or ""
 *
 * Returns: (transfer full): sorted texts, NULL-terminated, each of which may replace
 *   @text[start..cursor); never %NULL
 */
char **goban_console_evaluator_complete (GobanConsoleEvaluator *self, const char *text,
                                         gsize cursor, gsize *start,
                                         char ***details) G_GNUC_WARN_UNUSED_RESULT;

/* Help about the word at the cursor (in bytes), in several lines, whether or not an evaluation
 * runs. (transfer full) (nullable): NULL if there is none. */
char *goban_console_evaluator_help (GobanConsoleEvaluator *self, const char *text,
                                    gsize cursor) G_GNUC_WARN_UNUSED_RESULT;

/* Asks the running evaluation to stop; it finishes with GOBAN_ERROR_CANCELLED soon. */
void goban_console_evaluator_interrupt (GobanConsoleEvaluator *self);

/* GtkSourceView's id of the language, for highlighting: "lua" unless the evaluator says so. */
const char *goban_console_evaluator_get_language (GobanConsoleEvaluator *self);

/* (nullable): shown in an empty console. */
const char *goban_console_evaluator_get_greeting (GobanConsoleEvaluator *self);

/* The number by which messages refer to the next text, 0 if they have none. */
guint goban_console_evaluator_get_number (GobanConsoleEvaluator *self);

/* Selects the nodes or shows the run behind a point of a plot or a row of a table. */
void goban_console_evaluator_follow (GobanConsoleEvaluator *self,
                                     const struct _GobanReference *reference);

/* For evaluators: emit "inputs", "exhibit", "progress" and "busy". */
void goban_console_evaluator_set_inputs (GobanConsoleEvaluator *self, guint64 stamp,
                                         const char *change);
void goban_console_evaluator_exhibit (GobanConsoleEvaluator *self,
                                      const struct _GobanExhibit *exhibit);
void goban_console_evaluator_set_progress (GobanConsoleEvaluator *self, double fraction,
                                           const char *text);
void goban_console_evaluator_set_busy (GobanConsoleEvaluator *self, gboolean is_busy);

/* For evaluators: emits "output". */
void goban_console_evaluator_print (GobanConsoleEvaluator *self, GobanConsoleKind kind,
                                    const char *text);
