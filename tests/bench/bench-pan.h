/* bench-pan.h: frame time of a graph picture while it is panned. */
#pragma once

#include "tests/bench/bench-clock.h"

#include "ui/draw/graph/graph-painter.h"

/* The median of so many frames, hither and thither. */
static inline double
pan_ms (GobanGraphPicture *picture, GobanPen *pen, guint n_frames)
{
  g_autofree double *times_ms = g_new (double, n_frames);

  for (guint i = 0; i < n_frames; i++)
    {
      double start_ms = cpu_ms ();

      goban_camera_pan (&picture->camera, i % 2 == 0 ? 7 : -5, i % 3 == 0 ? 3 : -2);
      goban_graph_paint (picture, pen);
      times_ms[i] = cpu_ms () - start_ms;
    }
  return median_ms (times_ms, n_frames);
}
