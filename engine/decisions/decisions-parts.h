/* decisions-parts.h: parts of a record that decisions.h does not give, and records made of parts.
 *
 * For files, which keep a record without its policy: the state before the first moment that is
 * left, the changes of moments, and the settled plans. A loader adds moments that were written
 * already, some of which may be missing; it checks all that the functions of a record rely on.
 */
#pragma once

#include "engine/decisions/decisions.h"
#include "engine/machine/plan/plan.h"

/* Parts of a plan beside the devices of a state, each an immutable array: whole numbers of a node,
 * or of a tensor for transfers; and the nodes that it has on other devices than the state. */
enum
{
  GOBAN_SETTLED_PRIORITIES,
  GOBAN_SETTLED_FUSIONS,
  GOBAN_SETTLED_TRANSFERS,
  GOBAN_SETTLED_MOVED, /* GobanMovedNode */
  GOBAN_N_SETTLED_COLUMNS
};

typedef struct
{
  GobanNodeId node;
  guint32 device;
} GobanMovedNode;

/* The plan of a moment. Equal columns of plans in a row are one. */
typedef struct
{
  GobanMoment moment;
  gboolean is_lost; /* dropped but for the digest */
  GobanOrder order;
  guint64 digest;
  double proven_bound_us;                   /* 0: nothing is proven */
  GBytes *columns[GOBAN_N_SETTLED_COLUMNS]; /* (nullable), of gint32: as in a new plan */
} GobanSettledPlan;

/* The state with which a record begins. */
typedef struct
{
  GobanMoment folded;              /* all moments up to it are gone; 0: none */
  GobanMoment moment;              /* whose state it is */
  const GobanDecisionState *state; /* borrowed */
} GobanDecisionsBeginning;

/* A moment that is left follows another one that is left, or the beginning's. */
void goban_decisions_get_beginning (const GobanDecisions *self, GobanDecisionsBeginning *beginning);

/* The moments that were not dropped, ascending, of GobanMoment; O(moments left). (transfer full) */
GArray *goban_decisions_list_left (const GobanDecisions *self) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a moment that is left had scores that were dropped. */
gboolean goban_decisions_has_lost_scores (const GobanDecisions *self, GobanMoment moment);

/* Appends the changes of a moment that is left, of GobanDecisionChange, in their order. */
void goban_decisions_append_own_changes (const GobanDecisions *self, GobanMoment moment,
                                         GArray *changes);

/* Settled plans, of GobanSettledPlan, in their order; some may be of moments that are gone.
 * Borrowed. */
const GArray *goban_decisions_get_settled (const GobanDecisions *self);

/* The same of at most @max_bytes, if that is possible: less of it, dropped as a writer does, but
 * never the newest block. (transfer full) */
GobanDecisions *goban_decisions_new_within (const GobanDecisions *self,
                                            gsize max_bytes) G_GNUC_WARN_UNUSED_RESULT;

/* --- loading ---------------------------------------------------------------------------------- */

/* More moments than this are not loaded: functions of records go through all of them. */
#define GOBAN_DECISIONS_MAX_LOADED (1u << 28)

typedef struct _GobanDecisionsLoader GobanDecisionsLoader;

/* (transfer full): frees itself in _end(). @beginning: its state is copied. */
GobanDecisionsLoader *
goban_decisions_loader_new (guint n_nodes, guint n_devices,
                            const GobanDecisionsBeginning *beginning) G_GNUC_WARN_UNUSED_RESULT;
void goban_decisions_loader_free (GobanDecisionsLoader *self);

/* Adds the next span, before all moments; texts are interned. All three return %FALSE with
 * %GOBAN_ERROR_INVALID set if it does not fit the rest. */
gboolean goban_decisions_loader_add_span (GobanDecisionsLoader *self, const GobanSpan *span,
                                          GError **error);

/* A moment of a record, with its changes and the moment that it follows. */
typedef struct
{
  GobanDecision decision; /* @had is ignored; @note is interned */
  GobanMoment previous;
  const GobanDecisionChange *changes; /* as in GobanDecisionHead */
  guint n_changes;
  gboolean has_lost_scores;
} GobanLoadedMoment;

/* Adds the moment, whose number is higher than those before. */
gboolean goban_decisions_loader_add (GobanDecisionsLoader *self, const GobanLoadedMoment *moment,
                                     GError **error);

/* Adds the next settled plan. Its columns, which are referenced, have a number for each node or
 * tensor. */
gboolean goban_decisions_loader_settle (GobanDecisionsLoader *self, const GobanSettledPlan *plan,
                                        GError **error);

/* Frees @self. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if spans or @last do
 * not fit @n_moments. */
GobanDecisions *goban_decisions_loader_end (GobanDecisionsLoader *self, GobanMoment n_moments,
                                            GobanMoment last,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionsLoader, goban_decisions_loader_free)
