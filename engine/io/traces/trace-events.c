#include "engine/io/traces/trace-events.h"

#include <string.h>

GobanTraceEvents *
goban_trace_events_new (void)
{
  GobanTraceEvents *self = g_new0 (GobanTraceEvents, 1);

  self->events = g_array_new (FALSE, FALSE, sizeof (GobanTraceEvent));
  self->lanes = g_array_new (FALSE, FALSE, sizeof (GobanTraceLane));
  self->flows = g_array_new (FALSE, FALSE, sizeof (GobanTraceFlow));
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->lane_keys = g_hash_table_new (g_str_hash, g_str_equal);
  self->strings = g_string_chunk_new (1 << 16);
  return self;
}

void
goban_trace_events_free (GobanTraceEvents *self)
{
  g_array_unref (self->events);
  g_array_unref (self->lanes);
  g_array_unref (self->flows);
  g_ptr_array_unref (self->warnings);
  g_hash_table_unref (self->lane_keys);
  g_string_chunk_free (self->strings);
  g_free (self);
}

const char *
goban_trace_events_keep (GobanTraceEvents *self, const char *text)
{
  return g_string_chunk_insert_const (self->strings, text);
}

guint32
goban_trace_events_find_lane (GobanTraceEvents *self, const char *key)
{
  guint32 lane = GPOINTER_TO_UINT (g_hash_table_lookup (self->lane_keys, key));
  GobanTraceLane fresh = { .name = "", .kind = "cpu", .thread = self->lanes->len };

  if (lane > 0)
    return lane - 1;
  g_array_append_val (self->lanes, fresh);
  g_hash_table_insert (self->lane_keys, (gpointer) goban_trace_events_keep (self, key),
                       GUINT_TO_POINTER (self->lanes->len));
  return self->lanes->len - 1;
}

guint32
goban_trace_events_add_lane_like (GobanTraceEvents *self, guint32 lane, const char *name)
{
  GobanTraceLane fresh = *goban_trace_lane (self, lane);

  fresh.name = goban_trace_events_keep (self, name);
  fresh.thread = self->lanes->len;
  g_array_append_val (self->lanes, fresh);
  return self->lanes->len - 1;
}

/* Commas and equals signs divide the words of a cluster's description. (transfer full) */
static char *
dup_plain (const char *name)
{
  g_autofree char *plain = g_strdelimit (g_strdup (name), ",=\r\n\t", ' ');

  return g_utf8_make_valid (g_strstrip (plain), -1);
}

void
goban_trace_events_name_lanes (GobanTraceEvents *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < self->lanes->len; i++)
    {
      GobanTraceLane *lane = goban_trace_lane (self, i);
      g_autofree char *plain = dup_plain (lane->name);
      g_autofree char *name = g_strdup (*plain != '\0' ? plain : "lane");

      for (guint n = 2; g_hash_table_contains (seen, name); n++)
        {
          g_free (name);
          name = g_strdup_printf ("%s (%u)", *plain != '\0' ? plain : "lane", n);
        }
      lane->name = goban_trace_events_keep (self, name);
      g_hash_table_add (seen, g_steal_pointer (&name));
    }
}

void
goban_trace_events_warn (GobanTraceEvents *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->warnings, g_strdup_vprintf (format, args));
  va_end (args);
}

/* --- time ----------------------------------------------------------------- */

/* Digits of an exponent that are read: more would be out of range. */
#define MAX_EXPONENT 1000
#define US_PER_DAY 86400e6
/* A clock that was never read gives 0: at least so long before all other times it is not one. */
#define ZERO_GAP_US 600e6
/* An event that takes so many times as long as all the rest of a recording is suspicious, */
#define SUSPICIOUS 1000.0
/* if it takes at least so long. */
#define LEAST_SUSPICIOUS_US 1e5
/* Times are often rounded to microseconds. */
#define ROUNDING_US 1
/* Share of a device's events that may be wrong where nothing else contradicts them. */
#define FEW 0.1

/* --- numbers --------------------------------------------------------------------------------- */

/* A decimal number: 0.DIGITS * 10^point. */
typedef struct
{
  const char *digits; /* may have a point in between */
  const char *end;
  int point;
  gboolean is_negative;
} Decimal;

static gboolean
scan_decimal (const char *text, gsize n, Decimal *decimal)
{
  const char *end = text + n, *p = text, *point = NULL;
  int exponent = 0, sign = 1;
  gsize n_digits = 0;

  decimal->is_negative = p < end && *p == '-';
  p += decimal->is_negative;
  decimal->digits = p;
  for (; p < end && (g_ascii_isdigit (*p) || (*p == '.' && point == NULL)); p++)
    if (*p == '.')
      point = p;
    else
      n_digits++;
  decimal->end = p;
  decimal->point = (int) MIN ((point != NULL ? point : p) - decimal->digits, G_MAXINT / 4);
  if (n_digits == 0)
    return FALSE;
  if (p == end)
    return TRUE;
  if ((*p != 'e' && *p != 'E') || ++p == end)
    return FALSE;
  if (*p == '-' || *p == '+')
    sign = *p++ == '-' ? -1 : 1;
  if (p == end)
    return FALSE;
  for (; p < end && g_ascii_isdigit (*p); p++)
    exponent = MIN (10 * exponent + (*p - '0'), MAX_EXPONENT);
  decimal->point += sign * exponent;
  return p == end;
}

