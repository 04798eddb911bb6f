/* external-policy.h: a policy whose plans another program makes, as docs/protocol.md says.
 *
 * The program is started for each run and ends with it. It makes whole plans, decides node by node,
 * or proposes changes; budget, seed, stopping and the record of decisions are as of any policy.
 * What goes wrong ends the run with words: the program's name, the line, what to do.
 */
#pragma once

#include "engine/machine/plan/task.h"

#define GOBAN_EXTERNAL_POLICY_TIMEOUT_S 30.0

typedef struct
{
  const char *name;
  const char *blurb;       /* (nullable): its command */
  const char *const *argv; /* NULL-terminated; no shell reads it */
  double timeout_s;        /* of silence; 0: GOBAN_EXTERNAL_POLICY_TIMEOUT_S */
  guint64 evaluations;     /* plans of a run without a budget; 0: it makes one, and no search */
  GobanTasks tasks;        /* what it may decide; 0: what it says */
} GobanExternalPolicy;

/* @policy: copied. As goban_guest_policy_add(), and %FALSE if it may decide fusion. */
gboolean goban_external_policy_add (const GobanExternalPolicy *policy, gpointer owner,
                                    GError **error);
/* The same of "NAME=COMMAND", whose words are split as a shell does. */
gboolean goban_external_policy_add_text (const char *text, guint64 evaluations, gpointer owner,
                                         GError **error);
