/* error.h: the error domain of the engine; each code says what the caller can do about the error.
 *
 * The detail is in the message: a sentence without a final dot that names the object (file:line,
 * node, device) and is shown to users unchanged.
 */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_ERROR_PARSE,         /* the file is not of the kind that it claims: mend the file */
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

/* Both set an error in the domain GOBAN_ERROR whose message is translated, with @format as the key:
 * errors are shown to users, so g_set_error() is not called directly. goban_refuse() returns
 * %FALSE, for use in a return statement. */
void goban_set_error (GError **error, GobanError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
gboolean goban_refuse (GError **error, GobanError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