gboolean
goban_trace_parse_time (const char *text, gsize n, gint64 *time_ns)
{
  Decimal decimal;
  guint64 whole = 0;
  guint half = 0; /* the digit behind the last */
  int left;

  if (!scan_decimal (text, n, &decimal))
    return FALSE;
  left = decimal.point + 3;
  for (const char *p = decimal.digits; p < decimal.end && left >= 0; p++)
    if (*p == '.')
      continue;
    else if (left-- == 0)
      half = (guint) (*p - '0');
    else if (whole > G_MAXINT64 / 10)
      return FALSE;
    else
      whole = 10 * whole + (guint) (*p - '0');
  for (; left > 0 && whole > 0; left--)
    {
      if (whole > G_MAXINT64 / 10)
        return FALSE;
      whole *= 10;
    }
  whole += half >= 5;
  if (whole > G_MAXINT64)
    return FALSE;
  *time_ns = decimal.is_negative ? -(gint64) whole : (gint64) whole;
  return TRUE;
}

/* --- times that cannot be true --------------------------------------------------------------- */

/* Events and flags of those that are left out. */
typedef struct
{
  GobanTraceEvents *events;
  guint32 *order;  /* (n) by start */
  guint8 *is_left; /* (n) by event */
  guint n;         /* events that are not left out: the first of @order */
} Sieve;

static const GobanTraceEvent *
get_event (const Sieve *self, guint i)
{
  return goban_trace_event (self->events, self->order[i]);
}

/* Differences of 64-bit numbers may not fit. */
static double
subtract_us (gint64 a_ns, gint64 b_ns)
{
  return (double) ((guint64) a_ns - (guint64) b_ns) / 1e3;
}

static int
compare_starts (const void *a, const void *b, gpointer user_data)
{
  guint32 i = *(const guint32 *) a, j = *(const guint32 *) b;
  gint64 x = goban_trace_event (user_data, i)->start_ns;
  gint64 y = goban_trace_event (user_data, j)->start_ns;

  if (x != y)
    return x < y ? -1 : 1;
  return i < j ? -1 : 1;
}

static void
leave_out (Sieve *self, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    self->is_left[self->order[i]] = TRUE;
}

/* Keeps order[first .. end). */
static void
keep_range (Sieve *self, guint first, guint end)
{
  leave_out (self, 0, first);
  leave_out (self, end, self->n);
  memmove (self->order, self->order + first, (end - first) * sizeof *self->order);
  self->n = end - first;
}

/* A recording without a start for a whole day has two clocks, or one that failed: the part with
 * most events is kept. */
static void
keep_largest_part (Sieve *self)
{
  guint first = 0, best = 0, best_end = 0;

  for (guint i = 1; i <= self->n; i++)
    {
      if (i < self->n
          && subtract_us (get_event (self, i)->start_ns, get_event (self, i - 1)->start_ns)
                 < US_PER_DAY)
        continue;
      if (i - first > best_end - best)
        {
          best = first;
          best_end = i;
        }
      first = i;
    }
  keep_range (self, best, best_end);
}

static double
measure_starts (const Sieve *self, guint first)
{
  return self->n > first ? subtract_us (get_event (self, self->n - 1)->start_ns,
                                        get_event (self, first)->start_ns)
                         : 0;
}

/* Drops events at 0 and before, unless the next one follows closely: then the clock itself began
 * shortly before the recording. */
static void
drop_zeros (Sieve *self)
{
  guint n_zeros = 0;
  double gap_us;

  while (n_zeros < self->n && get_event (self, n_zeros)->start_ns <= 0)
    n_zeros++;
  if (n_zeros == 0 || n_zeros == self->n)
    return;
  gap_us
      = subtract_us (get_event (self, n_zeros)->start_ns, get_event (self, n_zeros - 1)->start_ns);
  if (self->n > n_zeros + 1 && gap_us >= ZERO_GAP_US
      && gap_us > SUSPICIOUS * measure_starts (self, n_zeros))
    keep_range (self, n_zeros, self->n);
}

/* A sequence of operations, for what overlaps on it. */
typedef struct
{
  double open_us;  /* end of the sound operations so far, from the first start */
  guint32 suspect; /* the last one, or GOBAN_NO_EVENT */
  double suspect_to_us;
} Lane;

/* Operations of one stream follow each other, those of one thread nest. One that takes SUSPICIOUS
 * times as long as all starts of the recording are apart, and breaks that rule, did not take so
 * long. */
