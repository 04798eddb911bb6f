#include "engine/core/file-read.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((gsize) 1 << 20)
#define PIECE_BYTES ((gsize) 1 << 20)
#define FIRST_STREAM_BYTES ((gsize) 1 << 16)
/* Interval between checks for cancellation while waiting for a stream. */
#define WAIT_MS 100

static const struct
{
  const char *name;
  gsize most_bytes;
} kinds[] = {
  [GOBAN_FILE_GRAPH] = { N_ ("graph"), 2048 * MIB },
  [GOBAN_FILE_CLUSTER] = { N_ ("cluster"), 64 * MIB },
  [GOBAN_FILE_PLAN] = { N_ ("plan"), 256 * MIB },
  [GOBAN_FILE_SESSION] = { N_ ("session"), 512 * MIB },
  [GOBAN_FILE_SUITE] = { N_ ("suite"), 16 * MIB },
  [GOBAN_FILE_JOURNAL] = { N_ ("journal"), 1024 * MIB },
  [GOBAN_FILE_NETWORK] = { N_ ("network"), 256 * MIB },
  [GOBAN_FILE_RUN] = { N_ ("training run"), 1024 * MIB },
  [GOBAN_FILE_TEXT] = { N_ ("text"), 64 * MIB },
};

static const GobanProgress *program_progress = NULL;

/* An open file and the bytes read so far. */
typedef struct
{
  const char *name; /* in messages */
  const GobanFileReading *reading;
  const GobanProgress *progress; /* (nullable) */
  gsize most_bytes;
  int fd;
  gboolean is_stream; /* anything but a regular file */
  guint8 *data;
  gsize size;
  gsize room;
} Reader;

void
goban_file_set_progress (const GobanProgress *progress)
{
  program_progress = progress;
}

gsize
goban_file_get_most (GobanFileKind kind)
{
  return kinds[kind].most_bytes;
}

static gboolean
refuse (const Reader *self, const char *reason, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: cannot be read: %s", self->name, reason);
}

static gboolean
check_size (const Reader *self, gsize size, GError **error)
{
  char most[GOBAN_QUANTITY_LEN];

  if (size <= self->most_bytes)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%s: cannot be read: it is larger than %s, the limit for a %s", self->name,
                       goban_format_bytes (most, (double) self->most_bytes),
                       _ (kinds[self->reading->kind].name));
}

static const char *
explain (int code)
{
  switch (code)
    {
    case ENOENT:
      return _ ("there is no such file");
    case EACCES:
      return _ ("permission denied");
    case EISDIR:
      return _ ("it is a folder");
    default:
      return g_strerror (code);
    }
}

static gboolean
is_stdin (const char *path, const GobanFileReading *reading)
{
  return !reading->only_regular && strcmp (path, "-") == 0;
}

/* Opening without waiting for a pipe's other end: poll() does that, and can be stopped. */
static gboolean
open_file (Reader *self, const char *path, GError **error)
{
  struct stat about;

  if (is_stdin (path, self->reading))
    self->fd = STDIN_FILENO;
  else
    self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (self->fd < 0 || fstat (self->fd, &about) != 0)
    return refuse (self, explain (errno), error);
  if (S_ISDIR (about.st_mode))
    return refuse (self, explain (EISDIR), error);

  self->is_stream = !S_ISREG (about.st_mode);
  /* A terminal ends as a pipe does. */
  if ((S_ISCHR (about.st_mode) && !isatty (self->fd)) || S_ISBLK (about.st_mode))
    return refuse (self, _ ("it is a device"), error);
  if (self->is_stream && (self->reading->only_regular || self->progress == NULL))
    return refuse (self, _ ("it is not a regular file"), error);
  if (!self->is_stream && self->fd != STDIN_FILENO)
    {
      if (!check_size (self, (gsize) about.st_size, error))
        return FALSE;
      self->room = (gsize) about.st_size + 1; /* the last read finds the end */
    }
  return TRUE;
}

static gboolean
wait_for_data (const Reader *self, GError **error)
{
  GPollFD wanted = { .fd = self->fd, .events = G_IO_IN };
  int n;

  while ((n = g_poll (&wanted, 1, WAIT_MS)) <= 0)
    {
      if (n < 0 && errno != EINTR)
        return refuse (self, explain (errno), error);
      if (!goban_progress_check (self->progress, error))
        return FALSE;
    }
  return TRUE;
}

/* Files may grow while they are read, and those of the kernel are longer than they say. */
static gboolean
make_room (Reader *self, GError **error)
{
  gsize room = self->data == NULL ? MAX (self->room, FIRST_STREAM_BYTES) : 2 * self->room;
  guint8 *data;

  if (self->data != NULL && self->size < self->room)
    return TRUE;
  room = MIN (room, self->most_bytes + 1); /* the extra byte detects a file that is too large */
  data = g_try_realloc (self->data, room);
  if (data == NULL)
    return refuse (self, explain (ENOMEM), error);
  self->data = data;
  self->room = room;
  return TRUE;
}

