/* lanes.h: options of the timeline's lanes. */
#pragma once

#include <glib.h>

/* Sub-rows of all devices, as names in GobanLanes.open. */
#define GOBAN_LANES_MEMORY "memory"
#define GOBAN_LANES_LINKS "links"

/* Options of the timeline's lanes, by names such as "gpu:0", "gpu:0/memory", "gpu:0>gpu:1".
 * NULL-terminated lists; borrowed. */
typedef struct
{
  /* sub-rows that are shown: of a device, "gpu:0"; of all devices, "memory" or "links"; of one
   * device, "gpu:0/memory" or "gpu:0/links" */
  const char *const *open;
  /* sub-rows that are shown even so, and devices that stay at the top */
  const char *const *pinned;
  const char *const *order; /* these first, in this order; sub-rows stay with their device */
  gboolean is_strips;       /* bars are low strips, and no sub-rows are open */
} GobanLanes;

/* Options with lists of their own, to be cleared. Zeroes are none, whose lists are NULL. */
typedef struct
{
  GobanLanes lanes; /* of the lists; once they are set none is NULL */
  char **open;
  char **pinned;
  char **order;
} GobanOwnLanes;

/* Replaces the content by a copy of @lanes, whose lists may be NULL or this one's own. */
void goban_own_lanes_set (GobanOwnLanes *self, const GobanLanes *lanes);
void goban_own_lanes_clear (GobanOwnLanes *self);

/* Whether a list has a name; @names: (nullable). */
gboolean goban_lanes_have (const char *const *names, const char *name);
