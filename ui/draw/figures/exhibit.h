/* exhibit.h: a value that a console shows as more than text: a figure, a table or a picture.
 *
 * Decision U58 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/report/records.h"
#include "ui/draw/figures/figure.h"

/* Declared here, for programs without cairo: ui/draw/export/picture.h. */
typedef struct _GobanRendering GobanRendering;

/* Borrowed; one of them. */
typedef struct _GobanExhibit
{
  GobanFigure *figure;
  GobanRecords *records;
  GobanRendering *rendering;
  guint slot; /* not 0: replaces the exhibit of the same number */
} GobanExhibit;
