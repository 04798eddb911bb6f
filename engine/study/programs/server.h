/* server.h: answers of a server to requests in lines of JSON, as docs/protocol.md says.
 *
 * A server has graphs and plans of one client, which it names g1, p1 and so on. Requests are
 * answered in their order; several servers may work at once, each in a thread of its own.
 */
#pragma once

#include "engine/core/progress.h"

#define GOBAN_SERVER_MAX_LINE ((gsize) 16 << 20)

typedef struct _GobanServer GobanServer;

/* @reads_files: whether requests may name files; otherwise graphs are generated, or texts. */
GobanServer *goban_server_new (gboolean reads_files) G_GNUC_WARN_UNUSED_RESULT;
void goban_server_free (GobanServer *self);

/* The first line that a client gets. (transfer full) */
char *goban_server_greet (void) G_GNUC_WARN_UNUSED_RESULT;

/* The answer to a line, with its end: the result or, under "error", a sentence. @progress
 * (nullable): stops long work, whose answer is an error then. (transfer full) */
char *goban_server_answer (GobanServer *self, const char *line, gsize n,
                           const GobanProgress *progress) G_GNUC_WARN_UNUSED_RESULT;
/* The answer to a line that was too long to be kept. (transfer full) */
char *goban_server_refuse_line (GobanServer *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanServer, goban_server_free)
