/* lesson-ring.h: ring and callout around the control, or the op, that a lesson's step points at.
 *
 * Lies over the window's content and lets clicks through. The control is found by its name; while
 * it is not visible, there is no ring. "node NAME" is an op or group of the open graph.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

/* A place that steps can point at. */
typedef struct
{
  const char *name;      /* in lessons: "record", "node text/embed" */
  const char *css;       /* the widget's CSS name, or its own name */
  const char *workspace; /* (nullable): in the header bar of all */
  const char *label;     /* of the button that opens the workspace, marked for translation */
} GobanLessonPlace;

/* (nullable): %NULL for an unknown name. Static. */
const GobanLessonPlace *goban_lesson_place_find (const char *name);

#define GOBAN_TYPE_LESSON_RING (goban_lesson_ring_get_type ())
G_DECLARE_FINAL_TYPE (GobanLessonRing, goban_lesson_ring, GOBAN, LESSON_RING, GtkWidget)

/* Follows the lesson of @session. */
GtkWidget *goban_lesson_ring_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* The control, (nullable), and the outer edge of the ring as it is drawn. */
GtkWidget *goban_lesson_ring_get_target (GobanLessonRing *self, graphene_rect_t *edge);
