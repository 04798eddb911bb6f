/* pretrain-config.h: configuration of a pre-training, and its text in files. */
#pragma once

#include "engine/learn/rl/go/go-settings.h"

G_BEGIN_DECLS

typedef struct
{
  GobanGoSettings go;
  guint64 seed;
  guint n_steps;       /* updates; 0: as many as fit into the seconds */
  double max_seconds;  /* 0: no limit. With one the machine decides how far schedules get */
  guint n_graphs;      /* of a batch */
  guint n_batch_steps; /* before another is drawn */
  guint n_lessons;     /* graphs that a step learns on at once; ranks share them */
  guint try_every;     /* steps between trials; 0: only at the end */
} GobanPretrainConfig;

GobanPretrainConfig goban_pretrain_config_paper (void);
GobanPretrainConfig goban_pretrain_config_goban (void);

/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_pretrain_config_to_text (const GobanPretrainConfig *self) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with %GOBAN_ERROR_INVALID or PARSE set; what is left out is as the preset says. */
gboolean goban_pretrain_config_parse (const char *text, GobanPretrainConfig *config,
                                      GError **error);

G_END_DECLS
