/* pass.h: one look of the network at one board: activations of forward, which backward reads. */
#pragma once

#include "engine/learn/policy/board.h"
#include "engine/learn/policy/network.h"

/* --- decisions -------------------------------------------------------------------------------- */

/* Choices by row: levels or devices. chosen[t][k] is (n_rows), owned, NULL for a task that is not
 * decided; t < T. The last iteration's choices count. */
typedef struct
{
  guint n_rows;
  int n_iterations;
  GobanTasks decisions;
  guint32 *chosen[GOBAN_NET_MAX_ITERATIONS][GOBAN_N_TASKS];
} GobanChoices;

GobanChoices *goban_choices_new (const GobanNetConfig *config,
                                 guint n_rows) G_GNUC_WARN_UNUSED_RESULT;
void goban_choices_free (GobanChoices *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanChoices, goban_choices_free)

/* Rows that are kept of those a row attends to. */
#define GOBAN_N_ATTENDED 4
#define GOBAN_NO_ROW G_MAXUINT32

/* --- a pass ----------------------------------------------------------------------------------- */

typedef struct _GobanPass GobanPass;

/* Memory for one pass of a network of this configuration over @board, which must outlive it. */
GobanPass *goban_pass_new (const GobanNetConfig *config,
                           const GobanBoard *board) G_GNUC_WARN_UNUSED_RESULT;
void goban_pass_free (GobanPass *self);

/* labels (n_devices) (nullable): a permutation; %NULL, as at first: each device has the label of
 * its number. For the embeds that follow. */
void goban_pass_set_labels (GobanPass *self, const guint32 *labels);
/* Equal devices exchange labels at random: goban_board_dup_equal_devices(). */
void goban_pass_draw_labels (GobanPass *self, GobanRng *rng);

/* Computes everything that does not depend on decisions: once per change of the network. */
void goban_pass_embed (GobanPass *self, const GobanNet *net);

/* The rest: logits of all iterations and tasks. Where the configuration is sampled, decisions are
 * drawn into @choices with @rng as it goes, or read from them if @rng is NULL; else both may be
 * NULL. */
void goban_pass_decide (GobanPass *self, const GobanNet *net, GobanChoices *choices, GobanRng *rng);

/* (N,A) of decide, -INFINITY if masked; NULL for a task that is not decided. Where not sampled,
 * only those of the last iteration are anybody's decisions. */
const float *goban_pass_get_logits (const GobanPass *self, int iteration, GobanTask task);
/* (N,A) likewise: the gradient of the loss by the logits, for the caller to add to; zero after
 * decide. */
float *goban_pass_get_logits_grad (GobanPass *self, int iteration, GobanTask task);

/* rows, shares (N,GOBAN_N_ATTENDED) of decide, for display: the other rows that get most of the
 * attention of a row in the task's layer, the most first, and their shares, means over the heads;
 * GOBAN_NO_ROW and 0 behind the last. %FALSE, and nothing written, without attention. */
gboolean goban_pass_find_attended (const GobanPass *self, int iteration, GobanTask task,
                                   guint32 *rows, float *shares);

/* Back through decide, by the gradients above and the same @choices; then, when all decides of this
 * embed have been gone back through, back through embed. Adds to the network's gradients. */
void goban_pass_decide_backward (GobanPass *self, GobanNet *net, const GobanChoices *choices);
void goban_pass_embed_backward (GobanPass *self, GobanNet *net);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPass, goban_pass_free)
