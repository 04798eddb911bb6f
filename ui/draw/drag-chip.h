/* drag-chip.h: label at the pointer during a drag: name, current device and the effect of a
 * drop. */
#pragma once

#include "ui/draw/lasso.h"
#include "ui/draw/pen.h"

/* Maximum number of devices shown for the dragged nodes. */
#define GOBAN_CHIP_DEVICES 4

typedef struct
{
  const char *title;
  const char *note; /* (nullable): a line below */
  guint n_devices;  /* number of present devices */
  guint devices[GOBAN_CHIP_DEVICES];
  guint target;  /* target device; G_MAXUINT: none */
  GobanPoint at; /* the pointer, pixels of the surface */
  GobanTheme theme;
  double ui_scale;
} GobanDragChip;

/* Beside the pointer, within the surface, even if the pointer is outside. */
void goban_drag_chip_paint (const GobanDragChip *chip, GobanPen *pen);

/* Paints an unfinished lasso, in pixels of the surface, closed by a thin line. */
void goban_lasso_paint (const GobanLasso *lasso, GobanTheme theme, double ui_scale, GobanPen *pen);
