#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "tests/support/folder.h"
#include "tests/support/test-program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((gsize) 1 << 20)

/* Stops when it has been asked so often. */
typedef struct
{
  guint n_asked;
  guint n_patience;
} Patience;

static gboolean
should_stop (gpointer data)
{
  Patience *patience = data;

  return ++patience->n_asked > patience->n_patience;
}

static GobanProgress
new_progress (Patience *patience)
{
  return (GobanProgress){ .should_stop = should_stop, .user_data = patience };
}

/* Bytes that tell their place. (transfer full) */
static char *
new_bytes (gsize size)
{
  char *bytes = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = (char) (i * 7 + i / 251);
  return bytes;
}

static void
test_regular (TestFolder *f, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 65535, 65536, 65537, MIB, 3 * MIB + 5 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *bytes = new_bytes (sizes[i]);
      g_autoptr (GBytes) read = NULL;

      g_assert_true (g_file_set_contents (f->path, bytes, (gssize) sizes[i], NULL));
      read = goban_file_read (f->path, GOBAN_FILE_TEXT, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), bytes, sizes[i]);
      g_assert_cmpint (((const char *) g_bytes_get_data (read, NULL))[sizes[i]], ==, 0);
    }
}

static void
test_explains (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *expected
      = g_strdup_printf ("%s: cannot be read: there is no such file", f->path);

  g_assert_null (goban_file_read (f->path, GOBAN_FILE_TEXT, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);

  g_assert_null (goban_file_read (f->folder, GOBAN_FILE_TEXT, &error));
  g_assert_nonnull (strstr (error->message, "it is a folder"));
}

static void
refuse_with (const char *path, const GobanFileReading *reading, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = g_strdup_printf ("%s: cannot be read: %s", path, reason);

  g_assert_null (goban_file_read_with (path, reading, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_cmpstr (error->message, ==, expected);
}

/* Exactly so much is read, and not a byte more; of a stream that never ends, too. */
static void
test_too_large (TestFolder *f, gconstpointer data)
{
  static const char *const cat[] = { "cat", "/dev/zero", NULL };
  g_autofree char *path = NULL;
  int stream;
  g_autoptr (GError) error = NULL;
  Patience patience = { .n_patience = 5000 };
  GobanProgress progress = new_progress (&patience);
  GobanFileReading reading = { GOBAN_FILE_PLAN, FALSE, 1000, NULL };
  g_autofree char *bytes = new_bytes (1001);
  g_autoptr (GBytes) read = NULL;

  g_assert_true (g_file_set_contents (f->path, bytes, 1000, NULL));
  read = goban_file_read_with (f->path, &reading, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (read), ==, 1000);

  g_assert_true (g_file_set_contents (f->path, bytes, 1001, NULL));
  refuse_with (f->path, &reading, "it is larger than 1 kB, the limit for a plan");

  reading = (GobanFileReading){ GOBAN_FILE_GRAPH, FALSE, 4 * MIB + 1, &progress };
  refuse_with ("/dev/zero", &reading, "it is a device");
  refuse_with ("/dev/null", &reading, "it is a device");
  g_assert_cmpuint (patience.n_asked, ==, 0);

  g_assert_true (g_spawn_async_with_pipes (NULL, (char **) cat, NULL, G_SPAWN_SEARCH_PATH, NULL,
                                           NULL, NULL, NULL, &stream, NULL, NULL));
  path = g_strdup_printf ("/proc/self/fd/%d", stream);
  refuse_with (path, &reading, "it is larger than 4.194 MB, the limit for a graph");
  close (stream);
  g_assert_cmpuint (patience.n_asked, <, 4000);
}

/* Nothing is read of a file that says that it is too large: such a one has no bytes at all. */
static void
test_too_large_by_its_own_word (TestFolder *f, gconstpointer data)
{
  for (guint kind = 0; kind <= GOBAN_FILE_TEXT; kind++)
    {
      gsize most = goban_file_get_most ((GobanFileKind) kind);
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (f->path, "", 0, NULL));
      g_assert_cmpint (truncate (f->path, (off_t) most + 1), ==, 0);
      g_assert_null (goban_file_read (f->path, (GobanFileKind) kind, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
      g_assert_nonnull (strstr (error->message, "the limit for a "));
    }
}

typedef struct
{
  const char *path; /* (nullable) */
  int fd;
  char *bytes;
  gsize size;
} Writing;

static gpointer
write_slowly (gpointer data)
{
  Writing *writing = data;
  int fd = writing->path != NULL ? open (writing->path, O_WRONLY | O_CLOEXEC) : writing->fd;

  g_assert_cmpint (fd, >=, 0);
  for (gsize at = 0; at < writing->size;)
    {
      gssize n = write (fd, writing->bytes + at, MIN (writing->size - at, 40000));

      g_assert_cmpint (n, >, 0);
      at += (gsize) n;
      g_thread_yield ();
    }
  close (fd);
  return NULL;
}

static void
test_pipe (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = new_bytes (3 * MIB + 7);
  Patience patience = { .n_patience = G_MAXUINT };
  GobanProgress progress = new_progress (&patience);
  GobanFileReading reading = { GOBAN_FILE_GRAPH, FALSE, 0, &progress };
  Writing writing = { f->path, -1, bytes, 3 * MIB + 7 };
  g_autoptr (GBytes) read = NULL;
  GThread *writer;

  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  writer = g_thread_new ("writer", write_slowly, &writing);
  read = goban_file_read_with (f->path, &reading, &error);
  g_thread_join (writer);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), bytes, writing.size);
}

static void
test_standard_input (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = new_bytes (MIB);
  Patience patience = { .n_patience = G_MAXUINT };
  GobanProgress progress = new_progress (&patience);
  GobanFileReading reading = { GOBAN_FILE_GRAPH, FALSE, 0, &progress };
  g_autoptr (GBytes) read = NULL;
  int saved = dup (STDIN_FILENO);
  int ends[2];
  Writing writing = { NULL, -1, bytes, MIB };
  GThread *writer;

  g_assert_cmpint (pipe (ends), ==, 0);
  g_assert_cmpint (dup2 (ends[0], STDIN_FILENO), ==, STDIN_FILENO);
  writing.fd = ends[1];
  writer = g_thread_new ("writer", write_slowly, &writing);
  read = goban_file_read_with ("-", &reading, &error);
  g_thread_join (writer);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (read, NULL), g_bytes_get_size (read), bytes, MIB);

  /* To a file, "-" is a name like any other. */
  reading.only_regular = TRUE;
  g_assert_null (goban_file_read_with ("-", &reading, &error));
  g_assert_cmpstr (error->message, ==, "-: cannot be read: there is no such file");
  g_assert_cmpint (dup2 (saved, STDIN_FILENO), ==, STDIN_FILENO);
  close (saved);
  close (ends[0]);
}

/* Nobody ever writes into this pipe. */
static void
test_stops_waiting (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Patience patience = { .n_patience = 3 };
  GobanProgress progress = new_progress (&patience);
  GobanFileReading reading = { GOBAN_FILE_GRAPH, FALSE, 0, &progress };

  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  g_assert_null (goban_file_read_with (f->path, &reading, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The program's own does for readings that have none. */
  patience.n_asked = 0;
  goban_file_set_progress (&progress);
  g_assert_null (goban_file_read (f->path, GOBAN_FILE_PLAN, &error));
  goban_file_set_progress (NULL);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

static void
test_refuses_pipes (TestFolder *f, gconstpointer data)
{
  Patience patience = { .n_patience = 3 };
  GobanProgress progress = new_progress (&patience);
  GobanFileReading inner = { GOBAN_FILE_GRAPH, TRUE, 0, &progress };
  GobanFileReading endless = { GOBAN_FILE_GRAPH, FALSE, 0, NULL };

  g_assert_cmpint (mkfifo (f->path, 0600), ==, 0);
  refuse_with (f->path, &inner, "it is not a regular file");
  refuse_with (f->path, &endless, "it is not a regular file");
  refuse_with ("/dev/zero", &inner, "it is a device");
}

/* The kernel's files say that they are empty. */
static void
test_length_unknown (TestFolder *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) read = goban_file_read ("/proc/self/status", GOBAN_FILE_TEXT, &error);

  g_assert_no_error (error);
  g_assert_nonnull (strstr (g_bytes_get_data (read, NULL), "Pid:"));
}

/* A byte order mark is no part of a text; numbers of the program's own may begin with its bytes. */
static void
test_byte_order_mark (TestFolder *f, gconstpointer data)
{
  static const char text[] = "\xef\xbb\xbf"
                             "abc";
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) read = NULL;
  g_autoptr (GBytes) network = NULL;

  g_assert_true (g_file_set_contents (f->path, text, -1, NULL));
  read = goban_file_read (f->path, GOBAN_FILE_TEXT, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_bytes_get_data (read, NULL), ==, "abc");
  g_assert_cmpuint (g_bytes_get_size (read), ==, 3);
  network = goban_file_read (f->path, GOBAN_FILE_NETWORK, &error);
  g_assert_cmpuint (g_bytes_get_size (network), ==, 6);
}

TEST_PROGRAM (file_read)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, run)                                                                             \
  g_test_add ("/base/file-read/" name, TestFolder, "a.txt", test_folder_set_up, run,               \
              test_folder_tear_down)
  ADD ("regular", test_regular);
  ADD ("explains", test_explains);
  ADD ("too-large", test_too_large);
  ADD ("too-large-by-its-own-word", test_too_large_by_its_own_word);
  ADD ("pipe", test_pipe);
  ADD ("standard-input", test_standard_input);
  ADD ("stops-waiting", test_stops_waiting);
  ADD ("refuses-pipes", test_refuses_pipes);
  ADD ("length-unknown", test_length_unknown);
  ADD ("byte-order-mark", test_byte_order_mark);
#undef ADD
  return g_test_run ();
}
