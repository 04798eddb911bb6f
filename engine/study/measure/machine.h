/* machine.h: processor cores of this machine as devices, and how busy others keep them.
 *
 * Linux only: /proc/stat and the affinity of threads. Elsewhere there are no cores to choose.
 * Decision E60 (engine/NOTES.md).
 */
#pragma once

#include <glib.h>

/* Share of the cores' time that other processes may take, at most. */
#define GOBAN_MACHINE_MOST_LOAD 0.03

/* Processors that can be distinguished. */
#define GOBAN_MACHINE_MOST_CPUS 1024

/* A processor's time since the machine started, in clock ticks. */
typedef struct
{
  guint64 busy; /* includes time that a hypervisor gave to others */
  guint64 total;
} GobanCpuTicks;

/* Ticks of processors @cpus (n) from the text of /proc/stat; %FALSE with %GOBAN_ERROR_PARSE set if
 * one is missing. */
gboolean goban_cpu_ticks_parse (const char *stat, const guint *cpus, guint n, GobanCpuTicks *ticks,
                                GError **error);

/**
 * goban_machine_choose:
 * @n: cores
 * @cpus: (out) (array length=n): processors that this process may use, each a core of its own if
 *   there are enough
 * @note: (out) (nullable) (transfer full): that some share a core
 *
 * Returns: %FALSE with %GOBAN_ERROR_INVALID set if there are fewer
 */
gboolean goban_machine_choose (guint n, guint *cpus, char **note, GError **error);

/* Runs the calling thread on that processor only. */
gboolean goban_machine_pin (guint cpu, GError **error);

/* "Intel(R) Xeon(R) Processor", or "processor". (transfer full) */
char *goban_machine_dup_name (void) G_GNUC_WARN_UNUSED_RESULT;

/* --- load of others -------------------------------------------------------------------------- */

/* The share of some processors' time that other processes took, from one moment on. */
typedef struct
{
  const guint *cpus;
  guint n;
  GobanCpuTicks *ticks; /* (n) at the beginning */
  double own_us;        /* of this process, then */
} GobanLoadWatch;

gboolean goban_load_watch_init (GobanLoadWatch *self, const guint *cpus, guint n, GError **error);
void goban_load_watch_clear (GobanLoadWatch *self);

/* In [0, 1], since the beginning; ticks are coarse, so less than a second is not precise. */
gboolean goban_load_watch_get (const GobanLoadWatch *self, double *load, GError **error);

/* Ticks from one moment to another. Counts of waiting time may go back (proc(5)), and then count as
 * none. */
GobanCpuTicks goban_cpu_ticks_since (GobanCpuTicks before, GobanCpuTicks now);

/* The arithmetic of it: busy and all ticks of the processors, and this process's own time. */
double goban_load_compute (guint64 busy_ticks, guint64 total_ticks, double own_us, double tick_us);