/* One more piece. @is_end: there is none. */
static gboolean
read_piece (Reader *self, gboolean *is_end, GError **error)
{
  gssize n;

  if (!goban_progress_check (self->progress, error) || !make_room (self, error)
      || (self->is_stream && !wait_for_data (self, error)))
    return FALSE;

  n = read (self->fd, self->data + self->size, MIN (self->room - self->size, PIECE_BYTES));
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return TRUE; /* a signal, or another reader took the data */
  if (n < 0)
    return refuse (self, explain (errno), error);

  self->size += (gsize) n;
  *is_end = n == 0;
  return check_size (self, self->size, error);
}

/* With a mark, or four characters of ASCII. */
static gboolean
is_utf32 (const guint8 *data, gsize size)
{
  gsize n = MIN (size / 4, 4);
  guint n_little = 0, n_big = 0;

  if (size >= 4 && (memcmp (data, "\xff\xfe\0\0", 4) == 0 || memcmp (data, "\0\0\xfe\xff", 4) == 0))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    {
      const guint8 *c = data + 4 * i;

      n_little += c[1] == 0 && c[2] == 0 && c[3] == 0
                  && (g_ascii_isprint (c[0]) || g_ascii_isspace (c[0]));
      n_big += c[0] == 0 && c[1] == 0 && c[2] == 0
               && (g_ascii_isprint (c[3]) || g_ascii_isspace (c[3]));
    }
  return n == 4 && (n_little == n || n_big == n);
}

/* With a mark, or ASCII of which every other byte is zero. */
static gboolean
is_utf16 (const guint8 *data, gsize size)
{
  gsize n = MIN (size / 2, 8);
  guint n_low = 0, n_high = 0;

  if (size >= 4 && (data[2] != 0 || data[3] != 0)
      && (memcmp (data, "\xff\xfe", 2) == 0 || memcmp (data, "\xfe\xff", 2) == 0))
    return TRUE;
  for (gsize i = 0; i < n; i++)
    {
      guint8 low = data[2 * i], high = data[2 * i + 1];

      n_low += high == 0 && (g_ascii_isprint (low) || g_ascii_isspace (low));
      n_high += low == 0 && (g_ascii_isprint (high) || g_ascii_isspace (high));
    }
  return n >= 4 && (n_low == n || n_high == n);
}

GBytes *
goban_file_enter_text (GBytes *bytes, const char *origin, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (size >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0)
    return g_bytes_new_from_bytes (bytes, 3, size - 3);
  if (is_utf32 (data, size))
    goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: this is %s: %s", origin,
                  _ ("text in UTF-32"), _ ("save it as UTF-8 (iconv -f UTF-32 -t UTF-8)"));
  else if (is_utf16 (data, size))
    goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "%s: this is %s: %s", origin,
                  _ ("text in UTF-16"), _ ("save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"));
  else
    return g_bytes_ref (bytes);
  return NULL;
}

/* Files of the program's own numbers have no text. */
static gboolean
may_be_text (GobanFileKind kind)
{
  return kind != GOBAN_FILE_NETWORK && kind != GOBAN_FILE_RUN && kind != GOBAN_FILE_JOURNAL;
}

GBytes *
goban_file_read_with (const char *path, const GobanFileReading *reading, GError **error)
{
  Reader self = {
    .name = is_stdin (path, reading) ? "standard input" : path,
    .reading = reading,
    .progress = reading->progress != NULL ? reading->progress : program_progress,
    .most_bytes
    = reading->most_bytes > 0 ? reading->most_bytes : goban_file_get_most (reading->kind),
    .fd = -1,
  };
  g_autoptr (GBytes) bytes = NULL;
  gboolean is_end = FALSE;
  gboolean fine = open_file (&self, path, error);

  while (fine && !is_end)
    fine = read_piece (&self, &is_end, error);
  if (self.fd >= 0 && self.fd != STDIN_FILENO)
    close (self.fd);
  if (!fine)
    {
      g_free (self.data);
      return NULL;
    }
  if (self.size < self.room / 2) /* a stream's last doubling */
    self.data = g_realloc (self.data, self.size + 1);
  self.data[self.size] = 0; /* the last read had room for it */
  bytes = g_bytes_new_take (self.data, self.size);
  return may_be_text (reading->kind) ? goban_file_enter_text (bytes, self.name, error)
                                     : g_steal_pointer (&bytes);
}

void
goban_file_forget (const char *from, const char *to)
{
  guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  guintptr begin = ((guintptr) from + page - 1) / page * page;
  guintptr end = (guintptr) to / page * page;

  if (begin < end)
    madvise ((gpointer) begin, end - begin, MADV_DONTNEED);
}

GBytes *
goban_file_read (const char *path, GobanFileKind kind, GError **error)
{
  GobanFileReading reading = { .kind = kind };

  return goban_file_read_with (path, &reading, error);
}
