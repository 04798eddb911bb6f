/* export-dialog.h: export dialog: the choice of picture, table or framework, then the progress.
 *
 * Not modal: the export shows the panes as they are when the file is chosen. The choices are stored
 * in the settings. Closing the dialog while a picture is being written cancels that.
 *
 * Decision U35 (ui/NOTES.md).
 */
#pragma once

#include "engine/core/jobs/job.h"
#include "engine/io/apply/apply.h"
#include "ui/draw/export/export.h"
#include "ui/widgets/settings.h"

#include <gtk/gtk.h>

typedef enum
{
  GOBAN_EXPORT_GRAPH,
  GOBAN_EXPORT_TIMELINE,
  GOBAN_EXPORT_TABLE,
  GOBAN_EXPORT_PAGE,  /* of all plans */
  GOBAN_EXPORT_FILM,  /* of the run: film.h */
  GOBAN_EXPORT_STEPS, /* the same of the steps that led to it */
  GOBAN_EXPORT_PLAN,  /* and those after it: one of goban_apply_targets() each */
} GobanExportWhat;

gboolean goban_export_is_film (GobanExportWhat what);

typedef struct
{
  GobanExportWhat what;
  const GobanApplyTarget *target; /* of GOBAN_EXPORT_PLAN, else NULL */
  /* ".svg", ".png", ".pdf", ".csv", ".html", ".gif" or ".apng"; NULL: as the target has it */
  const char *suffix;
  /* only the visible part of the pane; for a table, its rows in their present order */
  gboolean only_seen;
  /* Theme, size, scale, transparency and histogram; the panes fill the rest. */
  GobanExportOptions options;
} GobanExportRequest;

#define GOBAN_TYPE_EXPORT_DIALOG (goban_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanExportDialog, goban_export_dialog, GOBAN, EXPORT_DIALOG, GtkWindow)

/* Signal "export" (): the user confirmed; the window chooses a file for
 * goban_export_dialog_get_request(). @settings: (nullable), borrowed: must outlive it. */
GtkWidget *goban_export_dialog_new (GtkWindow *parent,
                                    GobanSettings *settings) G_GNUC_WARN_UNUSED_RESULT;

/* GOBAN_EXPORT_PLAN + i: the plan for the target number i. */
void goban_export_dialog_set_what (GobanExportDialog *self, guint what);
GobanExportRequest goban_export_dialog_get_request (GobanExportDialog *self);

/* Shows the progress of @job, and closes when it is done. */
void goban_export_dialog_follow (GobanExportDialog *self, GobanJob *job);
