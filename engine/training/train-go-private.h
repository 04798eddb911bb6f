/* train-go-private.h: data shared by the two halves of train-go.h: learning and reporting. */
#pragma once

#include "engine/rl/pretrain.h"
#include "engine/training/train-go.h"

G_BEGIN_DECLS

GobanGoReport *goban_go_report_new (GobanPretrain *run, GobanTrainLog *log, const char *output,
                                    const char *run_path,
                                    gboolean is_finished) G_GNUC_WARN_UNUSED_RESULT;

/* The display name of a lesson or trial. (transfer full) */
char *goban_go_dup_lesson_name (const GobanLesson *lesson) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
