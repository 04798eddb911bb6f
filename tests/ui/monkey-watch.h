/* monkey-watch.h: records and assertions while a monkey plays with the window.
 *
 * Keeps the last actions; prints them with the seed, and where the program is, if it crashes, warns
 * or blocks its main loop. In a short watch a warning ends the program; in a long one all findings
 * are printed, and counted.
 */
#pragma once

#include <gtk/gtk.h>

/* @max_blocked_ms: how long a turn of the main loop may take; 0: not watched, because other
 * programs lengthen it */
void monkey_watch_begin (gboolean is_long, guint max_blocked_ms);
void monkey_watch_end (void);

/* Forgets the last actions. @seed: of those that follow. */
void monkey_watch_set_round (const char *sample, guint32 seed);
void monkey_watch_note (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* A finding of the caller's. */
void monkey_watch_report (const char *format, ...) G_GNUC_PRINTF (1, 2);
guint monkey_watch_get_n_findings (void);

/* Memory of this process, after what the C library holds free has been given back. */
gsize monkey_watch_get_rss_bytes (void);

/* What it has allocated and not freed. */
gsize monkey_watch_get_used_bytes (void);
