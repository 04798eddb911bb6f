/* choices.h: choices by row that a network draws or is shown. */
#pragma once

#include "engine/learn/policy/net-config.h"

G_BEGIN_DECLS

/* --- decisions -------------------------------------------------------------------------------- */

/* Choices by row: levels or devices. chosen[t][k] is (n_rows), owned, NULL for a task that is not
 * decided; t < T. The last iteration's choices count. */
typedef struct
{
  guint n_rows;
  int n_iterations;
  GobanTasks decisions;
  guint32 *chosen[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_TASKS];
} GobanChoices;

GobanChoices *goban_choices_new (const GobanNetConfig *config,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_choices_free (GobanChoices *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanChoices, goban_choices_free)

G_END_DECLS
