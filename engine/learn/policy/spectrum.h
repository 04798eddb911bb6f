/* spectrum.h: spectral positions of rows: eigenvectors of the graph's Laplacian. N rows, K
 * eigenvectors.
 *
 * The normalised Laplacian of an undirected graph is L = I - D^-1/2 A D^-1/2. Its eigenvectors of
 * small eigenvalues vary slowly along edges: they distinguish distant rows, as sines of rising
 * frequency do on a line, even if the rows are equal in all other features, as in repeated layers.
 *
 * Found by power iteration on a subspace of K vectors, whose 60 products with L are spent in
 * Chebyshev filters of degree 10, which damp all but the lowest eigenvalues (Zhou, Saad, Tiago and
 * Chelikowsky, 2006). The result is far closer to the eigenvectors than after 60 plain powers of 2I
 * - L. Eigenvalues of large graphs are too close for either; the result is then still smooth, and
 * the best of its subspace.
 */
#pragma once

#include "engine/learn/nn/segment.h"

#define GOBAN_SPECTRUM_SIZE 8 /* K */

/**
 * goban_spectrum:
 * @vectors: (N,K) one per column, by ascending eigenvalue, of unit mean square, with the sign that
 *   grows along the order of rows; 0 if the graph has fewer
 * @values: (K) their Rayleigh quotients; 0 for missing ones
 * @neighbours: undirected: each pair in both directions, no row next to itself
 *
 * The trivial eigenvector, D^1/2 1, is left out. A graph of several parts has more vectors of
 * eigenvalue 0. Rows without neighbours are 0 in all. O(N + E), the same bytes for any number of
 * threads.
 */
void goban_spectrum (float *vectors, double *values, const GobanSegments *neighbours);
