/* prompt.h: lines that are typed: with editing, completion and a history on a terminal, plain ones
 * otherwise. */
#pragma once

#include "app/lua/core/lua-types.h"

G_BEGIN_DECLS

typedef struct _GobanPrompt GobanPrompt;

typedef enum
{
  GOBAN_PROMPT_LINE,
  GOBAN_PROMPT_DROPPED, /* Ctrl+C: what was typed so far is not meant */
  GOBAN_PROMPT_END,     /* of the input */
} GobanPromptAnswer;

/* @host: completes; borrowed. The history is that of the last prompts of this user. */
GobanPrompt *goban_prompt_new (GobanLuaHost *host) G_GNUC_WARN_UNUSED_RESULT;
/* Saves the history. */
void goban_prompt_free (GobanPrompt *self);

/* Whether somebody types. */
gboolean goban_prompt_is_terminal (const GobanPrompt *self);

/* @goes_on: it is not the first line of a statement. @line: (out) (transfer full): without its end;
 * %NULL unless there is one. */
GobanPromptAnswer goban_prompt_read (GobanPrompt *self, gboolean goes_on, char **line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPrompt, goban_prompt_free)

G_END_DECLS
