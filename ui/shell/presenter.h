/* presenter.h: the window as a talk needs it: larger, without side panes, with the caption of the
 * scene and the keys that are pressed.
 *
 * Page Down and Page Up go through the scenes from anywhere but text.
 *
 * Decision U63 (ui/NOTES.md).
 */
#pragma once

#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_PRESENTER (goban_presenter_get_type ())
G_DECLARE_FINAL_TYPE (GobanPresenter, goban_presenter, GOBAN, PRESENTER, GObject)

/* @caption, @keys: labels of the window, shown while presenting; borrowed. */
GobanPresenter *goban_presenter_new (const GobanSite *site, GobanPictures *pictures,
                                     GtkWidget *caption, GtkWidget *keys) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
