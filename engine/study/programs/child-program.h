/* child-program.h: another program that answers in lines over its standard input and output.
 *
 * Started without a shell, in a process group of its own: Ctrl+C in a terminal is not meant for it,
 * and what it starts ends with it. On Linux the kernel ends it with the thread that has started it,
 * however that one ends. No call waits for longer than the timeout, and each can be
 * stopped. What it prints on standard error is kept for messages. Of one thread at a time.
 */
#pragma once

#include <glib.h>

typedef struct _GobanChildProgram GobanChildProgram;

#define GOBAN_CHILD_PROGRAM_MAX_LINE ((gsize) 16 << 20)

typedef struct
{
  const char *name;        /* in messages */
  const char *const *argv; /* NULL-terminated; the first is looked for along PATH */
  double timeout_s;        /* of silence while it is waited for */
  gboolean (*should_stop) (gpointer user_data); /* asked while it is waited for */
  gpointer user_data;
} GobanChildProgramOptions;

/* @options: borrowed for the life of the program. (transfer full) (nullable): %NULL with
 * %GOBAN_ERROR_IO set */
GobanChildProgram *goban_child_program_start (const GobanChildProgramOptions *options,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Closes its input and gives it @grace_s to end by itself, then kills it. */
void goban_child_program_free (GobanChildProgram *self, double grace_s);

/* Sends @line, with its end of line. The program may go on writing meanwhile. %FALSE with an error
 * as of read(). */
gboolean goban_child_program_write (GobanChildProgram *self, const GString *line, GError **error);

/* The next line, without its end; borrowed until the next call.
 *
 * (nullable): %NULL with %GOBAN_ERROR_CANCELLED set if it was stopped, else with
 * %GOBAN_ERROR_INVALID set: the program has ended, was silent, or wrote a line without an end. */
const char *goban_child_program_read (GobanChildProgram *self, gsize *n, GError **error);

/* Waits until one of @programs (n) has written a line or closed its output, which reading it then
 * says: its index. -1 with %GOBAN_ERROR_CANCELLED set if the first one's options stop it. */
int goban_child_programs_wait (GobanChildProgram *const *programs, guint n, GError **error);

/* Lines read so far. */
guint64 goban_child_program_get_n_lines (const GobanChildProgram *self);

/* Appends its last lines on standard error, if there are any, to the message of *@error. */
void goban_child_program_explain (GobanChildProgram *self, GError **error);
