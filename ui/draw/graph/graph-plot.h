/* graph-plot.h: plot of a graph: its grouping, open groups, hidden nodes and layout.
 *
 * Shared by the window, the headless tool and scripts, so that they draw the same picture.
 * Immutable and reference-counted; made in any thread.
 */
#pragma once

#include "engine/session/view.h"
#include "ui/draw/graph/graph-layout.h"
#include "ui/draw/graph/graph-scene.h"

typedef struct
{
  /* AUTO: only if nodes without groups could not be read on the board */
  GobanGrouping grouping;
  const char *const *expanded; /* (nullable) */
  GobanSelection *hidden;      /* (nullable) */
  GobanArrangement arrangement;
  /* (nullable): the run for LANES and for the kernels of CLUSTER; without one, lanes are as AUTO */
  GobanTrace *trace;
  GobanHierarchy *hierarchy; /* (nullable): a known hierarchy of that grouping */
  GobanOutline
      *outline;    /* (nullable): a known outline of that hierarchy, with these open and hidden */
  GobanSize board; /* where all of it is to fit, in design pixels; 0: a usual one */
  const GobanProgress *progress; /* (nullable) */
} GobanLook;

typedef struct
{
  gatomicrefcount ref_count;
  GobanHierarchy *hierarchy;
  GobanOutline *outline;
  GobanLayout *layout; /* of the outline */
} GobanPlot;

/* The size of the median label, of nodes and closed groups, at a scale; in design pixels. */
double goban_plot_get_label_size (const GobanPlot *self, double scale);

/* The camera that shows @bounds on a board of a size in pixels, @ui of them to a design pixel, with
 * room for the controls that float over it. */
GobanCamera goban_plot_fit (GobanBox bounds, double width, double height, double max_scale,
                            double ui);

/* The part of such a board, in pixels, that nothing floats over. */
GobanBox goban_plot_get_sight (double width, double height, double ui);

/* Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_CANCELLED set */
GobanPlot *goban_plot_new (GobanGraph *graph, const GobanLook *look,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanPlot *goban_plot_ref (GobanPlot *self);
void goban_plot_unref (GobanPlot *self);

/* The plot's scene, made of @base (transfer full), a scene of its graph. (transfer full) */
GobanGraphScene *goban_plot_take_scene (const GobanPlot *self,
                                        GobanGraphScene *base) G_GNUC_WARN_UNUSED_RESULT;
/* The same, if @base is still needed. (transfer full) */
GobanGraphScene *goban_plot_new_scene (const GobanPlot *self,
                                       const GobanGraphScene *base) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPlot, goban_plot_unref)
