#include "tests/ui/monkey-watch.h"

#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N_KEPT 40
#define MAX_CHARS 100
#define MAX_FRAMES 60
#define WATCH_US 50000

static struct
{
  char actions[N_KEPT][MAX_CHARS];
  guint n_actions;
  char round[MAX_CHARS];
  gboolean is_long;
  guint max_blocked_ms;
  guint n_findings;

  GPollFunc poll;
  int schedule;           /* /proc/thread-self/schedstat of the main thread */
  int server_schedule;    /* and that of the display server, for which GTK waits */
  gint64 turn_start_us;   /* atomic; 0: the loop waits for events */
  gint64 start_waited_us; /* time for which the thread was ready and had no processor */
  gint64 start_ran_us;    /* time for which it had one */
  pthread_t main_thread;
  GThread *thread; /* looks whether the loop turns */
  gboolean is_ending;
} watch;

/* --- printing: also within a signal's handler ------------------------------------------------ */

static void
put (const char *text)
{
  if (write (STDERR_FILENO, text, strlen (text)) < 0)
    _exit (EXIT_FAILURE);
}

static void
put_stack (void)
{
  void *frames[MAX_FRAMES];

  backtrace_symbols_fd (frames, backtrace (frames, MAX_FRAMES), STDERR_FILENO);
}

static void
put_actions (void)
{
  put ("# ");
  put (watch.round);
  put ("\n");
  for (guint i = watch.n_actions > N_KEPT ? watch.n_actions - N_KEPT : 0; i < watch.n_actions; i++)
    {
      put ("#   ");
      put (watch.actions[i % N_KEPT]);
      put ("\n");
    }
}

static void
crash_cb (int number)
{
  signal (number, SIG_DFL);
  put ("# The program crashes.\n");
  put_actions ();
  put_stack ();
  raise (number);
}

/* Where the main thread is, asked by the other one. */
static void
blocked_cb (int number)
{
  put ("# The main loop does not turn:\n");
  put_stack ();
}

/* --- warnings -------------------------------------------------------------------------------- */

/* The widget that GTK complains of because it is drawn before it is laid out; so it is alive. */
static GtkWidget *
find_undone (const char *text)
{
  const char *complaint = strstr (text, "Trying to snapshot ");
  gpointer widget = NULL;

  return complaint != NULL && sscanf (complaint, "Trying to snapshot %*s %p", &widget) == 1 ? widget
                                                                                            : NULL;
}

static gboolean
holds_text (GtkWidget *widget)
{
  if (GTK_IS_TEXT_VIEW (widget))
    return gtk_widget_get_mapped (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (holds_text (child))
      return TRUE;
  return FALSE;
}

static gboolean
has_parent (GtkWidget *widget, const char *type)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return parent != NULL && g_str_equal (G_OBJECT_TYPE_NAME (parent), type);
}

static void
put_ancestors (GtkWidget *widget)
{
  if (widget != NULL)
    put ("# within");
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      put (" ");
      put (G_OBJECT_TYPE_NAME (widget));
      if (gtk_widget_get_parent (widget) == NULL)
        put ("\n");
    }
}

/* Mistakes of GTK 4.8, in whose functions alone they happen. */
static gboolean
is_of_gtk (const char *text)
{
  static const char *const known[] = {
    /* GtkFileChooserWidget sets the order of its list while that has no model: a header is clicked
       during a search. */
    "gtk_tree_sortable_",
    /* GtkWindowHandle begins to move the window, and the release that follows is another device's
       or never comes. */
    "Broken accounting of active state",
    /* A popover that is gone with its window, whose tooltip GTK waits to show. */
    "gdk_surface_get_device_position: assertion",
    "_gtk_widget_find_at_coords: assertion",
    /* The slider of a GtkTextView, as below. */
    "Trying to snapshot GtkGizmo",
    /* A list goes on scrolling after a push while it is hidden, and has no rows then. */
    "GtkListView failed to scroll to given position",
  };
  GtkWidget *undone = find_undone (text);

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (text, known[i]) != NULL)
      return TRUE;
  /* GtkTextView sets its adjustment while it is drawn, so that its scrollbar appears after all
     around it was to be laid out. */
  if (undone != NULL && holds_text (undone))
    return TRUE;
  /* The path of a file dialog, until its folder is known: GtkPathBar then returns before it lays
     out its two arrows (gtkpathbar.c:459). */
  return undone != NULL && has_parent (undone, "GtkPathBar");
}

static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user_data)
{
  g_autofree char *text = NULL;

  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) == 0)
    return G_LOG_WRITER_HANDLED;
  text = g_log_writer_format_fields (level, fields, n_fields, FALSE);
  if (is_of_gtk (text))
    return G_LOG_WRITER_HANDLED;
  watch.n_findings++;
  put ("# FINDING: ");
  put (text);
  put ("\n");
  put_ancestors (find_undone (text));
  put_actions ();
  put_stack ();
  if (!watch.is_long)
    _exit (EXIT_FAILURE);
  return G_LOG_WRITER_HANDLED;
}

static gboolean
never_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  return FALSE;
}

/* --- the main loop --------------------------------------------------------------------------- */

