/* metis-cut.h: partitioning of a weighted graph by METIS.
 *
 * The only file that includes metis.h is metis-cut.c. METIS draws from the C library's one
 * random number generator, so a lock lets one thread in at a time; with that, the
 * result is a function of the arguments.
 *
 * Decision E13 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Undirected, every edge in both directions, without loops, in compressed rows. */
typedef struct
{
  guint n_vertices;
  guint n_weights;  /* at least 1 */
  double *weights;  /* (n_vertices x n_weights) not negative; parts are balanced by each */
  guint32 *offsets; /* (n_vertices + 1) into heads and costs */
  GArray *heads;    /* guint32 */
  GArray *costs;    /* double: of cutting the edge, not negative */
} GobanCutGraph;

void goban_cut_graph_clear (GobanCutGraph *self);

/* A call of METIS: the vertices of parts first .. first + n_parts - 1, in two or all at once. */
typedef struct
{
  guint first;
  guint n_parts;
  gboolean is_in_two; /* the first n_parts / 2 parts are one side */
} GobanCut;

/**
 * goban_metis_cut:
 * @shares: (n_parts x n_weights) of each weight, positive, to go to each part
 * @parts: (out caller-allocates): the part of each vertex
 * @cuts: (element-type GobanCut): receives the calls, in their order
 *
 * A part may weigh 1.03 times its share of each weight, METIS's custom, or more if the
 * vertices are too heavy or too few for that.
 *
 * Returns: %FALSE with %GOBAN_ERROR_UNSUPPORTED set if METIS fails, which says why
 */
gboolean goban_metis_cut (const GobanCutGraph *graph, const double *shares, guint n_parts,
                          guint64 seed, guint32 *parts, GArray *cuts, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanCutGraph, goban_cut_graph_clear)

G_END_DECLS
