/* graph-label.h: sizes of the names of nodes and closed groups. */
#pragma once

#include <glib.h>

/* Height in design pixels of a node with a label at all, and with a second line. */
#define GOBAN_LEAST_LABELLED 12.0
/* From here on its edges have heads and their widths. */
#define GOBAN_LEAST_DETAILED 15.0
#define GOBAN_LEAST_TWO_LINES 32.0
/* The same of a closed group. */
#define GOBAN_LEAST_NAMED_GROUP 17.0
#define GOBAN_LEAST_GROUP_LINES 34.0
/* Smaller labels cannot be read at ease; and the height of a node with such a one. */
#define GOBAN_READABLE_LABEL 9.0
#define GOBAN_LEAST_READABLE 18.0

/* The size of the name in a box of this height, both in design pixels; 0: no name. */
static inline double
goban_label_size_of_node (double height)
{
  if (height < GOBAN_LEAST_LABELLED)
    return 0;
  return height < GOBAN_LEAST_TWO_LINES ? CLAMP (height * 0.5, 8, 11)
                                        : CLAMP (height * 0.29, 9, 24);
}

static inline double
goban_label_size_of_group (double height)
{
  if (height < GOBAN_LEAST_NAMED_GROUP)
    return 0;
  return height < GOBAN_LEAST_GROUP_LINES ? CLAMP (height * 0.4, 8, 11)
                                          : CLAMP (height * 0.235, 9, 26);
}
