/* opening.h: opening of files and generated graphs; the kind of a file is detected from its
 * content. */
#pragma once

#include "ui/documents/replacing.h"
#include "ui/documents/scripts.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_OPENING (goban_opening_get_type ())
G_DECLARE_FINAL_TYPE (GobanOpening, goban_opening, GOBAN, OPENING, GObject)

GobanOpening *goban_opening_new (const GobanSite *site, GobanFileChooser *chooser,
                                 GobanReplacing *replacing,
                                 GobanScripts *scripts) G_GNUC_WARN_UNUSED_RESULT;

/* Opens a session, a graph, a plan or a cluster for the open graph, or a script in its pane. */
void goban_opening_open_file (GobanOpening *self, GFile *file);

/* Opens a group of ui/documents/file-groups.h: the graph first, and the others once it is open. */
void goban_opening_open_files (GobanOpening *self, GPtrArray *group);
/* The first group here, further ones in windows of their own. */
void goban_opening_drop_files (GobanOpening *self, GFile *const *files, guint n);
/* Reads the open session or graph again; changes are lost. */
void goban_opening_reload (GobanOpening *self);

/* --- the first step of the start page---------------------------- --- */

#define GOBAN_TYPE_DEMONSTRATION (goban_demonstration_get_type ())
G_DECLARE_FINAL_TYPE (GobanDemonstration, goban_demonstration, GOBAN, DEMONSTRATION, GObject)

GobanDemonstration *goban_demonstration_new (const GobanSite *site,
                                             GobanOpening *opening) G_GNUC_WARN_UNUSED_RESULT;

/* The folder of the samples; (nullable): there are none, and nothing to watch. */
void goban_demonstration_set_samples (GobanDemonstration *self, const char *folder);

G_END_DECLS
