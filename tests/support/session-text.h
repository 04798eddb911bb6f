/* session-text.h: helpers for tests of session files: texts of sessions, and texts refused. */
#pragma once

#include "engine/core/error.h"
#include "engine/session/document/session-file.h"

/* The text of a session file in @folder (nullable). (transfer full) */
char *session_to_text (GobanSession *session, const char *folder) G_GNUC_WARN_UNUSED_RESULT;
/* Fails where the text cannot be read. @path: of the file, for messages. @graph: (nullable): in
 * place of the one that the text names. (transfer full) */
GobanSnapshot *session_read_text (const char *text, const char *path,
                                  GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;

/* A change of a text, and a part of the message with which it is refused. */
typedef struct
{
  const char *from, *to, *message;
} SessionDamage;

/* Fails where the damaged text is accepted, or refused for another reason. */
void session_assert_refused (const char *text, const SessionDamage *damage, GobanError code);
