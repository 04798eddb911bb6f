/* presenter.h: the window as a talk needs it: larger, without side panes, with the caption of the
 * scene and the keys that are pressed.
 *
 * Page Down and Page Up go through the scenes from anywhere but text.
 *
 * Decision U63 (ui/NOTES.md).
 */
#pragma once

#include "ui/frame/body.h"

#define GOBAN_TYPE_PRESENTER (goban_presenter_get_type ())
G_DECLARE_FINAL_TYPE (GobanPresenter, goban_presenter, GOBAN, PRESENTER, GObject)

/* Widgets of the window that are shown while presenting; borrowed. */
typedef struct
{
  GtkWidget *strip;   /* of plan and colours, above the frame */
  GtkWidget *caption; /* of a scene, below it */
  GtkWidget *keys;    /* pressed */
} GobanPresenterParts;

GobanPresenter *goban_presenter_new (const GobanSite *site, GobanBody *body,
                                     const GobanPresenterParts *parts) G_GNUC_WARN_UNUSED_RESULT;

/* --- the strip above the board----------------------------------- --- */

#define GOBAN_TYPE_PRESENTER_STRIP (goban_presenter_strip_get_type ())
G_DECLARE_FINAL_TYPE (GobanPresenterStrip, goban_presenter_strip, GOBAN, PRESENTER_STRIP, GtkWidget)

GtkWidget *goban_presenter_strip_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
