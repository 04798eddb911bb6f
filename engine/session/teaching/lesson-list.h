/* lesson-list.h: the lessons that are installed, and those in the user's own folder.
 *
 * Lessons are the files *.md of the data folder "lessons" (engine/core/data-file.h) and of
 * goban/lessons in the user's data folder. A lesson of the user's takes the place of one of the
 * same name.
 */
#pragma once

#include "engine/session/teaching/lesson.h"

G_BEGIN_DECLS

/* By name (element-type GobanLesson). @troubles: (out) (optional) (element-type utf8): messages
 * about files that are no lessons. (transfer full) */
GPtrArray *goban_lesson_list_load (GPtrArray **troubles) G_GNUC_WARN_UNUSED_RESULT;

/* By name, by the number it begins with, or by a path that ends in .md. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_INVALID set, which lists the lessons, or an error of the
 * file. */
GobanLesson *goban_lesson_list_find (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
