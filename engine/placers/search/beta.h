/* beta.h: random numbers from Beta distributions, one by one or from a precomputed table.
 *
 * A table holds the chances of all 65,536 fractions of 16 bits and draws one of them by Walker's
 * alias method: one number of the generator and one look into the table, which takes the time of
 * some thirty thousand single draws to make. It is read-only, so any thread may draw from it.
 */
#pragma once

#include "engine/core/rng.h"

/* Beta (alpha, beta), both positive; { 1, 1 } is uniform. */
typedef struct
{
  float alpha;
  float beta;
} GobanBeta;

/* One number in [0, 1). */
double goban_beta_draw (GobanRng *rng, GobanBeta beta);

#define GOBAN_BETA_CELLS 65536

/* A cell that keeps its own fraction below a threshold, and gives another from there on. */
typedef struct
{
  guint64 cells[GOBAN_BETA_CELLS]; /* 48 bits of threshold, 16 of the other fraction */
} GobanBetaTable;

/* Whether a table would be exact; for extreme shapes it would not. */
gboolean goban_beta_can_tabulate (GobanBeta beta);
/* Free with g_free(). (transfer full) */
GobanBetaTable *goban_beta_table_new (GobanBeta beta) G_GNUC_WARN_UNUSED_RESULT;

/* The first 16 binary digits of a number that goban_beta_draw() might draw. */
static inline guint16
goban_beta_table_draw (const GobanBetaTable *self, GobanRng *rng)
{
  guint64 bits = goban_rng_next (rng);
  guint64 own = bits >> 48;
  guint64 cell = self->cells[own];

  return (guint16) ((bits & 0xffffffffffff) < cell >> 16 ? own : cell);
}
