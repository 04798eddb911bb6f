/* Films of runs: frames in order, the same bytes again, and what ffmpeg is given and says. */
#include "ui/draw/export/film.h"

#include "engine/core/error.h"
#include "engine/study/run/policy-run.h"
#include "engine/study/training/film-plans.h"
#include "engine/study/training/training.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <string.h>

#define SIDE 160
#define FRAME_BYTES (4 * SIDE * SIDE)

typedef struct
{
  char *folder;
  char *search_path; /* as it was */
  GobanRun *run;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);

  f->folder = g_dir_make_tmp ("goban-film-XXXXXX", NULL);
  f->search_path = g_strdup (g_getenv ("PATH"));
  f->run = goban_run_new_from_policy (costs, "heft", NULL, NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_setenv ("PATH", f->search_path, TRUE);
  goban_run_unref (f->run);
  remove_folder (f->folder);
  g_free (f->search_path);
  g_free (f->folder);
}

/* Of so many frames. (transfer full) */
static GobanFilm *
new_film (Fixture *f, const char *name, guint n_frames)
{
  g_autofree char *path = g_build_filename (f->folder, name, NULL);
  GobanFilm *film = goban_film_new (path);

  g_ptr_array_add (film->runs, goban_run_ref (f->run));
  film->width = film->height = SIDE;
  film->fps = 5;
  film->seconds = n_frames / film->fps;
  return film;
}

/* A program of that text in place of ffmpeg; NULL: none. */
static void
install_ffmpeg (Fixture *f, const char *script)
{
  g_autofree char *program = g_build_filename (f->folder, "ffmpeg", NULL);
  g_autofree char *path = g_strconcat (f->folder, ":/usr/bin:/bin", NULL);

  if (script != NULL)
    {
      g_assert_true (g_file_set_contents (program, script, -1, NULL));
      g_assert_cmpint (g_chmod (program, 0755), ==, 0);
    }
  g_setenv ("PATH", script != NULL ? path : f->folder, TRUE);
}

/* The types of the chunks, "IHDR acTL fcTL IDAT ...": each whole and with the right number. */
static char *
list_chunks (const guint8 *data, gsize size)
{
  g_autoptr (GString) types = g_string_new (NULL);
  guint32 n_numbered = 0;

  g_assert_cmpmem (data, 8, "\x89PNG\r\n\x1a\n", 8);
  for (gsize at = 8; at < size;)
    {
      guint32 length, number;

      memcpy (&length, data + at, 4);
      length = GUINT32_FROM_BE (length);
      g_assert_cmpuint (at + length + 12, <=, size);
      memcpy (&number, data + at + 8, 4);
      if (memcmp (data + at + 4, "fcTL", 4) == 0 || memcmp (data + at + 4, "fdAT", 4) == 0)
        g_assert_cmpuint (GUINT32_FROM_BE (number), ==, n_numbered++);
      g_string_append_len (types, (const char *) data + at + 4, 4);
      g_string_append_c (types, ' ');
      at += length + 12;
    }
  return g_string_free (g_steal_pointer (&types), FALSE);
}

static void
test_apng (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanFilm) film = new_film (f, "run.apng", 3);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *chunks = NULL;
  g_auto (GStrv) parts = NULL;
  cairo_surface_t *image;
  gsize n_first, n_second;

  install_ffmpeg (f, NULL);
  g_assert_cmpstr (goban_film_get_usual_ending (), ==, ".apng");
  g_assert_true (goban_film_write (film, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (film->path, &first, &n_first, NULL));
  chunks = list_chunks ((const guint8 *) first, n_first);
  g_assert_true (g_str_has_prefix (chunks, "IHDR acTL fcTL IDAT "));
  g_assert_true (g_str_has_suffix (chunks, "fdAT IEND "));
  parts = g_strsplit (chunks, "fcTL", -1);
  g_assert_cmpuint (g_strv_length (parts) - 1, ==, 3);
  /* Who knows no animation sees the first frame. */
  image = cairo_image_surface_create_from_png (film->path);
  g_assert_cmpint (cairo_image_surface_get_width (image), ==, SIDE);
  cairo_surface_destroy (image);

  g_assert_true (goban_film_write (film, NULL, &error));
  g_assert_true (g_file_get_contents (film->path, &second, &n_second, NULL));
  g_assert_cmpmem (first, n_first, second, n_second);
}

