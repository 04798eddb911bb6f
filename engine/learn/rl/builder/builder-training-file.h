/* builder-training-file.h: files of a training of plan builders, from which it is resumed. */
#pragma once

#include "engine/learn/rl/builder/builder-training.h"

G_BEGIN_DECLS

gboolean goban_builder_training_save (GobanBuilderTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanBuilderTraining *goban_builder_training_load (const char *path,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_builder_training_write (GobanBuilderTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanBuilderTraining *goban_builder_training_read (const guint8 *data, gsize size,
                                                   const char *origin,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
