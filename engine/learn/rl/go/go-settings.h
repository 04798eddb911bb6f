/* go-settings.h: settings of GO with their text form, and two presets.
 *
 * The text is "KEY=VALUE,...": "preset=paper" or "preset=goban" (the default), and any settings of
 * the preset, which override it in any order: rows, order, fuse, the fields of GobanPpoConfig
 * (rate, last-rate, rollouts, epochs, clip, entropy, last-entropy, credit, fellows, invalid-reward,
 * clip-norm), and the network's own (goban_net_config_parse()).
 */
#pragma once

#include "engine/learn/rl/go/learner.h"

G_BEGIN_DECLS

/* The order of ops if scheduling is not decided. If it is, levels shift the ranks. */
typedef enum
{
  GOBAN_GO_ORDER_FIFO,
  GOBAN_GO_ORDER_RANKS, /* by upward rank under every placement */
} GobanGoOrder;

typedef struct
{
  GobanNetConfig net;
  GobanPpoConfig ppo;
  guint n_rows;       /* rows of a board of whole plans; 0: a row per unit */
  GobanGoOrder order; /* "order=fifo" or "ranks" */
  /* "fuse=default" or "none": XLA's default fusion or none, if fusion is not decided */
  gboolean fuses_alike;
} GobanGoSettings;

/* The presets. Both decide placement only. */
GobanGoSettings goban_go_settings_paper (void);
GobanGoSettings goban_go_settings_goban (void);

/* text (nullable). FALSE with %GOBAN_ERROR_INVALID or PARSE set, which names the key; @self is as
 * it was then. */
gboolean goban_go_settings_parse (GobanGoSettings *self, const char *text, GError **error);

/* All settings as text; parsing it gives the same bytes. (transfer full) */
char *goban_go_settings_to_text (const GobanGoSettings *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