/* It reads all frames, and what it writes is the file. */
static void
test_ffmpeg (Fixture *f, gconstpointer data)
{
  g_autoptr (GobanFilm) gif = new_film (f, "run.GIF", 4);
  g_autoptr (GobanFilm) webm = new_film (f, "run.webm", 2);
  g_autofree char *text = NULL;
  g_autofree char *other = NULL;
  g_autoptr (GError) error = NULL;

  install_ffmpeg (f, "#!/bin/sh\necho \"$@\"; wc -c\n");
  g_assert_cmpstr (goban_film_get_usual_ending (), ==, ".gif");
  g_ptr_array_add (gif->runs, goban_run_ref (f->run)); /* two runs, two frames each */
  g_assert_true (goban_film_write (gif, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (gif->path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "-video_size 160x160 -framerate 5 "));
  g_assert_nonnull (strstr (text, "-f gif pipe:1\n"));
  g_assert_cmpuint (g_ascii_strtoull (strstr (text, "pipe:1\n") + 7, NULL, 10), ==,
                    4 * FRAME_BYTES);
  g_assert_true (goban_film_write (webm, NULL, &error));
  g_assert_true (g_file_get_contents (webm->path, &other, NULL, NULL));
  g_assert_nonnull (strstr (other, "-f webm file:/dev/fd/1\n"));
}

/* What fails leaves the file that was there. */
static void
test_failures (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *script;
    int code;
    const char *message;
  } cases[] = {
    { NULL, GOBAN_ERROR_UNSUPPORTED, "ffmpeg, which is not installed: install it, or write an" },
    { "#!/bin/sh\necho no codec >&2; exit 3\n", GOBAN_ERROR_IO, "ffmpeg failed: no codec" },
    { "#!/bin/sh\nwc -c; exit 3\n", GOBAN_ERROR_IO, "ffmpeg failed: it says no more" },
    { "#!/bin/sh\nexit 0\n", GOBAN_ERROR_IO, "ffmpeg ended early" },
  };
  g_autoptr (GobanFilm) film = new_film (f, "run.gif", 9);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      install_ffmpeg (f, cases[i].script);
      g_assert_true (g_file_set_contents (film->path, "old", -1, NULL));
      g_assert_false (goban_film_write (film, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_true (g_file_get_contents (film->path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "old");
    }
}

static gboolean
stop_cb (gpointer user_data)
{
  return TRUE;
}

/* TRUE from the fourth question on. */
static gboolean
stop_later_cb (gpointer n_asked)
{
  return ++*(guint *) n_asked > 3;
}

/* Half way, with frames written: the old file stays, and nothing else is left in the folder. */
static void
test_cancelled (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "run.apng", "run.gif", "run.webm" };

  install_ffmpeg (f, "#!/bin/sh\necho half; exec cat\n");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GobanFilm) film = new_film (f, names[i], 9);
      guint n_asked = 0, n_files = 0;
      const GobanProgress progress = { .should_stop = stop_later_cb, .user_data = &n_asked };
      g_autoptr (GDir) folder = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (film->path, "old", -1, NULL));
      g_assert_false (goban_film_write (film, &progress, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
      g_assert_true (g_file_get_contents (film->path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "old");
      g_assert_cmpint (g_unlink (film->path), ==, 0);
      folder = g_dir_open (f->folder, 0, NULL);
      while (g_dir_read_name (folder) != NULL)
        n_files++;
      g_assert_cmpuint (n_files, ==, 1); /* ffmpeg's */
    }
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  const GobanProgress stopped = { .should_stop = stop_cb };
  g_autoptr (GobanFilm) film = new_film (f, "run.apng", 2);
  g_autoptr (GError) size = NULL;
  g_autoptr (GError) length = NULL;
  g_autoptr (GobanFilm) large = new_film (f, "run.gif", 1000);
  g_autoptr (GError) memory = NULL;
  g_autoptr (GError) ending = NULL;
  g_autoptr (GError) cancelled = NULL;

  g_assert_false (goban_film_check_path ("run.mp3", &ending));
  g_assert_error (ending, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
  g_assert_false (goban_film_write (film, &stopped, &cancelled));
  g_assert_error (cancelled, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_false (g_file_test (film->path, G_FILE_TEST_EXISTS));
  large->width = large->height = 1000;
  g_assert_false (goban_film_write (large, NULL, &memory));
  g_assert_error (memory, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (memory->message, "write a .webm"));
  film->width = 161;
  g_assert_false (goban_film_write (film, NULL, &size));
  g_assert_error (size, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  film->width = SIDE;
  film->seconds = 1e9;
  g_assert_false (goban_film_write (film, NULL, &length));
  g_assert_error (length, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

/* --- of a training ---------------------------------------------------------------------------- */

/* A tiny training of the plan builder with a film. (transfer full): its network */
static char *
train (Fixture *f)
{
  char *output = g_build_filename (f->folder, "a.net", NULL);
  GobanTrainingOptions options = goban_training_options_new ("builder");
  g_autoptr (GobanTrainingReport) report = NULL;
  g_autoptr (GError) error = NULL;

  options.output = output;
  options.settings = "lessons=2,problems=1,rollouts=2,validation=1,labels=2,imitations=1";
  options.n_steps = 2;
  options.has_film = TRUE;
  report = goban_training_run (&options, NULL, NULL, &error);
  g_assert_no_error (error);
  return output;
}

/* The plans of updates 0 to 2, half a second each. A network that cannot be read has no plan. */
static void
test_training (Fixture *f, gconstpointer data)
{
  g_autofree char *output = train (f);
  g_autofree char *broken = g_strconcat (output, ".film/00000001.net", NULL);
  g_autofree char *path = g_build_filename (f->folder, "training.apng", NULL);
  g_autoptr (GobanFilm) film = goban_film_new (path);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;

  film->width = film->height = SIDE;
  goban_film_set_training (film, output, goban_run_get_costs (f->run));
  g_assert_true (goban_film_write (film, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (film->runs->len, ==, 3);
  g_assert_cmpstr (goban_run_get_name (film->runs->pdata[2]), ==, "a.net, update 2");
  g_assert_cmpuint (goban_film_count_frames (film), ==, 3);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));

  g_assert_true (g_file_set_contents (broken, "GOBANNET and no more", -1, NULL));
  runs = goban_film_plans_new (output, goban_run_get_costs (f->run), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (runs->len, ==, 2);
}

static void
test_training_refused (Fixture *f, gconstpointer data)
{
  const GobanProgress stopped = { .should_stop = stop_cb };
  g_autofree char *path = g_build_filename (f->folder, "training.apng", NULL);
  g_autofree char *output = NULL;
  g_autoptr (GobanFilm) film = goban_film_new (path);
  g_autoptr (GobanFilm) odd = goban_film_new (path);
  g_autoptr (GobanFilm) late = goban_film_new (path);
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) size = NULL;
  g_autoptr (GError) cancelled = NULL;

  goban_film_set_training (film, "nowhere.net", goban_run_get_costs (f->run));
  g_assert_false (goban_film_write (film, NULL, &none));
  g_assert_error (none, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (none->message, "nowhere.net has no film"));
  odd->width = 161;
  goban_film_set_training (odd, "nowhere.net", goban_run_get_costs (f->run));
  g_assert_false (goban_film_write (odd, NULL, &size));
  g_assert_nonnull (strstr (size->message, "sides are even"));
  output = train (f);
  goban_film_set_training (late, output, goban_run_get_costs (f->run));
  g_assert_false (goban_film_write (late, &stopped, &cancelled));
  g_assert_error (cancelled, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
add (const char *path, void (*test) (Fixture *f, gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (film)
{
  g_test_init (&argc, &argv, NULL);
  add ("/draw/film/apng", test_apng);
  add ("/draw/film/ffmpeg", test_ffmpeg);
  add ("/draw/film/failures", test_failures);
  add ("/draw/film/cancelled", test_cancelled);
  add ("/draw/film/refused", test_refused);
  add ("/draw/film/training", test_training);
  add ("/draw/film/training-refused", test_training_refused);
  return g_test_run ();
}
