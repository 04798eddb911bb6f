/* export-png.h: a page as a PNG of any size, painted in tiles and written in bands of rows.
 *
 * Private to the files of export. Only one tile and one band are in memory, a few tens of
 * megabytes. The bytes depend on the page alone, not on the date or the machine.
 *
 * Decision U32 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/export/export-page.h"

G_BEGIN_DECLS

/* Returns: %FALSE with %GOBAN_ERROR_IO or %GOBAN_ERROR_CANCELLED set, and the old file untouched */
gboolean goban_page_write_png (const GobanPage *page, const char *path, GError **error);

/* Paints the part of the page from (left, top) with the size of @surface, an RGB24 image. */
void goban_page_paint_tile (const GobanPage *page, GobanTextCache *text, GobanBackdrop backdrop,
                            GobanPoint from, cairo_surface_t *surface);

G_END_DECLS
