/* rollouts.h: rollouts of one update: sampled choices, simulated outcomes and advantages per row.
 *
 * Arrays of R rollouts, N rows and the decided tasks. Made by goban_rollouts_new() for one problem
 * and configuration, and filled again by every update.
 *
 * Decision G9 (engine/NOTES.md).
 */
#pragma once

#include "engine/base/rng.h"
#include "engine/placers/search.h"
#include "engine/policy/decision-record.h"
#include "engine/rl/incumbent.h"
#include "engine/rl/problem.h"

G_BEGIN_DECLS

typedef struct
{
  GobanProblem *problem;   /* borrowed */
  const GobanBoard *board; /* borrowed: the problem's own, or one of a plan */
  GobanNetConfig config;
  guint n_room;           /* rollouts that there is room for */
  guint n;                /* R: rollouts that there are */
  guint n_unions;         /* of these, after them */
  guint n_rows;           /* N */
  GobanChoices **choices; /* (n_room) */
  GobanPlan **plans;      /* (n_room) of these choices */
  GobanOutcome *outcomes; /* (n_room) */
  double *rewards;        /* (n_room) */
  double *works_us;       /* (n_room) of the mean device, where the incumbent weighs it */
  guint *tasks; /* (n_room) the one that may change; GOBAN_N_DECISIONS: all, as at first */
  /* By iteration and task, NULL for what is not decided. (n_room, N) */
  float *old[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_DECISIONS]; /* log-probabilities */
  float *advantages[GOBAN_N_DECISIONS];
  /* On a board of a plan (engine/rl/change-bias.h): offsets of the logits that the pass has, and
   * logits with them. (N,A) NULL where the network is sampled: its later tasks have heard its own
   * draws, of all rows. */
  double n_changes[GOBAN_N_DECISIONS]; /* wanted of each task: 2; 0 where it is to stay */
  float offsets[GOBAN_N_DECISIONS];
  float *stay[GOBAN_N_DECISIONS];
  float *dstay[GOBAN_N_DECISIONS];
  double *blames;   /* (n_room, N) room to work in */
  double *blame_us; /* (n_nodes) likewise */
} GobanRollouts;

GobanRollouts *goban_rollouts_new (GobanProblem *problem, const GobanBoard *board,
                                   const GobanNetConfig *config,
                                   guint n_room) G_GNUC_WARN_UNUSED_RESULT;
void goban_rollouts_free (GobanRollouts *self);

/* Where all rollouts share one pass, iterations before the last are no decisions. */
int goban_rollouts_get_first_iteration (const GobanRollouts *self);

/* Finds the offsets anew, after every goban_pass_decide() of a network that has changed. */
void goban_rollouts_fit_offsets (GobanRollouts *self, GobanPass *pass);

/* (N,A) the logits that choices are drawn by, of the network as it stands in @pass. */
const float *goban_rollouts_see_logits (GobanRollouts *self, GobanPass *pass, int t,
                                        GobanDecision task);

/* Draws n rollouts with a network that @pass has embedded, and notes how likely they were. */
void goban_rollouts_draw (GobanRollouts *self, GobanPass *pass, const GobanNet *net, guint n,
                          GobanRng *rng);

/* Replaces the first rollout's choices by the likeliest, task after task, each seeing those
 * before. */
void goban_rollouts_set_best (GobanRollouts *self, GobanPass *pass, const GobanNet *net);

/* What rollout @r decided, and by which chances, on the pass that it was drawn on: before anything
 * is learned from it. (transfer full) */
GobanDecisionRecord *goban_rollouts_new_record (GobanRollouts *self, GobanPass *pass,
                                                const GobanNet *net,
                                                guint r) G_GNUC_WARN_UNUSED_RESULT;

/* Makes and simulates their plans and offers them to @search (nullable). Where @with_credit,
 * advantages are what the critical paths say of each row (mean 0, deviation 1 over rollouts and
 * rows), else 0. */
void goban_rollouts_simulate (GobanRollouts *self, GobanSearch *search, gboolean with_credit);

/* Share of the work on the device that has most, mean over rollouts; NAN unless whole plans are
 * drawn, and placed. */
double goban_rollouts_get_top_share (const GobanRollouts *self);

/**
 * goban_rollouts_unite:
 * @than: the plan that the board is of, which says what is better
 *
 * Where several rollouts are better than it, tries their changes together: those of the two best,
 * of the three best and so on, as far as there is room; where two change the same row, the better
 * one's change holds. They stand after the rollouts, and nothing is learned from them.
 */
void goban_rollouts_unite (GobanRollouts *self, const GobanIncumbent *than, GobanSearch *search);

/* advantages = advantage of the rollout + weight x what stands there. rewards_of (n). */
void goban_rollouts_add_rewards (GobanRollouts *self, const double *advantages_of, double weight);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRollouts, goban_rollouts_free)

G_END_DECLS
