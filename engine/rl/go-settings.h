/* go-settings.h: settings of GO with their text form, and two presets.
 *
 * Text is "KEY=VALUE,...": "preset=paper" or "preset=goban" (that is the default), and any of what
 * it sets, which count wherever the preset stands: rows, start, cells, direct, order, fuse, the
 * fields of GobanPpoConfig (rate, last-rate, rollouts, epochs, clip, entropy, last-entropy, credit,
 * fellows, invalid-reward, clip-norm, changes, improve-rows, improve-credit, unions, work), and the
 * network's own (goban_net_config_parse()).
 */
#pragma once

#include "engine/rl/learner.h"

G_BEGIN_DECLS

/* Where scheduling is not decided; where it is, levels shift the ranks of the last two. */
typedef enum
{
  GOBAN_GO_ORDER_FIFO,
  GOBAN_GO_ORDER_RANKS, /* by upward rank under every placement */
  GOBAN_GO_ORDER_BEST,  /* by the static order that is best for the plan that it begins with */
} GobanGoOrder;

typedef struct
{
  GobanNetConfig net;
  GobanPpoConfig ppo;
  guint n_rows;     /* of a board without a plan: 0 is a row for every unit */
  GobanStart start; /* "start=nothing", "quick" or "all" */
  /* "cells=0" or "1": the last two, with splits along parameters and uses */
  gboolean starts_with_cells;
  /* share of the evaluations that choose without a plan; the others improve the best */
  double direct;
  GobanGoOrder order;   /* "order=fifo", "ranks" or "best" */
  gboolean fuses_alike; /* "fuse=default" or "none": where fusion is not decided */
} GobanGoSettings;

/* Both presets decide placement alone. */
GobanGoSettings goban_go_settings_paper (void);
GobanGoSettings goban_go_settings_goban (void);

/* text (nullable). FALSE with %GOBAN_ERROR_INVALID or PARSE set, which names the key; @self is as
 * it was then. */
gboolean goban_go_settings_parse (GobanGoSettings *self, const char *text, GError **error);

/* The same over what @self has; a preset in it replaces all of that. */
gboolean goban_go_settings_change (GobanGoSettings *self, const char *text, GError **error);

/* All of them, which parse reads back as the same bytes. (transfer full) */
char *goban_go_settings_to_text (const GobanGoSettings *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