static void
mark_contradicted (Sieve *self, double limit_us)
{
  g_autofree Lane *lanes = g_new0 (Lane, self->events->lanes->len);
  gint64 first_ns = get_event (self, 0)->start_ns;

  for (guint i = 0; i < self->events->lanes->len; i++)
    lanes[i].suspect = GOBAN_NO_EVENT;
  for (guint i = 0; i < self->n; i++)
    {
      const GobanTraceEvent *event = get_event (self, i);
      Lane *lane = &lanes[event->lane];
      double start_us = subtract_us (event->start_ns, first_ns);
      double finish_us = start_us + event->span_us;
      gboolean is_device = event->kind == GOBAN_EVENT_DEVICE;

      if (is_device && lane->suspect != GOBAN_NO_EVENT
          && start_us + ROUNDING_US < lane->suspect_to_us)
        self->is_left[lane->suspect] = TRUE;
      if (event->span_us <= limit_us)
        {
          lane->open_us = MAX (lane->open_us, finish_us);
          continue;
        }
      if (!is_device && start_us + ROUNDING_US < lane->open_us)
        self->is_left[self->order[i]] = TRUE;
      lane->suspect = self->order[i];
      lane->suspect_to_us = finish_us;
    }
}

/* Also one that takes more than a day, or is the last of its stream and one of few so long. */
static void
mark_endless (Sieve *self, double extent_us, double limit_us)
{
  double host_us = extent_us;
  guint n_devices = 0, n_long = 0;
  gboolean are_few;

  for (guint i = 0; i < self->n; i++)
    {
      const GobanTraceEvent *event = get_event (self, i);
      gboolean is_device = event->kind == GOBAN_EVENT_DEVICE;

      n_devices += is_device;
      n_long += is_device && event->span_us > limit_us;
      /* A thread that waited as long bears the device out. */
      if (!is_device && event->span_us < US_PER_DAY)
        host_us = MAX (host_us, event->span_us);
    }
  are_few = n_long <= FEW * n_devices;
  for (guint i = 0; i < self->n; i++)
    {
      const GobanTraceEvent *event = get_event (self, i);

      if (event->span_us > limit_us
          && (event->span_us > US_PER_DAY
              || (event->kind == GOBAN_EVENT_DEVICE && are_few
                  && event->span_us > SUSPICIOUS * host_us)))
        self->is_left[self->order[i]] = TRUE;
    }
}

static void
mark_impossible (Sieve *self)
{
  double extent_us, limit_us;

  for (guint i = 0; i < self->events->events->len; i++)
    self->order[self->n++] = i;
  if (self->n < 2)
    return;
  g_qsort_with_data (self->order, (int) self->n, sizeof *self->order, compare_starts, self->events);
  keep_largest_part (self);
  drop_zeros (self);
  extent_us = measure_starts (self, 0);
  if (extent_us <= 0)
    return;
  limit_us = MAX (SUSPICIOUS * extent_us, LEAST_SUSPICIOUS_US);
  mark_contradicted (self, limit_us);
  mark_endless (self, extent_us, limit_us);
}

/* --- the clock ------------------------------------------------------------------------------- */

static void
drop_left_out (Sieve *self)
{
  GArray *events = self->events->events;
  guint n = 0, n_left = 0;
  const char *name = NULL;

  for (guint i = 0; i < events->len; i++)
    if (!self->is_left[i])
      *goban_trace_event (self->events, n++) = *goban_trace_event (self->events, i);
    else if (n_left++ == 0)
      name = goban_trace_event (self->events, i)->name;
  if (n_left == 0)
    return;
  g_array_set_size (events, n);
  goban_trace_events_warn (
      self->events,
      "%u of %u operations have a time that cannot be true, such as a start at "
      "0 or a duration far beyond the end of the recording; the first is “%s”; "
      "they are left out",
      n_left, n + n_left, name);
}

static void
set_times (GobanTraceEvents *self)
{
  gint64 first_ns = G_MAXINT64;

  for (guint i = 0; i < self->events->len; i++)
    first_ns = MIN (first_ns, goban_trace_event (self, i)->start_ns);
  for (guint i = 0; i < self->events->len; i++)
    {
      GobanTraceEvent *event = goban_trace_event (self, i);

      event->start_us = subtract_us (event->start_ns, first_ns);
      event->finish_us = event->start_us + event->span_us;
    }
  for (guint i = 0; i < self->flows->len; i++)
    {
      GobanTraceFlow *flow = &g_array_index (self->flows, GobanTraceFlow, i);

      flow->time_us = flow->time_ns >= first_ns ? subtract_us (flow->time_ns, first_ns)
                                                : -subtract_us (first_ns, flow->time_ns);
    }
}

void
goban_trace_events_start_clock (GobanTraceEvents *self)
{
  guint n = self->events->len;
  g_autofree guint32 *order = g_new (guint32, n + 1);
  g_autofree guint8 *is_left = g_new0 (guint8, n + 1);
  Sieve sieve = { .events = self, .order = order, .is_left = is_left };

  mark_impossible (&sieve);
  drop_left_out (&sieve);
  set_times (self);
}
