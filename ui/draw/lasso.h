/* lasso.h: lasso: a free closed outline, and a test for points inside it.
 *
 * Points are joined in their order, the last with the first; inside is what the line goes around,
 * however often and whichever way (winding number other than 0), so that a line that crosses itself
 * loses nothing. Asking is quick: the outline is cut into bands by height. One thread at a time.
 *
 * Decision U30 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/camera.h"

typedef struct _GobanLasso GobanLasso;

GobanLasso *goban_lasso_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_lasso_free (GobanLasso *self);

/* Appends a point, unless it is nearer than @least to the previous one. %TRUE if it was
 * appended. */
gboolean goban_lasso_add (GobanLasso *self, GobanPoint at, double least);

/* Borrowed until the next point. */
const GobanPoint *goban_lasso_get_points (const GobanLasso *self, guint *n);
/* The box around all points; empty at 0, 0 without any. */
GobanBox goban_lasso_get_box (const GobanLasso *self);

/* %FALSE for fewer than three points. For a point on the line itself the result is undefined. */
gboolean goban_lasso_contains (GobanLasso *self, GobanPoint at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLasso, goban_lasso_free)
