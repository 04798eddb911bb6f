/* move-training-file.h: files of a training of moves, from which it is resumed. */
#pragma once

#include "engine/learn/rl/moves/move-training.h"

G_BEGIN_DECLS

gboolean goban_move_training_save (GobanMoveTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanMoveTraining *goban_move_training_load (const char *path,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_move_training_write (GobanMoveTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanMoveTraining *goban_move_training_read (const guint8 *data, gsize size, const char *origin,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
