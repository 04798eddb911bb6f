/* training-file.h: a saved pre-training run; resuming it gives the same bytes as not stopping.
 *
 * Little-endian: "GOBANRUN", version, the configuration as text, the curriculum, both random number
 * generators, the step and its batch, baselines, curves, a checkpoint of the network with Adam's
 * moments (engine/learn/nn/params.h), and a SHA-256 checksum. Files are replaced atomically.
 *
 * Policies load the network only, which goban_net_save() writes.
 */
#pragma once

#include "engine/learn/rl/go/pretrain.h"

G_BEGIN_DECLS

gboolean goban_training_file_save (GobanPretrain *run, const char *path, GError **error);

/**
 * goban_training_file_load:
 * @loader: (nullable): reads graphs that are not generated
 *
 * Returns: (transfer full) (nullable): the run between two steps; %NULL with %GOBAN_ERROR_IO or
 *   %GOBAN_ERROR_PARSE set, which names the path: it is another kind of file, another version, or
 *   damaged
 */
GobanPretrain *goban_training_file_load (const char *path, GobanLessonLoader loader,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for bytes; @origin names them in messages. */
GobanPretrain *goban_training_file_read (const guint8 *data, gsize size, const char *origin,
                                         GobanLessonLoader loader,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_training_file_write (GobanPretrain *run) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
