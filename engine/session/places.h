/* places.h: where people have been in a graph, and where they want to come again.
 *
 * Two lists of plain values. Visited places are a browser's history: a step back and forward, and
 * going elsewhere forgets what lay ahead. Bookmarks have numbers from 1 to 9. A place is a set of
 * nodes, and what the graph pane showed of its world; a bookmark is the latter, with all that
 * decides how that world looks.
 */
#pragma once

#include "engine/session/selection.h"

G_BEGIN_DECLS

#define GOBAN_PLACES_MOST 50
#define GOBAN_BOOKMARKS 9

/* The visible part of the graph's world, x0 < x1 and y0 < y1; all 0 if unset. */
typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
} GobanSight;

gboolean goban_sight_is_set (const GobanSight *self);

typedef struct
{
  GobanSight sight;
  GobanSelection *selection;
} GobanPlace;

typedef struct
{
  GobanSight sight;
  char *color;
  int grouping;    /* GobanGrouping */
  int layout;      /* GobanArrangement */
  char **expanded; /* groups that are open */
} GobanBookmark;

typedef struct _GobanPlaces GobanPlaces;

GobanPlaces *goban_places_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_places_free (GobanPlaces *self);
/* Drops everything, because another graph is open. */
void goban_places_clear (GobanPlaces *self);

/* Adds a place with these nodes after the current one; if the current one has the same nodes, only
 * its visible part changes. */
void goban_places_visit (GobanPlaces *self, GobanSelection *selection, const GobanSight *sight);
/* Changes the visible part of the current place. */
void goban_places_look (GobanPlaces *self, const GobanSight *sight);

/* @steps: -1 back, 1 forward. Makes that place the current one; (nullable): NULL if there is none.
 * Borrowed until the next change. */
const GobanPlace *goban_places_step (GobanPlaces *self, int steps);
gboolean goban_places_can_step (const GobanPlaces *self, int steps);
guint goban_places_get_n_visited (const GobanPlaces *self);

/* @number: 1..9. set copies; NULL removes the bookmark. get: (nullable), borrowed. */
void goban_places_set_bookmark (GobanPlaces *self, guint number, const GobanBookmark *bookmark);
const GobanBookmark *goban_places_get_bookmark (const GobanPlaces *self, guint number);
/* Replaces the bookmarks by those of @from. */
void goban_places_copy_bookmarks (GobanPlaces *self, const GobanPlaces *from);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlaces, goban_places_free)

G_END_DECLS
