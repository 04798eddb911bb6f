/* cell-splits.h: contiguous splits of a graph along parameters or along uses
 * (engine/graph/cells.h).
 *
 * Devices are taken fastest first. Each gets a stretch of rows whose share of the work is the
 * device's share of the speed. Nothing comes from names or from the expert.
 */
#pragma once

#include "engine/graph/cells.h"
#include "engine/placers/units.h"

typedef enum
{
  GOBAN_SPLIT_GROUPS, /* by parameter: whole groups, all uses of them */
  GOBAN_SPLIT_SLOTS,  /* by use: whole slots, of all parameters */
  GOBAN_SPLIT_ROWS,   /* by parameter, but a group may be split between its slots */
  GOBAN_N_SPLITS
} GobanSplit;

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GobanCells *cells;
  GobanCellRows *rows;
  double *work_us; /* (n_rows) mean time */
  double *bytes;   /* (n_rows) parameters and outputs */
  /* (n_devices) time of everything on the device; ops that it cannot run elsewhere */
  double *time_us;
  GobanDeviceId *fastest; /* (n_devices) those that run everything first, then by time */
} GobanCellSplits;

/* Rows as goban_cells_choose() says. @units must outlive it. */
GobanCellSplits *goban_cell_splits_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_cell_splits_free (GobanCellSplits *self);

/* devices (n_rows): cuts the rows into n_parts stretches along an axis. @by_bytes: shares of the
 * devices' memory instead of their speed, if the plan would not fit otherwise. */
void goban_cell_splits_cut (const GobanCellSplits *self, GobanSplit axis, guint n_parts,
                            gboolean by_bytes, GobanDeviceId *devices);

/* Puts nodes on the devices (n_rows) of their rows; units that cannot run there, on their fastest.
 * Priorities and order stay. */
void goban_cell_splits_place (const GobanCellSplits *self, const GobanDeviceId *devices,
                              GobanPlan *plan);

/* Different placements, (array of n_rows GobanDeviceId), for 1 device and for n_parts along every
 * axis: halving the devices first, then all other numbers of parts; at most @n_most. (transfer
 * full) */
GPtrArray *goban_cell_splits_all (const GobanCellSplits *self,
                                  guint n_most) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCellSplits, goban_cell_splits_free)
