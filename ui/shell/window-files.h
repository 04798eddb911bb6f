/* window-files.h: functions of the window for opening, saving and replacing documents, and for
 * preferences. */
#pragma once

#include "ui/shell/window.h"

G_BEGIN_DECLS

/* window-files.c */
void goban_window_reload_now (GobanWindow *self);
void goban_window_accept_drops (GobanWindow *self);
typedef void (*GobanFileFunc) (GobanWindow *self, GFile *file);
void goban_window_choose_open (GobanWindow *self, const char *title, GobanFileFunc func);
/* @path (nullable): the proposed file; NULL: the graph's name with @suffix */
void goban_window_choose_target (GobanWindow *self, const char *title, const char *suffix,
                                 const char *path, GobanFileFunc func);
/* Whether there is a plan to save; shows a notice if there is none. */
gboolean goban_window_has_run (GobanWindow *self);

/* window-replace.c: replaces the open document. If there are unsaved changes, the user is asked
 * first: @open is called at once, after saving, after discarding, or never. name: display name of
 * the new document, NULL for a restored session; free_data: (nullable) */
typedef void (*GobanReplaceFunc) (GobanWindow *self, gpointer data);
typedef struct
{
  const char *name;
  GobanReplaceFunc open;
  gpointer data;
  GDestroyNotify free_data;
} GobanReplacement;
void goban_window_replace (GobanWindow *self, const GobanReplacement *replacement);
/* Cancels the replacement. */
void goban_window_stop_replacing (GobanWindow *self);
/* Cancels it because saving failed: no file was chosen, or it could not be written. */
void goban_window_give_up_saving (GobanWindow *self);
void goban_window_follow_replacing (GobanWindow *self);

/* window-document.c: to be called after the window is built; before it closes; when it is
 * destroyed */
void goban_window_follow_document (GobanWindow *self);
void goban_window_close_document (GobanWindow *self);
void goban_window_drop_document (GobanWindow *self);
void goban_window_open_session (GobanWindow *self, const char *path);
/* To be called when the preference has changed. */
void goban_window_update_autosave (GobanWindow *self);
void goban_window_update_recent (GobanWindow *self);

/* window-preferences.c */
void goban_window_follow_preferences (GobanWindow *self);
void goban_window_drop_preferences (GobanWindow *self);

G_END_DECLS
