/* draw-golden.h: pictures and texts compared with those in tests/golden.
 *
 * On a difference the new one is left beside the test as NAME.out.png or .out.txt. With
 * GOBAN_GOLDEN_UPDATE=1 in the environment the golden file is written instead: look at it, then
 * commit it.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

/* @name without its folder and ending: "draw-rects". */
void draw_golden_check_image (cairo_surface_t *surface, const char *name);
void draw_golden_check_text (const char *text, const char *name);

/* TRUE where two RGB24 images of one size have the same pixels. */
gboolean draw_images_equal (cairo_surface_t *a, cairo_surface_t *b);
/* Pixels of an image that are of this colour. */
guint draw_count_pixels (cairo_surface_t *surface, guint32 rgb);
guint32 draw_pixel (cairo_surface_t *surface, int x, int y);
