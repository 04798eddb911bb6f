/* error.h: the error domain of the engine; each code says what the caller can do about the error.
 *
 * The detail is in the message: a sentence without a final dot that names the object (file:line,
 * node, device) and is shown to users unchanged.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GOBAN_ERROR_PARSE,         /* a file is not what it claims: mend the file */
  GOBAN_ERROR_INVALID_GRAPH, /* a cycle, a duplicate name, a dangling edge */
  GOBAN_ERROR_INVALID,       /* a value out of range: mend the option, plan or cluster */
  GOBAN_ERROR_UNSUPPORTED,   /* not supported: choose something else */
  GOBAN_ERROR_IO,            /* a path cannot be read or written */
  GOBAN_ERROR_INFEASIBLE,    /* no answer exists within the limits */
  GOBAN_ERROR_CANCELLED,     /* the user or the caller cancelled it */
  GOBAN_ERROR_CONFLICT,      /* another program has changed the file: ask the user which version
                                to keep */
} GobanError;

#define GOBAN_ERROR (goban_error_quark ())

GQuark goban_error_quark (void);

/* Sets an error and returns %FALSE, for use in a return statement. */
gboolean goban_refuse (GError **error, GobanError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Sets an error whose message is translated, with @format as the key. */
void goban_set_error (GError **error, GQuark domain, int code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
void goban_set_error_literal (GError **error, GQuark domain, int code, const char *message);

/* Files that include this header translate their errors automatically. */
#define g_set_error goban_set_error
#define g_set_error_literal goban_set_error_literal

G_END_DECLS
