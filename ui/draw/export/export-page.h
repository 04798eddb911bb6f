/* export-page.h: layout of an exported page: title, picture and legend.
 *
 * Private to the files of export. A page borrows its contents. Its size and positions are whole
 * pixels, so that a page painted in tiles equals the page painted at once.
 */
#pragma once

#include "ui/draw/export/export.h"

G_BEGIN_DECLS

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

G_END_DECLS
