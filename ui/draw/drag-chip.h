/* drag-chip.h: label at the pointer during a drag: name, current device and the effect of a
 * drop. */
#pragma once

#include "ui/draw/lasso.h"
#include "ui/draw/pen.h"

G_BEGIN_DECLS

/* So many devices are shown of what is dragged. */
#define GOBAN_CHIP_DEVICES 4

typedef struct
{
  const char *title;
  const char *note; /* (nullable): a line below */
  guint n_devices;  /* of devices: where it is now */
  guint devices[GOBAN_CHIP_DEVICES];
  guint target;  /* the device it would go to; G_MAXUINT: none */
  GobanPoint at; /* the pointer, pixels of the surface */
  GobanTheme theme;
  double ui_scale;
} GobanDragChip;

/* Beside the pointer, within the surface. */
void goban_drag_chip_paint (const GobanDragChip *chip, GobanPen *pen);

/* An outline that is being drawn, in pixels of the surface, closed by a thin line. */
void goban_lasso_paint (const GobanLasso *lasso, GobanTheme theme, double ui_scale, GobanPen *pen);

G_END_DECLS
