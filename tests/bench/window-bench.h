/* window-bench.h: a window that benchmarks drive, and the figures of what is done in it.
 *
 * Printed are lines "name-what value unit". For each thing that is done: the longest turn of the
 * main loop, frames left out, and the longest frame, in milliseconds of processor time of the main
 * thread.
 */
#pragma once

#include "tests/ui/gui-window.h"

#include "ui/graph/graph-view.h"
#include "ui/panels/search-bar.h"
#include "ui/table/node-table.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

#define WINDOW_BENCH_N_PANS 12

typedef struct
{
  const char *name;    /* begins each line */
  const char *spec;    /* of a graph, or its file */
  const char *cluster; /* (nullable): the file's own */
  GuiWindow window;
  GobanPicture *graph;
  GobanPicture *timeline;
  GobanNodeTable *table;
  GobanSearchBar *search;
  GHashTable *reference; /* (nullable): what -> double: of window_bench_refer() */
} WindowBench;

/* What one edit takes, in milliseconds: until its run is there and until both panes have painted
 * it, on the wall and in processor time of all threads; of it in the main thread; and the longest
 * turn and frame on the way. */
typedef enum
{
  WINDOW_BENCH_RUN_WALL,
  WINDOW_BENCH_RUN_CPU,
  WINDOW_BENCH_PICTURE_WALL,
  WINDOW_BENCH_PICTURE_CPU,
  WINDOW_BENCH_MAIN_CPU,
  WINDOW_BENCH_TURN,
  WINDOW_BENCH_FRAME,
  WINDOW_BENCH_N_FIGURES
} WindowBenchFigure;

typedef void (*WindowBenchFunc) (WindowBench *bench);

/* Sets up GTK and the heap as the program does, and shows an empty window of 1600x1000. */
void window_bench_begin (WindowBench *bench);
void window_bench_end (WindowBench *bench);

/* Opens the graph and waits until it is placed. Prints how long that takes on the wall, and in
 * processor time of all threads to the first picture. */
void window_bench_open (WindowBench *bench);

/* From now on the first figure of each kind is the reference of later ones, behind which their
 * ratio to it is printed. */
void window_bench_refer (WindowBench *bench);
void window_bench_print (WindowBench *bench, const char *what, double value_ms);

/* Waits until nothing works any more and all is painted. */
void window_bench_settle (WindowBench *bench);
/* Settles, and prints what was longest since the last report. */
void window_bench_report (WindowBench *bench, const char *what);

/* @parameter: (nullable): as text */
void window_bench_act (WindowBench *bench, const char *action, const char *parameter);
/* Selects every second of so many nodes from the middle on. */
void window_bench_select (WindowBench *bench, guint n);
/* Frames of a pan, hither and thither. */
/* Selects all nodes several times, and nothing between; prints the medians of the turns and of the
 * frames, and the longest frame as "select-all-most". */
void window_bench_select_all (WindowBench *bench);
void window_bench_pan (GobanPicture *picture);

/* Moves the selection to that device. @figures: (out) (array fixed-size=WINDOW_BENCH_N_FIGURES) */
void window_bench_edit (WindowBench *bench, guint device, double *figures);
void window_bench_print_edit (WindowBench *bench, const double *figures);
/* Prints medians and the least of many edits, each after @prepare. (nullable) */
void window_bench_edit_often (WindowBench *bench, WindowBenchFunc prepare);

G_END_DECLS
