/* saving.h: saving of the session: conflicts with another program, and a graph that is gone. */
#pragma once

#include "ui/documents/opening.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SAVING (goban_saving_get_type ())
G_DECLARE_FINAL_TYPE (GobanSaving, goban_saving, GOBAN, SAVING, GObject)

GobanSaving *goban_saving_new (const GobanSite *site, GobanFileChooser *chooser,
                               GobanReplacing *replacing, GobanOpening *opening,
                               GobanNotesView *notes) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
