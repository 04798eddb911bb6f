/* spectrum.h: spectral positions of rows: eigenvectors of the graph's Laplacian. N rows, K
 * eigenvectors.
 *
 * The normalised Laplacian of an undirected graph is L = I - D^-1/2 A D^-1/2. Its eigenvectors of
 * small eigenvalues vary slowly along edges: they tell apart what lies apart, as sines of rising
 * frequency do on a line. Where rows of repeated layers are alike in all else, these are not.
 *
 * Found by power iteration on a subspace of K vectors, whose 60 products with L are spent in
 * Chebyshev filters of degree 10, so that they damp all but the lower end (Zhou, Saad, Tiago and
 * Chelikowsky, 2006): far closer to the eigenvectors than 60 plain powers of 2I - L. Large graphs
 * have eigenvalues too close for either; then what comes out is smooth all the same, and the best
 * of its subspace.
 */
#pragma once

#include "engine/nn/segment.h"

G_BEGIN_DECLS

#define GOBAN_SPECTRUM_SIZE 8 /* K */

/**
 * goban_spectrum:
 * @vectors: (N,K) one per column, by ascending eigenvalue, of unit mean square, along the order of
 *   rows rather than against it; 0 throughout if the graph is too small to have so many
 * @values: (K) their Rayleigh quotients, 0 for such a one
 * @neighbours: undirected: each pair both ways, none beside itself
 *
 * The trivial eigenvector, D^1/2 1, is none of them. Graphs of several parts have more vectors of
 * eigenvalue 0. Rows without neighbours are 0 in all. O(N + E), the same bytes for any number of
 * threads.
 */
void goban_spectrum (float *vectors, double *values, const GobanSegments *neighbours);

G_END_DECLS
