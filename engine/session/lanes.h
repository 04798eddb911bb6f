/* lanes.h: options of the timeline's lanes. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Options of the timeline's lanes, by names such as "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": pinned
 * to the top, hidden, and sorted first, each list in its order. NULL-terminated; borrowed. */
typedef struct
{
  const char *const *pinned;
  const char *const *hidden;
  const char *const *order;
} GobanLanes;

/* Copies with owned lists, none of them NULL. */
GobanLanes goban_lanes_copy (const GobanLanes *lanes) G_GNUC_WARN_UNUSED_RESULT;
void goban_lanes_clear (GobanLanes *lanes);

G_END_DECLS
