#include "ui/compare/race-bar.h"

#include "engine/core/i18n.h"
#include "engine/core/jobs/job.h"
#include "engine/session/compare-set-looks.h"
#include "engine/study/analysis/moments/moment-shown.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#define TICK_MS 100
#define RACE_MS 15000 /* from the first decision to the last */
#define NO_BET -1

struct _GobanRaceBar
{
  GtkWidget parent;

  GobanCompareSet *set;
  GPtrArray *runs; /* (nullable) GobanRun: as the clock has them */
  GobanJob *job;   /* (nullable): makes the next ones */
  double fraction;
  double made;   /* the fraction that the job makes, or has made */
  guint tick_id; /* while it plays */
  int bet;       /* the plan that people think wins */
  GtkWidget *play;
  GtkWidget *clock;
  GtkWidget *text;
  GtkWidget *bets;
};

G_DEFINE_FINAL_TYPE (GobanRaceBar, goban_race_bar, GTK_TYPE_WIDGET)

/* --- words ------------------------------------------------------------------------------------ */

static guint
find_winner (GobanRaceBar *self)
{
  guint best = 0;

  for (guint i = 1; i < goban_compare_set_get_n_runs (self->set); i++)
    if (goban_run_get_makespan_us (goban_compare_set_get_run (self->set, i))
        < goban_run_get_makespan_us (goban_compare_set_get_run (self->set, best)))
      best = i;
  return best;
}

/* "B critical-path wins with 2.562 ms. You said so." (transfer full) */
static char *
describe_end (GobanRaceBar *self)
{
  guint winner = find_winner (self);
  GobanRun *run = goban_compare_set_get_run (self->set, winner);
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *text
      = g_strdup_printf (_ ("%c %s wins with %s."), 'A' + (int) winner, goban_run_get_name (run),
                         goban_format_makespan (time, run));

  if (self->bet == NO_BET)
    return g_steal_pointer (&text);
  return g_strconcat (text, " ",
                      self->bet == (int) winner ? _ ("You said so.") : _ ("You said another one."),
                      NULL);
}

static void
update_words (GobanRaceBar *self)
{
  gboolean has_ended = self->fraction >= 1;
  g_autofree char *text
      = has_ended && goban_compare_set_get_n_runs (self->set) > 0
            ? describe_end (self)
            : g_strdup_printf (_ ("%.0f %% decided. Who will win?"), 100 * self->fraction);

  goban_set_label_text (self->text, text);
  gtk_widget_set_sensitive (self->bets, !has_ended);
  gtk_button_set_icon_name (GTK_BUTTON (self->play), self->tick_id != 0
                                                         ? "media-playback-pause-symbolic"
                                                         : "media-playback-start-symbolic");
  goban_set_accessible_label (self->play, self->tick_id != 0 ? _ ("Pause") : _ ("Play"));
  gtk_range_set_value (GTK_RANGE (self->clock), self->fraction);
}

/* --- the runs of the clock -------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *bases; /* GobanRun */
  double fraction;
} Wish;

static void
wish_free (gpointer data)
{
  Wish *wish = data;

  g_ptr_array_unref (wish->bases);
  g_free (wish);
}

/* A plan without a record is shown whole, and so are all at the end. */
static GobanRun *
make_run (GobanRun *base, double fraction, GError **error)
{
  GobanDecisions *decisions = goban_run_get_decisions (base);
  guint n = decisions != NULL ? goban_decisions_get_n_moments (decisions) : 0;

  return n == 0 || fraction >= 1
             ? goban_run_ref (base)
             : goban_moment_new_shown_run (base, MIN ((GobanMoment) (fraction * n), n - 1), error);
}

static gpointer
make_runs (const GobanProgress *progress, gpointer data, GError **error)
{
  const Wish *wish = data;
  g_autoptr (GPtrArray) runs = goban_run_array_new ();

  for (guint i = 0; i < wish->bases->len; i++)
    {
      GobanRun *run = make_run (wish->bases->pdata[i], wish->fraction, error);

      if (run == NULL)
        return NULL;
      g_ptr_array_add (runs, run);
    }
  return g_steal_pointer (&runs);
}

static void want_runs (GobanRaceBar *self);

static void
made_cb (GobanRaceBar *self, GobanJob *job)
{
  GPtrArray *runs;

  if (job != self->job)
    return;
  runs = goban_job_steal_result (job, NULL);
  g_clear_object (&self->job);
  if (runs != NULL)
    {
      g_clear_pointer (&self->runs, g_ptr_array_unref);
      self->runs = runs;
      g_signal_emit_by_name (self, "changed");
    }
  if (self->made != self->fraction)
    want_runs (self);
}

