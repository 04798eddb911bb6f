/* replacing.h: replacement of the open document: asks first about unsaved changes. */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/site.h"
#include "ui/panels/notes-view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_REPLACING (goban_replacing_get_type ())
G_DECLARE_FINAL_TYPE (GobanReplacing, goban_replacing, GOBAN, REPLACING, GObject)

GobanReplacing *goban_replacing_new (const GobanSite *site, GobanFileChooser *chooser,
                                     GobanNotesView *notes) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const char *name; /* display name of the new document, NULL for a restored session */
  void (*open) (gpointer data);
  gpointer data;
  GDestroyNotify free_data; /* (nullable) */
} GobanReplacement;
/* If there are unsaved changes, the user is asked first: the new document is opened at once, after
 * saving, after discarding, or never. */
void goban_replacing_start (GobanReplacing *self, const GobanReplacement *replacement);
/* Cancels it because saving failed: no file was chosen, or it could not be written. */
void goban_replacing_give_up (GobanReplacing *self);

G_END_DECLS
