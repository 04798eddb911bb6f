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
/* @path (nullable): the file to propose, else one of the graph's name with that suffix */
void goban_window_choose_target (GobanWindow *self, const char *title, const char *suffix,
                                 const char *path, GobanFileFunc func);
/* Whether there is a plan to save; says so if there is none. */
gboolean goban_window_has_run (GobanWindow *self);

/* window-replace.c: the one way by which people put something else in the place of what is open. Changes that are not
 * saved are asked about first: @open is called at once, after saving, after discarding, or never.
 * name: what people call the new, NULL for a session that is restored; free_data: (nullable) */
typedef void (*GobanReplaceFunc) (GobanWindow *self, gpointer data);
typedef struct
{
  const char *name;
  GobanReplaceFunc open;
  gpointer data;
  GDestroyNotify free_data;
} GobanReplacement;
void goban_window_replace (GobanWindow *self, const GobanReplacement *replacement);
/* All stays as it is. */
void goban_window_stop_replacing (GobanWindow *self);
/* The same if the changes were to be saved first: no file was chosen, or it could not be written. */
void goban_window_give_up_saving (GobanWindow *self);
void goban_window_follow_replacing (GobanWindow *self);

/* window-document.c: once all parts are there; before the window goes; at its end */
void goban_window_follow_document (GobanWindow *self);
void goban_window_close_document (GobanWindow *self);
void goban_window_drop_document (GobanWindow *self);
void goban_window_open_session (GobanWindow *self, const char *path);
/* The preference has changed. */
void goban_window_update_autosave (GobanWindow *self);
void goban_window_update_recent (GobanWindow *self);

/* window-preferences.c */
void goban_window_follow_preferences (GobanWindow *self);
void goban_window_drop_preferences (GobanWindow *self);

G_END_DECLS
