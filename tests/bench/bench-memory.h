/* bench-memory.h: memory use of a program, printed as lines "name-kind value MB". */
#pragma once

#include <glib.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

/* In MB, and /proc has KiB: "VmRSS" of the process's status now, "VmHWM" at most. */
static inline double
memory_mb (const char *path, const char *key)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  at = strstr (text, key);
  return at != NULL ? g_ascii_strtod (at + strlen (key) + 1, NULL) * 1.024e-3 : 0;
}

/* Resident is what counts. Proportional divides what libraries have in common with other programs;
 * allocated is what is in use of the heap, so that the rest of it is holes. */
static inline void
report_memory (const char *name)
{
  printf ("%s %.0f MB\n", name, memory_mb ("/proc/self/status", "VmRSS"));
  printf ("%s-proportional %.0f MB\n", name, memory_mb ("/proc/self/smaps_rollup", "\nPss"));
  printf ("%s-allocated %.0f MB\n", name, (double) mallinfo2 ().uordblks / 1e6);
}
