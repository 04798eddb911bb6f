/* files.h: the open file of a window: opening, replacing, saving, changes on disk, autosave. */
#pragma once

#include "ui/documents/scripts.h"
#include "ui/frame/header.h"
#include "ui/panels/notes-view.h"

#define GOBAN_TYPE_FILES (goban_files_get_type ())
G_DECLARE_FINAL_TYPE (GobanFiles, goban_files, GOBAN, FILES, GObject)

GobanFiles *goban_files_new (const GobanSite *site, GobanFileChooser *chooser,
                             GobanScripts *scripts, GobanNotesView *notes,
                             GobanHeader *header) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const char *name; /* display name of the new document, NULL for a restored session */
  void (*open) (gpointer data);
  gpointer data;
  GDestroyNotify free_data; /* (nullable) */
} GobanReplacement;
/* Replaces the open document. If there are unsaved changes, the user is asked first: the new
 * document is opened at once, after saving, after discarding, or never. */
void goban_files_replace (GobanFiles *self, const GobanReplacement *replacement);

/* Opens a session, a graph, a plan or a cluster for the open graph, or a script in its pane. */
void goban_files_open (GobanFiles *self, GFile *file);
/* Opens a group of ui/documents/file-groups.h: the graph first, and the others once it is open. */
void goban_files_open_group (GobanFiles *self, GPtrArray *group);
/* The first group here, further ones in windows of their own. */
void goban_files_drop (GobanFiles *self, GFile *const *files, guint n);

/* The folder of the samples; (nullable): there are none to choose, and no demonstration. */
void goban_files_set_samples (GobanFiles *self, const char *folder);

/* Offers to restore the sessions that were not saved before the program ended. */
void goban_files_offer_recovery (GobanFiles *self);
/* To be called when the preference has changed. */
void goban_files_update_autosave (GobanFiles *self);
/* To be called before the window closes. */
void goban_files_close (GobanFiles *self);
