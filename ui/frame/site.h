/* site.h: the window as its parts see it: session, settings, messages and actions. */
#pragma once

#include "engine/session/session.h"
#include "ui/panels/notice-bar.h"
#include "ui/panels/status-bar.h"
#include "ui/widgets/settings.h"

#include <gtk/gtk.h>

/* Borrowed: the window outlives its parts. A copy is as good as the original. */
typedef struct
{
  GtkApplicationWindow *window; /* has the actions; the parent of dialogs */
  GobanSession *session;
  GobanSettings *settings; /* (nullable): of a window that remembers nothing */
  GobanStatusBar *status;
  GobanNoticeBar *notice;
} GobanSite;

/* Defines the class of a part: an object without methods of its own but name_clear(), which frees
 * its fields and may be called more than once. */
#define GOBAN_DEFINE_PART(Type, name)                                                              \
  G_DEFINE_FINAL_TYPE (Type, name, G_TYPE_OBJECT)                                                  \
  static void name##_clear (Type *self);                                                           \
  static void name##_dispose (GObject *object)                                                     \
  {                                                                                                \
    name##_clear ((Type *) object);                                                                \
    G_OBJECT_CLASS (name##_parent_class)->dispose (object);                                        \
  }                                                                                                \
  static void name##_class_init (Type##Class *klass)                                               \
  {                                                                                                \
    G_OBJECT_CLASS (klass)->dispose = name##_dispose;                                              \
  }                                                                                                \
  static void name##_init (Type *self)                                                             \
  {                                                                                                \
  }

/* A handler of an action in ui/widgets/actions.h: void (*) (Part *part, GVariant *value). The
 * value is the parameter, NULL if there is none; of an action with a state, the new state, which
 * is already stored. */
typedef struct
{
  const char *action;
  GCallback handler;
} GobanCommand;

/* Adds all actions of the table to the window, without handlers. */
void goban_site_add_actions (const GobanSite *site);
/* Connects a handler, or several, for as long as @part, an object, lives. */
void goban_site_connect_command (const GobanSite *site, const char *action, GCallback handler,
                                 gpointer part);
void goban_site_connect (const GobanSite *site, const GobanCommand *commands, gsize n,
                         gpointer part);

gboolean goban_site_get_toggle (const GobanSite *site, const char *action);
/* Calls the action's handlers. */
void goban_site_set_toggle (const GobanSite *site, const char *action, gboolean value);
/* Without calling them. */
void goban_site_set_state (const GobanSite *site, const char *action, GVariant *state);
/* @actions: NULL after the last */
void goban_site_set_enabled (const GobanSite *site, const char *const *actions,
                             gboolean is_enabled);
/* @parameter (nullable): consumed if floating */
void goban_site_activate (const GobanSite *site, const char *action, GVariant *parameter);

/* Shows a text in the status line: a visible effect needs no notice. */
void goban_site_hint (const GobanSite *site, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Destroys a dialog that has a weak pointer at @dialog; NULL there: does nothing. */
void goban_site_drop_dialog (GtkWidget **dialog);

/* Whether there is a plan to save; shows a notice if there is none. */
gboolean goban_site_has_run (const GobanSite *site);

gboolean goban_site_has_selection (const GobanSite *site);

/* The open file: the session's, else the graph's; NULL if there is none. (transfer full) */
char *goban_site_dup_file (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;
