/* file-chooser.h: file dialogs of a window, one at a time. */
#pragma once

#include "ui/frame/site.h"

#define GOBAN_TYPE_FILE_CHOOSER (goban_file_chooser_get_type ())
G_DECLARE_FINAL_TYPE (GobanFileChooser, goban_file_chooser, GOBAN, FILE_CHOOSER, GObject)

GobanFileChooser *goban_file_chooser_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

/* @data: to be alive until the window is closed */
typedef void (*GobanFileFunc) (gpointer data, GFile *file);

/* Signal "given-up": the dialog was closed without a choice. */

/* Sets a folder that is offered when a file is opened. */
void goban_file_chooser_set_samples (GobanFileChooser *self, const char *folder);
void goban_file_chooser_open (GobanFileChooser *self, const char *title, GobanFileFunc func,
                              gpointer data);
void goban_file_chooser_open_cluster (GobanFileChooser *self, GobanFileFunc func, gpointer data);

typedef struct
{
  const char *title;
  const char *suffix;
  const char *path; /* (nullable): the proposed file; NULL: the graph's name with the suffix */
} GobanFileTarget;
void goban_file_chooser_save (GobanFileChooser *self, const GobanFileTarget *target,
                              GobanFileFunc func, gpointer data);
