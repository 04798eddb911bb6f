/* session-private.h: what session.c and session-jobs.c share. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

/* @job: (transfer full) (nullable): the one that runs now. */
void goban_session_take_job (GobanSession *self, GobanJob *job);

G_END_DECLS
