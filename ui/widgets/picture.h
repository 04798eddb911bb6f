/* picture.h: base class of panes that paint their own picture: graph and timeline.
 *
 * The base picture is painted into an own image surface, only after a change; the overlay that
 * follows the pointer is drawn over it each frame. Two surfaces alternate, because the last frame
 * may still reference the first. Pictures, gestures and cameras use device pixels.
 *
 * Signals: "hint" (const char *text): description of the item under the pointer, "" for none;
 *   "painted": the base picture was painted anew.
 *
 * Decisions U1 and U6 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/camera.h"
#include "ui/draw/pen.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_PICTURE (goban_picture_get_type ())
/* Zoom factor per notch of the wheel. */
#define GOBAN_SCROLL_ZOOM 1.15

G_DECLARE_DERIVABLE_TYPE (GobanPicture, goban_picture, GOBAN, PICTURE, GtkWidget)

struct _GobanPictureClass
{
  GtkWidgetClass parent_class;

  /* Fills the whole of @pen. */
  void (*paint) (GobanPicture *self, GobanPen *pen);
  /* Draws the overlay that follows the pointer; (nullable). */
  void (*paint_overlay) (GobanPicture *self, GobanPen *pen);

  /* Do nothing unless a class has its own. */
  void (*pan) (GobanPicture *self, double dx, double dy);
  void (*zoom) (GobanPicture *self, double factor, GobanPoint at);
  /* The wheel turned by @steps, down is positive; (nullable): zooms. */
  void (*scroll) (GobanPicture *self, double steps, GobanPoint at);
  void (*click) (GobanPicture *self, GobanPoint at, int n_press, GdkModifierType modifiers);
  /* A rectangle was drawn with a modifier held. */
  void (*pick_box) (GobanPicture *self, GobanBox box, GdkModifierType modifiers);
  /* A press at @from has become a drag to @at. TRUE claims it; otherwise it pans or draws a
   * rectangle. All three (nullable); begin and end come in pairs, Escape and a lost gesture
   * cancel. */
  gboolean (*drag_begin) (GobanPicture *self, GobanPoint from, GobanPoint at,
                          GdkModifierType modifiers);
  void (*drag_update) (GobanPicture *self, GobanPoint at);
  void (*drag_end) (GobanPicture *self, GobanPoint at, gboolean is_cancelled);
  /* A key was pressed during a claimed drag; (nullable). TRUE: it has ended the drag. */
  gboolean (*drag_key) (GobanPicture *self, guint keyval);
  /* The second button was pressed; (nullable). */
  void (*menu) (GobanPicture *self, GobanPoint at);
  /* (nullable): the pointer moved; it left if @at is NULL. */
  void (*hover) (GobanPicture *self, const GobanPoint *at);
  /* (nullable): where an item of that name is; FALSE if it is not shown. */
  gboolean (*locate) (GobanPicture *self, const char *name, GobanBox *box);
  /* The size or the text scale changed; the old size is 0 x 0 at first. */
  void (*resized) (GobanPicture *self, double old_width, double old_height);
};

/* Marks the base picture as out of date. */
void goban_picture_invalidate (GobanPicture *self);
/* Marks only the overlay as out of date. */
void goban_picture_invalidate_overlay (GobanPicture *self);

/* In device pixels; 0 before the first allocation. */
double goban_picture_get_width (GobanPicture *self);
double goban_picture_get_height (GobanPicture *self);
/* Device pixels per pixel of the design: with the desktop's text scale, by which texts, lines and
 * lanes grow. */
double goban_picture_get_ui_scale (GobanPicture *self);
GobanTheme goban_picture_get_theme (GobanPicture *self);
void goban_picture_set_theme (GobanPicture *self, GobanTheme theme);

/* Whether motion is wanted, and seen. */
gboolean goban_picture_is_animated (GobanPicture *self);

/* Number of paints of the base picture. */
guint goban_picture_get_n_paints (GobanPicture *self);

/* Zooms around the pointer if it is inside, else around the centre. */
void goban_picture_zoom (GobanPicture *self, double factor);
/* By a tenth of the size in each direction that is not 0. */
void goban_picture_pan (GobanPicture *self, int x, int y);

/* The position of the pointer; FALSE if it is outside. */
gboolean goban_picture_get_pointer (GobanPicture *self, GobanPoint *at);

/* The part of the item of that name that is in sight, in pixels of the widget; FALSE if none is. */
gboolean goban_picture_locate (GobanPicture *self, const char *name, graphene_rect_t *place);

/* For subclasses. */
void goban_picture_hint (GobanPicture *self, const char *text);

/* For tests: simulates a press and release at a point. */
void goban_picture_click (GobanPicture *self, GobanPoint at, int n_press,
                          GdkModifierType modifiers);
