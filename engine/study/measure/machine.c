#include "engine/study/measure/machine.h"

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STAT "/proc/stat"
/* Columns of a line of it: user nice system idle iowait irq softirq steal; the rest is part of
 * these. */
enum
{
  COLUMN_IDLE = 3,
  COLUMN_IOWAIT = 4,
  N_COLUMNS = 8,
};

G_STATIC_ASSERT (CPU_SETSIZE <= GOBAN_MACHINE_MOST_CPUS);

/* --- ticks ----------------------------------------------------------------------------------- */

static gboolean
parse_line (const char *line, GobanCpuTicks *ticks)
{
  *ticks = (GobanCpuTicks){ 0, 0 };
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      char *end;
      guint64 n = g_ascii_strtoull (line, &end, 10);

      if (end == line)
        return i > COLUMN_IOWAIT; /* old kernels have fewer */
      line = end;
      ticks->total += n;
      if (i != COLUMN_IDLE && i != COLUMN_IOWAIT)
        ticks->busy += n;
    }
  return TRUE;
}

gboolean
goban_cpu_ticks_parse (const char *stat, const guint *cpus, guint n, GobanCpuTicks *ticks,
                       GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("\ncpu%u ", cpus[i]);
      const char *line = strstr (stat, key);

      if (line == NULL || !parse_line (line + strlen (key), &ticks[i]))
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "%s: no line “cpu%u” with the times of that processor", STAT, cpus[i]);
    }
  return TRUE;
}

static gboolean
read_ticks (const guint *cpus, guint n, GobanCpuTicks *ticks, GError **error)
{
  g_autofree char *stat = NULL;
  g_autoptr (GError) reason = NULL;

  if (!g_file_get_contents (STAT, &stat, NULL, &reason))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "whether this machine is idle cannot be told: %s", reason->message);
  return goban_cpu_ticks_parse (stat, cpus, n, ticks, error);
}

/* --- cores ----------------------------------------------------------------------------------- */

/* The lowest processor of the core that @cpu belongs to. */
static guint
find_core (guint cpu)
{
  g_autofree char *path
      = g_strdup_printf ("/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
  g_autofree char *list = NULL;

  if (!g_file_get_contents (path, &list, NULL, NULL)) /* then it is a core of its own */
    return cpu;
  return (guint) g_ascii_strtoull (list, NULL, 10);
}

/* Lists one processor of each core first, then the others. Returns the number of all. */
static guint
list_cpus (const cpu_set_t *allowed, guint *cpus, guint *n_cores)
{
  g_autoptr (GHashTable) cores = g_hash_table_new (NULL, NULL);
  g_autofree guint8 *is_first = g_new0 (guint8, CPU_SETSIZE);
  guint n = 0;

  for (guint cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, allowed)
        && g_hash_table_add (cores, GUINT_TO_POINTER (find_core (cpu) + 1)))
      {
        is_first[cpu] = TRUE;
        cpus[n++] = cpu;
      }
  *n_cores = n;
  for (guint cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, allowed) && !is_first[cpu])
      cpus[n++] = cpu;
  return n;
}

gboolean
goban_machine_choose (guint n, guint *cpus, char **note, GError **error)
{
  g_autofree guint *all = g_new (guint, CPU_SETSIZE);
  cpu_set_t allowed;
  guint n_all, n_cores;

  CPU_ZERO (&allowed);
  if (sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "the processors of this machine cannot be listed: %s", g_strerror (errno));
  n_all = list_cpus (&allowed, all, &n_cores);
  if (n < 1 || n > n_all)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%u cores were asked for; this machine has %u that may be used", n, n_all);
  memcpy (cpus, all, n * sizeof *cpus);
  *note = n > n_cores
              ? g_strdup_printf (_ ("%u processors share %u cores, which makes them slower than "
                                    "cores of their own"),
                                 n, n_cores)
              : NULL;
  return TRUE;
}

gboolean
goban_machine_pin (guint cpu, GError **error)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  if (sched_setaffinity (0, sizeof set, &set) == 0)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "a thread could not be bound to processor %u: %s", cpu, g_strerror (errno));
}

char *
goban_machine_dup_name (void)
{
  g_autofree char *info = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/cpuinfo", &info, NULL, NULL)) /* a name only */
    return g_strdup ("processor");
  line = strstr (info, "model name");
  line = line != NULL ? strchr (line, ':') : NULL;
  if (line == NULL)
    return g_strdup ("processor");
  return g_strstrip (g_strndup (line + 1, strcspn (line + 1, "\n")));
}

/* --- load of others -------------------------------------------------------------------------- */

static double
get_own_us (void)
{
  return (double) goban_clock_read_ns (CLOCK_PROCESS_CPUTIME_ID) / 1e3;
}

gboolean
goban_load_watch_init (GobanLoadWatch *self, const guint *cpus, guint n, GError **error)
{
  *self = (GobanLoadWatch){ cpus, n, g_new0 (GobanCpuTicks, n + 1), get_own_us () };
  return read_ticks (cpus, n, self->ticks, error);
}

void
goban_load_watch_clear (GobanLoadWatch *self)
{
  g_clear_pointer (&self->ticks, g_free);
}

GobanCpuTicks
goban_cpu_ticks_since (GobanCpuTicks before, GobanCpuTicks now)
{
  guint64 busy = now.busy > before.busy ? now.busy - before.busy : 0;
  guint64 total = now.total > before.total ? now.total - before.total : 0;

  return (GobanCpuTicks){ busy, MAX (total, busy) };
}

double
goban_load_compute (guint64 busy_ticks, guint64 total_ticks, double own_us, double tick_us)
{
  double others_us = (double) busy_ticks * tick_us - own_us;

  if (total_ticks == 0)
    return 0;
  return CLAMP (others_us / ((double) total_ticks * tick_us), 0, 1);
}

gboolean
goban_load_watch_get (const GobanLoadWatch *self, double *load, GError **error)
{
  g_autofree GobanCpuTicks *now = g_new0 (GobanCpuTicks, self->n + 1);
  guint64 busy = 0, total = 0;

  if (!read_ticks (self->cpus, self->n, now, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      GobanCpuTicks since = goban_cpu_ticks_since (self->ticks[i], now[i]);

      busy += since.busy;
      total += since.total;
    }
  *load = goban_load_compute (busy, total, get_own_us () - self->own_us,
                              1e6 / (double) sysconf (_SC_CLK_TCK));
  return TRUE;
}
