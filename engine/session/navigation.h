/* navigation.h: visited places of a graph with back and forward, and numbered bookmarks.
 *
 * Visited places work as a browser's history does: a new place drops those that lay ahead.
 * Bookmarks have numbers from 1 to 9. A place is a set of nodes and the viewport of the graph pane;
 * a bookmark is a viewport and all that decides the layout it was seen in.
 *
 * Decision U26 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/run/selection.h"

#define GOBAN_NAVIGATION_MOST 50
#define GOBAN_BOOKMARKS 9

/* The visible part of the graph's world, x0 < x1 and y0 < y1; all 0 before the first look. */
typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
} GobanViewport;

gboolean goban_viewport_is_set (const GobanViewport *self);

typedef struct
{
  GobanViewport viewport;
  GobanSelection *selection;
} GobanPlace;

typedef struct
{
  GobanViewport viewport;
  char *color;
  int grouping;    /* GobanGrouping */
  int layout;      /* GobanArrangement */
  char **expanded; /* groups that are open */
} GobanBookmark;

typedef struct _GobanPlaces GobanNavigation;

GobanNavigation *goban_navigation_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_navigation_free (GobanNavigation *self);
/* For a new graph. */
void goban_navigation_clear (GobanNavigation *self);

/* Adds a place after the current one and makes it current. If the current place has the same nodes,
 * only its viewport changes. */
void goban_navigation_visit (GobanNavigation *self, GobanSelection *selection,
                             const GobanViewport *viewport);
/* Updates the viewport of the current place. */
void goban_navigation_set_viewport (GobanNavigation *self, const GobanViewport *viewport);

/* @steps: -1 back, 1 forward. Makes that place the current one; (nullable): NULL if there is none,
 * borrowed until the next change. */
const GobanPlace *goban_navigation_step (GobanNavigation *self, int steps);
gboolean goban_navigation_can_step (const GobanNavigation *self, int steps);
guint goban_navigation_get_n_visited (const GobanNavigation *self);

/* @number: 1..9. set copies, NULL removes the bookmark; get: (nullable), borrowed. */
void goban_navigation_set_bookmark (GobanNavigation *self, guint number,
                                    const GobanBookmark *bookmark);
const GobanBookmark *goban_navigation_get_bookmark (const GobanNavigation *self, guint number);
/* Replaces all bookmarks with copies of those of @from. */
void goban_navigation_copy_bookmarks (GobanNavigation *self, const GobanNavigation *from);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNavigation, goban_navigation_free)
