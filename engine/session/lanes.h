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

/* Options with lists of their own, to be cleared. Zeroes are none, whose lists are NULL. */
typedef struct
{
  GobanLanes lanes; /* of the lists; once they are set none is NULL */
  char **pinned;
  char **hidden;
  char **order;
} GobanOwnLanes;

/* Replaces the content by a copy of @lanes, whose lists may be NULL or this one's own. */
void goban_own_lanes_set (GobanOwnLanes *self, const GobanLanes *lanes);
void goban_own_lanes_clear (GobanOwnLanes *self);

G_END_DECLS
