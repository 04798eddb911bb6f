/* sessions.h: what tests of sessions do again and again. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* The sample samples/toy.dot, opened as from its file. */
void session_open_toy (GobanSession *session);
/* Places what is open, with few evaluations, and keeps the run. */
void session_add_policy (GobanSession *session, const char *policy, guint64 seed);
void session_wait_for_jobs (GobanSession *session);

G_END_DECLS
