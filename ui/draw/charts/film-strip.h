/* film-strip.h: small timelines of plans beside each other, one for each update of a training.
 *
 * All have the same scale of time, so that a shorter plan is a shorter picture. Pictures without
 * room are left out, evenly; the first and the last are always shown. Plain values; any thread.
 */
#pragma once

#include "engine/study/run/run.h"
#include "ui/draw/pen.h"

#define GOBAN_FILM_COLUMNS 60

/* How busy each device is along the time of a plan: a small timeline. */
typedef struct
{
  guint update;
  double makespan_us; /* NAN: the plan is not made yet, or could not be */
  guint n_devices;
  guint8 *busy; /* (n_devices, GOBAN_FILM_COLUMNS) shares of the column's time, 255: all */
} GobanFilmPicture;

/* Picture of a run's plan. To be cleared. */
GobanFilmPicture goban_film_picture_new (GobanRun *run, guint update) G_GNUC_WARN_UNUSED_RESULT;
/* Placeholder for a plan that is not made yet. */
GobanFilmPicture goban_film_picture_new_empty (guint update);
void goban_film_picture_clear (GobanFilmPicture *self);

typedef struct
{
  const GobanFilmPicture *pictures;
  guint n_pictures;
  gint selected; /* -1: none */
  GobanTheme theme;
  double ui_scale; /* device pixels per pixel of the design; 0: 1 */
} GobanFilmStrip;

/* Fills the pen's surface. */
void goban_film_strip_paint (const GobanFilmStrip *self, GobanPen *pen);
/* The picture at @x in a strip of @width, the nearest if it is outside of them; -1 without
 * pictures. */
gint goban_film_strip_find (const GobanFilmStrip *self, double width, double x);
/* The picture of the shortest plan; -1: none is made. */
gint goban_film_strip_find_best (const GobanFilmStrip *self);