/* A busy machine is no mistake of the program: time without a processor does not count. */
static void
add_times_us (int schedule, gint64 *ran, gint64 *waited)
{
  char text[64] = "";
  char *rest;

  if (schedule < 0 || pread (schedule, text, sizeof text - 1, 0) <= 0)
    return;
  *ran += g_ascii_strtoll (text, &rest, 10) / 1000;
  *waited += g_ascii_strtoll (rest, NULL, 10) / 1000;
}

static void
get_times_us (gint64 *ran, gint64 *waited)
{
  gint64 served = 0;

  *ran = *waited = 0;
  add_times_us (watch.schedule, ran, waited);
  add_times_us (watch.server_schedule, &served, waited);
}

static int
poll_between (GPollFD *fds, guint n_fds, int timeout_ms)
{
  gint64 start_us = __atomic_load_n (&watch.turn_start_us, __ATOMIC_RELAXED);
  gint64 took_us = g_get_monotonic_time () - start_us;
  gint64 ran_us, waited_us;
  int n_ready;

  if (start_us != 0 && took_us > watch.max_blocked_ms * 1000)
    {
      get_times_us (&ran_us, &waited_us);
      took_us -= waited_us - watch.start_waited_us;
      if (took_us > watch.max_blocked_ms * 1000)
        monkey_watch_report ("the main loop was blocked for %d ms, of which it ran %d",
                             (int) (took_us / 1000), (int) ((ran_us - watch.start_ran_us) / 1000));
    }
  __atomic_store_n (&watch.turn_start_us, 0, __ATOMIC_RELAXED);
  n_ready = watch.poll (fds, n_fds, timeout_ms);
  get_times_us (&watch.start_ran_us, &watch.start_waited_us);
  __atomic_store_n (&watch.turn_start_us, g_get_monotonic_time (), __ATOMIC_RELAXED);
  return n_ready;
}

static gpointer
watch_thread (gpointer data)
{
  gint64 told_us = 0;

  while (!__atomic_load_n (&watch.is_ending, __ATOMIC_RELAXED))
    {
      gint64 start_us = __atomic_load_n (&watch.turn_start_us, __ATOMIC_RELAXED);

      if (start_us != 0 && start_us != told_us
          && g_get_monotonic_time () - start_us > watch.max_blocked_ms * 1000)
        {
          told_us = start_us;
          pthread_kill (watch.main_thread, SIGUSR2);
        }
      g_usleep (WATCH_US);
    }
  return NULL;
}

/* --- life ------------------------------------------------------------------------------------ */

void
monkey_watch_begin (gboolean is_long, guint max_blocked_ms)
{
  static const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
  const char *pid = g_getenv ("GUI_RUN_SERVER");
  g_autofree char *server = pid != NULL ? g_strdup_printf ("/proc/%s/schedstat", pid) : NULL;
  void *frame;

  watch.is_long = is_long;
  watch.max_blocked_ms = max_blocked_ms;
  /* The first call loads a library, which a handler must not. */
  backtrace (&frame, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    signal (crashes[i], crash_cb);
  g_log_set_writer_func (log_cb, NULL, NULL);
  g_test_log_set_fatal_handler (never_fatal, NULL);
  /* A long run goes on after the first. */
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  if (max_blocked_ms == 0)
    return;
  signal (SIGUSR2, blocked_cb);
  watch.main_thread = pthread_self ();
  watch.schedule = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  watch.server_schedule = server != NULL ? open (server, O_RDONLY | O_CLOEXEC) : -1;
  watch.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, poll_between);
  watch.thread = g_thread_new ("monkey-watch", watch_thread, NULL);
}

void
monkey_watch_end (void)
{
  if (watch.thread == NULL)
    return;
  __atomic_store_n (&watch.is_ending, TRUE, __ATOMIC_RELAXED);
  g_thread_join (watch.thread);
  g_main_context_set_poll_func (NULL, watch.poll);
  if (watch.schedule >= 0)
    close (watch.schedule);
  if (watch.server_schedule >= 0)
    close (watch.server_schedule);
}

void
monkey_watch_set_round (const char *sample, guint32 seed)
{
  watch.n_actions = 0;
  /* The program starts anew, in no turn of its loop. */
  __atomic_store_n (&watch.turn_start_us, 0, __ATOMIC_RELAXED);
  g_snprintf (watch.round, sizeof watch.round, "GOBAN_MONKEY_SEED=%u, %s; the last actions:", seed,
              sample);
}

void
monkey_watch_note (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_vsnprintf (watch.actions[watch.n_actions % N_KEPT], MAX_CHARS, format, args);
  va_end (args);
  watch.n_actions++;
}

void
monkey_watch_report (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  watch.n_findings++;
  put ("# FINDING: ");
  put (text);
  put ("\n");
  put_ancestors (find_undone (text));
  put_actions ();
}

guint
monkey_watch_get_n_findings (void)
{
  return watch.n_findings;
}

gsize
monkey_watch_get_rss_bytes (void)
{
  g_autofree char *text = NULL;
  char *rest;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  g_ascii_strtoull (text, &rest, 10);
  return g_ascii_strtoull (rest, NULL, 10) * (gsize) sysconf (_SC_PAGESIZE);
}

gsize
monkey_watch_get_used_bytes (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}
