/* move-training-file.h: training of moves in files: its run, to go on with, and its curve. */
#pragma once

#include "engine/rl/move-training.h"

G_BEGIN_DECLS

/* "update,error,..." and a line an update. (transfer full) */
char *goban_move_training_to_csv (const GobanMoveTraining *self) G_GNUC_WARN_UNUSED_RESULT;

/* --- files: move-training-file.c -------------------------------------------------------------- */

gboolean goban_move_training_save (GobanMoveTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanMoveTraining *goban_move_training_load (const char *path,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_move_training_write (GobanMoveTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanMoveTraining *goban_move_training_read (const guint8 *data, gsize size, const char *origin,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
