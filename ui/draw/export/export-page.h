/* export-page.h: an exported page: layout of title, picture and legend, and its PNG of any size.
 *
 * Private to the files of export. A page borrows its contents. Its size and positions are whole
 * pixels, so that a page painted in tiles equals the page painted at once. A PNG is painted in
 * tiles and written in bands of rows: only one tile and one band are in memory, a few tens of
 * megabytes. The bytes depend on the page alone, not on the date or the machine.
 *
 * Decision U32 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/export/export.h"

typedef struct
{
  const GobanGraphScene *graph; /* either this, with its layout, */
  const GobanLayout *layout;
  const GobanTimelineScene *timeline; /* or this */
  GobanExportOptions options;
  const char *title;
  const char *subtitle;
  double width; /* of the page */
  double height;
  double legend_h;
  double scale; /* as requested */
  double ui;    /* scale of text, larger on larger pages */
} GobanPage;

/* Computes the sizes that @options does not set. */
void goban_page_lay_out (GobanPage *self);

/* Parts of a page, each painted with a pen of its own, in this order. */
typedef enum
{
  GOBAN_PAGE_FRAME,     /* background, title and legend; its box is the page */
  GOBAN_PAGE_CONTENT,   /* the graph, or the lanes */
  GOBAN_PAGE_HISTOGRAM, /* an empty box if there is none */
  GOBAN_N_PAGE_PARTS
} GobanPagePart;

/* In whole pixels of the page. */
GobanBox goban_page_get_box (const GobanPage *self, GobanPagePart part);
/* Paints a part with a pen whose picture is the part's box. */
void goban_page_paint (const GobanPage *self, GobanPagePart part, GobanPen *pen);

/* Whether the contents have too many elements for vector paths. */
gboolean goban_page_is_too_large_for_paths (const GobanPage *self);

/* Returns: %FALSE with %GOBAN_ERROR_IO or %GOBAN_ERROR_CANCELLED set, and the old file untouched */
gboolean goban_page_write_png (const GobanPage *self, const char *path, GError **error);

/* Paints the part of the page from (left, top) with the size of @surface, an RGB24 image. */
void goban_page_paint_tile (const GobanPage *self, GobanTextCache *text, GobanBackdrop backdrop,
                            GobanPoint from, cairo_surface_t *surface);
