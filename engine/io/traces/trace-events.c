#include "engine/io/traces/trace-events.h"

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
