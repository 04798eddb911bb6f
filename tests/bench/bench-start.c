/* bench-start.c: start time of the program with a sample: "name value unit".
 *
 * From the start of the program to the first frame with the picture of the graph: on the wall,
 * which a busy machine makes longer, and in processor time of all of its threads. The least of
 * several runs. Needs a display: run by gui-run.sh. Arguments: the program, the folder of samples
 * and any more arguments, which are the samples.
 */
#include <gio/gio.h>
#include <stdio.h>
#include <time.h>

#define N_RUNS 7
#define FIRST_PICTURE "the first picture is there"

typedef struct
{
  double wall_ms;
  double cpu_ms;
} Took;

static double
clock_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

/* Until the program has said so; it is gone where it never does. */
static void
wait_for_picture (GSubprocess *program)
{
  g_autoptr (GDataInputStream) said
      = g_data_input_stream_new (g_subprocess_get_stdout_pipe (program));

  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (said, NULL, NULL, NULL);

      if (line == NULL)
        g_error ("the program has shown no picture");
      if (g_str_has_suffix (line, FIRST_PICTURE))
        return;
    }
}

static Took
measure (const char *program, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  double start_ms = clock_ms (CLOCK_MONOTONIC);
  clockid_t clock;
  Took took;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, file, NULL);
  g_assert_no_error (error);
  wait_for_picture (process);
  took.wall_ms = clock_ms (CLOCK_MONOTONIC) - start_ms;
  clock_getcpuclockid ((pid_t) g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10),
                       &clock);
  took.cpu_ms = clock_ms (clock);
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  return took;
}

static void
report (const char *program, const char *folder, const char *sample)
{
  g_autofree char *path = g_build_filename (folder, sample, NULL);
  Took least = { G_MAXDOUBLE, G_MAXDOUBLE };

  for (int i = 0; i < N_RUNS; i++)
    {
      Took took = measure (program, path);

      least.wall_ms = MIN (least.wall_ms, took.wall_ms);
      least.cpu_ms = MIN (least.cpu_ms, took.cpu_ms);
    }
  printf ("start-%s-wall %.0f ms\n", sample, least.wall_ms);
  printf ("start-%s-cpu %.0f ms\n", sample, least.cpu_ms);
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    g_error ("bench-start PROGRAM FOLDER SAMPLE...");

  g_setenv ("G_MESSAGES_DEBUG", "goban-ui", TRUE);
  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 3; i < argc; i++)
    report (argv[1], argv[2], argv[i]);
  return 0;
}
