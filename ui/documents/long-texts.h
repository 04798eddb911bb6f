/* long-texts.h: saves texts of which the window shows only a part: notices and notes. */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/panels/notes-view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_LONG_TEXTS (goban_long_texts_get_type ())
G_DECLARE_FINAL_TYPE (GobanLongTexts, goban_long_texts, GOBAN, LONG_TEXTS, GObject)

GobanLongTexts *goban_long_texts_new (const GobanSite *site, GobanFileChooser *chooser,
                                      GobanNotesView *notes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
