/* pictures.h: pictures of the window: the one used last, which keys and menus apply to, and the
 * focus. */
#pragma once

#include "ui/compare/compare-page.h"
#include "ui/frame/site.h"
#include "ui/graph/graph-view.h"
#include "ui/timeline/timeline-view.h"

#define GOBAN_TYPE_PICTURES (goban_pictures_get_type ())
G_DECLARE_FINAL_TYPE (GobanPictures, goban_pictures, GOBAN, PICTURES, GObject)

GobanPictures *goban_pictures_new (const GobanSite *site, GobanGraphView *graph,
                                   GobanTimelineView *timeline,
                                   GobanComparePage *compare) G_GNUC_WARN_UNUSED_RESULT;

GobanTimelineView *goban_pictures_get_timeline (GobanPictures *self);
/* The graph of the explorer. */
GobanGraphView *goban_pictures_get_explored (GobanPictures *self);
/* The graph that had the focus last: the explorer's, or one of those that are compared. */
GobanGraphView *goban_pictures_get_graph (GobanPictures *self);
/* The last focused picture. */
GobanPicture *goban_pictures_get_last (GobanPictures *self);
void goban_pictures_set_last (GobanPictures *self, GobanPicture *picture);
/* The same for all of them. */
void goban_pictures_set_theme (GobanPictures *self, GobanTheme theme);

/* Moves the focus to the picture if the focused widget was hidden. GTK alone would move it, with a
 * delay, to the first button, "Open", which keys typed in the meantime would press; and a widget
 * that is hidden and shown again at once would not get it back. */
void goban_pictures_keep_focus (GobanPictures *self);
/* Moves it there unless the user is typing or choosing by keys. */
void goban_pictures_grab_focus (GobanPictures *self);
/* Moves it there when @widget, which has a signal "closed", closes with the focus in it. */
void goban_pictures_follow_closing (GobanPictures *self, GtkWidget *widget);
