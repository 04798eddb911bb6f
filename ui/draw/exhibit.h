/* exhibit.h: a value that a console shows as more than text: a figure or a table. */
#pragma once

#include "engine/report/records.h"
#include "ui/draw/figure.h"

G_BEGIN_DECLS

/* Borrowed; one of them. */
typedef struct _GobanExhibit
{
  GobanFigure *figure;
  GobanRecords *records;
  guint slot; /* not 0: replaces what was shown with the same number */
} GobanExhibit;

G_END_DECLS