/* The newest of the times that pass while runs are made is shown, and no other. */
static void
want_runs (GobanRaceBar *self)
{
  Wish *wish;

  if (self->job != NULL)
    return;
  wish = g_new0 (Wish, 1);
  wish->bases = goban_run_array_new ();
  wish->fraction = self->made = self->fraction;
  for (guint i = 0; i < goban_compare_set_get_n_runs (self->set); i++)
    g_ptr_array_add (wish->bases, goban_run_ref (goban_compare_set_get_run (self->set, i)));
  self->job
      = goban_job_start ("racing", make_runs, wish, wish_free, (GDestroyNotify) g_ptr_array_unref);
  GOBAN_CONNECT (self->job, "done", made_cb, self);
}

/* --- the clock -------------------------------------------------------------------------------- */

void
goban_race_bar_seek (GobanRaceBar *self, double fraction)
{
  g_return_if_fail (GOBAN_IS_RACE_BAR (self));

  if (!gtk_widget_get_visible (GTK_WIDGET (self)) || self->fraction == fraction)
    return;
  self->fraction = CLAMP (fraction, 0, 1);
  if (self->fraction >= 1)
    g_clear_handle_id (&self->tick_id, g_source_remove);
  goban_compare_set_set_racing (self->set, self->fraction < 1);
  update_words (self);
  want_runs (self);
}

double
goban_race_bar_get_fraction (GobanRaceBar *self)
{
  g_return_val_if_fail (GOBAN_IS_RACE_BAR (self), 1);

  return self->fraction;
}

static gboolean
tick_cb (gpointer user_data)
{
  GobanRaceBar *self = user_data;

  /* A slow computer skips no decisions. */
  if (self->job == NULL)
    goban_race_bar_seek (self, MIN (self->fraction + (double) TICK_MS / RACE_MS, 1));
  return self->tick_id != 0;
}

void
goban_race_bar_play (GobanRaceBar *self, gboolean is_playing)
{
  g_return_if_fail (GOBAN_IS_RACE_BAR (self));

  g_clear_handle_id (&self->tick_id, g_source_remove);
  if (is_playing && self->fraction >= 1)
    goban_race_bar_seek (self, 0);
  if (is_playing)
    self->tick_id = g_timeout_add (TICK_MS, tick_cb, self);
  update_words (self);
}

void
goban_race_bar_toggle (GobanRaceBar *self)
{
  g_return_if_fail (GOBAN_IS_RACE_BAR (self));

  goban_race_bar_play (self, self->tick_id == 0);
}

void
goban_race_bar_race (GobanRaceBar *self, gboolean is_racing)
{
  g_return_if_fail (GOBAN_IS_RACE_BAR (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self)) == is_racing)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self), is_racing);
  g_clear_object (&self->job);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  self->fraction = 0;
  self->bet = NO_BET;
  goban_compare_set_set_racing (self->set, is_racing);
  goban_race_bar_play (self, is_racing);
  if (is_racing)
    want_runs (self);
  else
    g_signal_emit_by_name (self, "changed");
}

gboolean
goban_race_bar_is_busy (GobanRaceBar *self)
{
  g_return_val_if_fail (GOBAN_IS_RACE_BAR (self), FALSE);

  return self->job != NULL;
}

GobanRun *
goban_race_bar_get_run (GobanRaceBar *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_RACE_BAR (self), NULL);

  return self->runs != NULL && i < self->runs->len ? self->runs->pdata[i] : NULL;
}

/* --- handlers --------------------------------------------------------------------------------- */

static gboolean
moved_cb (GtkRange *range, GtkScrollType scroll, double value, GobanRaceBar *self)
{
  goban_race_bar_play (self, FALSE);
  goban_race_bar_seek (self, value);
  return FALSE;
}

static void
bet_cb (GobanRaceBar *self, GtkToggleButton *button)
{
  if (gtk_toggle_button_get_active (button))
    self->bet = *gtk_button_get_label (GTK_BUTTON (button)) - 'A';
}

static void
goban_race_bar_dispose (GObject *object)
{
  GobanRaceBar *self = GOBAN_RACE_BAR (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_clear_object (&self->job);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  if (self->set != NULL)
    g_signal_handlers_disconnect_by_data (self->set, self);
  g_clear_object (&self->set);
  goban_remove_children (GTK_WIDGET (self));

  G_OBJECT_CLASS (goban_race_bar_parent_class)->dispose (object);
}

static void
goban_race_bar_class_init (GobanRaceBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_race_bar_dispose;
  goban_signal_add (klass, "changed", 0);
  gtk_widget_class_set_css_name (widget_class, "racebar");
  goban_template_set (widget_class, "compare/race-bar.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanRaceBar, play, clock, text, bets);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, goban_race_bar_toggle, moved_cb, bet_cb);
}

static void
goban_race_bar_init (GobanRaceBar *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_race_bar_new (GobanCompareSet *set)
{
  GobanRaceBar *self = g_object_new (GOBAN_TYPE_RACE_BAR, NULL);

  self->set = g_object_ref (set);
  return GTK_WIDGET (self);
}
