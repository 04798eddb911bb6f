/* agent.c: a program of docs/protocol.md in all its moods: agent MOOD N_NODES, or agent play
 * DIALOGUE HEARD.
 *
 * Good moods make plans of two devices; the others break the protocol in one way each.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *line;
static size_t room;

/* Ends the program at the end of its input. */
static void
receive (void)
{
  if (getline (&line, &room, stdin) < 0)
    exit (0);
}

static int
is (const char *type)
{
  char text[64];

  snprintf (text, sizeof text, "\"type\": \"%s\"", type);
  return strstr (line, text) != NULL;
}

static void
say (const char *text)
{
  printf ("%s\n", text);
  fflush (stdout);
}

static void
say_hello (const char *decides, const char *more)
{
  printf ("{\"type\":\"hello\",\"protocol\":1,\"decides\":\"%s\"%s}\n", decides, more);
  fflush (stdout);
}

static void
say_plan (int n, int second, const char *more)
{
  printf ("{\"type\":\"plan\",\"devices\":[");
  for (int v = 0; v < n; v++)
    printf ("%s%d", v > 0 ? "," : "", v == 1 ? second : 0);
  printf ("]%s}\n", more);
  fflush (stdout);
}

static void
sleep_for_good (void)
{
  for (;;)
    pause ();
}

/* Alternates between one device and two. */
static int
make_plans (int n, const char *tasks, const char *more)
{
  say_hello ("plan", tasks);
  receive ();
  for (int k = 0;; k++)
    {
      say_plan (n, k % 2, more);
      receive ();
      if (is ("end") || strstr (line, "\"more\": false") != NULL)
        return 0;
    }
}

/* Three rollouts, of which rollout k puts node 1 on device k % 2. */
static int
make_steps (void)
{
  say_hello ("step", ",\"rollouts\":3");
  for (;;)
    {
      const char *mask;
      int n_rows = 0;

      receive ();
      if (is ("end"))
        return 0;
      if (!is ("step"))
        continue;
      mask = strstr (line, "\"mask\"");
      for (const char *c = mask; *c != '\0' && (n_rows == 0 || c[-1] != ']' || *c != ']'); c++)
        n_rows += *c == ']';
      printf ("{\"type\":\"act\",\"devices\":[");
      for (int k = 0; k < n_rows; k++)
        printf ("%s%d", k > 0 ? "," : "", strstr (line, "\"node\": 1,") != NULL ? k % 2 : 0);
      printf ("]}\n");
      fflush (stdout);
    }
}

static int
propose (void)
{
  say_hello ("propose", "");
  receive ();
  for (int k = 0;; k++)
    {
      printf ("{\"type\":\"propose\",\"moves\":[[1,%d]]%s}\n", k % 2,
              k == 4 ? ",\"at_most_us\":1e9" : "");
      fflush (stdout);
      receive ();
      if (is ("end"))
        return 0;
    }
}

/* Writes the lines of a dialogue that begin with "< ", and hears one for each that begins with
 * "> ", all of which go to @heard. */
static int
play (const char *dialogue, const char *heard)
{
  FILE *script = fopen (dialogue, "r");
  FILE *out = fopen (heard, "w");
  char *part = NULL;
  size_t part_room = 0;

  if (script == NULL || out == NULL)
    return 4;
  while (getline (&part, &part_room, script) >= 0)
    if (part[0] == '<')
      {
        fputs (part + 2, stdout);
        fflush (stdout);
      }
    else
      {
        receive ();
        fprintf (out, "> %s", line);
        fflush (out);
      }
  return 0;
}

/* Says hello, hears the problem, and goes wrong. */
static int
go_wrong (const char *mood, int n)
{
  say_hello ("plan", "");
  receive ();
  if (strcmp (mood, "crash") == 0)
    raise (SIGSEGV);
  else if (strcmp (mood, "exit") == 0)
    {
      fprintf (stderr, "no such model\n");
      return 3;
    }
  else if (strcmp (mood, "silence") == 0)
    sleep_for_good ();
  else if (strcmp (mood, "garbage") == 0)
    say ("loading the model...");
  else if (strcmp (mood, "range") == 0)
    say_plan (n, 9, "");
  else if (strcmp (mood, "short") == 0)
    say_plan (n - 1, 0, "");
  else if (strcmp (mood, "key") == 0)
    say_plan (n, 0, ",\"prioritys\":[]");
  else if (strcmp (mood, "task") == 0)
    say_plan (n, 0, ",\"priorities\":[1,2,3,4]");
  else if (strcmp (mood, "type") == 0)
    say ("{\"type\":\"act\",\"devices\":[0]}");
  else if (strcmp (mood, "nan") == 0)
    say ("{\"type\":\"plan\",\"devices\":[NaN,0,0,0]}");
  else if (strcmp (mood, "long") == 0)
    for (int i = 0; i < 20 << 20; i++)
      putchar ('[');
  else if (strcmp (mood, "slow") == 0)
    {
      usleep (300000);
      say_plan (n, 1, "");
      receive ();
    }
  else if (strcmp (mood, "stubborn") == 0)
    {
      say_plan (n, 1, "");
      sleep_for_good ();
    }
  else if (strcmp (mood, "family") == 0)
    {
      if (fork () == 0)
        sleep_for_good ();
      sleep_for_good ();
    }
  else if (strcmp (mood, "flood") == 0)
    for (int i = 0; i < 20000; i++)
      say_plan (n, i % 2, "");
  else if (strcmp (mood, "end") == 0)
    say ("{\"type\":\"end\"}");
  return 0;
}

int
main (int argc, char **argv)
{
  const char *mood = argc > 1 ? argv[1] : "plan";
  int n = argc > 2 ? atoi (argv[2]) : 4;

  if (strcmp (mood, "play") == 0)
    return play (argv[2], argv[3]);
  if (strcmp (mood, "plan") == 0)
    return make_plans (n, "", "");
  if (strcmp (mood, "details") == 0)
    return make_plans (n, "", ",\"details\":true");
  if (strcmp (mood, "priorities") == 0)
    return make_plans (n, ",\"tasks\":[\"placement\",\"scheduling\"]", ",\"priorities\":[4,3,2,1]");
  if (strcmp (mood, "step") == 0)
    return make_steps ();
  if (strcmp (mood, "propose") == 0)
    return propose ();
  if (strcmp (mood, "version") == 0)
    say ("{\"type\":\"hello\",\"protocol\":9,\"decides\":\"plan\"}");
  else if (strcmp (mood, "fusion") == 0)
    say_hello ("plan", ",\"tasks\":[\"fusion\"]");
  return go_wrong (mood, n);
}
