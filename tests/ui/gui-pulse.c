#include "tests/ui/gui-pulse.h"

#include "tests/bench/bench-clock.h"

static struct
{
  GdkFrameClock *clock;
  gulong handlers[2];
  GPollFunc poll;
  double turn_start_ms;
  double frame_start_ms;
  double drawn_ms; /* of this turn, by frames */
  GuiPulse longest;
} pulse;

static void
end_turn (void)
{
  double turn_ms = cpu_ms () - pulse.turn_start_ms - pulse.drawn_ms;

  pulse.longest.turn_ms = MAX (pulse.longest.turn_ms, turn_ms);
  pulse.longest.n_turns++;
  pulse.drawn_ms = 0;
}

static int
poll_between (GPollFD *fds, guint n_fds, int timeout_ms)
{
  int n_ready;

  end_turn ();
  n_ready = pulse.poll (fds, n_fds, timeout_ms);
  pulse.turn_start_ms = cpu_ms ();
  return n_ready;
}

static void
before_paint_cb (GdkFrameClock *clock, gpointer user_data)
{
  pulse.frame_start_ms = cpu_ms ();
}

static void
after_paint_cb (GdkFrameClock *clock, gpointer user_data)
{
  double frame_ms = cpu_ms () - pulse.frame_start_ms;

  pulse.drawn_ms += frame_ms;
  pulse.longest.frame_ms = MAX (pulse.longest.frame_ms, frame_ms);
  pulse.longest.n_frames++;
}

void
gui_pulse_begin (GtkWidget *window)
{
  g_assert_null (pulse.clock);
  pulse.clock = g_object_ref (gtk_widget_get_frame_clock (window));
  pulse.handlers[0]
      = g_signal_connect (pulse.clock, "before-paint", G_CALLBACK (before_paint_cb), NULL);
  pulse.handlers[1]
      = g_signal_connect (pulse.clock, "after-paint", G_CALLBACK (after_paint_cb), NULL);
  pulse.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, poll_between);
  pulse.turn_start_ms = cpu_ms ();
  gui_pulse_take ();
}

GuiPulse
gui_pulse_take (void)
{
  GuiPulse taken;

  end_turn ();
  taken = pulse.longest;
  pulse.longest = (GuiPulse){ 0 };
  pulse.turn_start_ms = cpu_ms ();
  return taken;
}

void
gui_pulse_end (void)
{
  g_main_context_set_poll_func (NULL, pulse.poll);
  for (gsize i = 0; i < G_N_ELEMENTS (pulse.handlers); i++)
    g_signal_handler_disconnect (pulse.clock, pulse.handlers[i]);
  g_clear_object (&pulse.clock);
}
