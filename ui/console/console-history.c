#include "ui/console/console-history.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/i18n.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ENTRIES 1000
/* A larger file keeps only its newest part. */
#define MAX_FILE_BYTES (4 << 20)

struct _GobanConsoleHistory
{
  char *path;         /* (nullable) */
  GPtrArray *entries; /* char *, oldest first */
  GPtrArray *unsaved; /* char *, those that the file does not have yet */
  guint at;           /* entries->len outside a walk */
  char *draft;        /* what stood in the input when the walk began, else NULL */
};

static gboolean
refuse (const char *path, const char *reason, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%s: the history cannot be read, and is not written: %s", path, reason);
}

/* The newest part of the file, in whole lines. *bytes is %NULL if there is no file. */
static gboolean
read_newest (const char *path, GBytes **bytes, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe has no end to wait for */
  g_autofree char *data = NULL;
  struct stat about;
  gsize n = 0;
  gssize got = 0;

  *bytes = NULL;
  if (fd < 0)
    return errno == ENOENT || refuse (path, g_strerror (errno), error);
  if (fstat (fd, &about) != 0 || !S_ISREG (about.st_mode))
    {
      close (fd);
      return refuse (path, _ ("it is not a file"), error);
    }
  if (about.st_size > MAX_FILE_BYTES)
    lseek (fd, about.st_size - MAX_FILE_BYTES, SEEK_SET);
  data = g_malloc (MAX_FILE_BYTES);
  while (n < MAX_FILE_BYTES && (got = read (fd, data + n, MAX_FILE_BYTES - n)) != 0)
    {
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        break;
      n += (gsize) got;
    }
  if (got < 0)
    refuse (path, g_strerror (errno), error);
  close (fd);
  if (got >= 0)
    {
      const char *begin = about.st_size > MAX_FILE_BYTES ? memchr (data, '\n', n) : data;

      *bytes = begin != NULL ? g_bytes_new (begin, n - (gsize) (begin - data)) : NULL;
    }
  return got >= 0;
}

/* An entry is a line of the file; its own line ends are written as \n and \ as \\. %FALSE with
 * @error set for a file that exists and cannot be read. */
static gboolean
load (const char *path, GPtrArray *entries, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;
  gsize size;
  const char *data;

  if (!read_newest (path, &bytes, error))
    return FALSE;
  if (bytes == NULL)
    return TRUE;
  data = g_bytes_get_data (bytes, &size);
  if (!g_utf8_validate_len (data, size, NULL))
    return refuse (path, _ ("it is not text in UTF-8"), error);

  text = g_strndup (data, size);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_ptr_array_add (entries, g_strcompress (lines[i]));
  return TRUE;
}

static void
limit (GPtrArray *entries)
{
  if (entries->len > MAX_ENTRIES)
    g_ptr_array_remove_range (entries, 0, entries->len - MAX_ENTRIES);
}

GobanConsoleHistory *
goban_console_history_new (const char *path)
{
  GobanConsoleHistory *self = g_new0 (GobanConsoleHistory, 1);

  self->path = g_strdup (path);
  self->entries = g_ptr_array_new_with_free_func (g_free);
  self->unsaved = g_ptr_array_new_with_free_func (g_free);
  if (path != NULL)
    load (path, self->entries, NULL); /* saving says why */
  limit (self->entries);
  self->at = self->entries->len;

  return self;
}

void
goban_console_history_free (GobanConsoleHistory *self)
{
  if (self == NULL)
    return;

  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->unsaved);
  g_free (self->draft);
  g_free (self->path);
  g_free (self);
}

void
goban_console_history_reset (GobanConsoleHistory *self)
{
  self->at = self->entries->len;
  g_clear_pointer (&self->draft, g_free);
}

void
goban_console_history_add (GobanConsoleHistory *self, const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  guint n = self->entries->len;

  if (*stripped != '\0' && (n == 0 || !g_str_equal (self->entries->pdata[n - 1], stripped)))
    {
      g_ptr_array_add (self->unsaved, g_strdup (stripped));
      g_ptr_array_add (self->entries, g_steal_pointer (&stripped));
    }
  limit (self->entries);
  limit (self->unsaved);

  goban_console_history_reset (self);
}

const char *
goban_console_history_older (GobanConsoleHistory *self, const char *input)
{
  if (self->draft == NULL)
    self->draft = g_strdup (input);

  for (guint i = self->at; i > 0; i--)
    {
      const char *entry = self->entries->pdata[i - 1];

      if (g_str_has_prefix (entry, self->draft) && !g_str_equal (entry, self->draft))
        {
          self->at = i - 1;
          return entry;
        }
    }

  return NULL;
}

const char *
goban_console_history_newer (GobanConsoleHistory *self)
{
  if (self->draft == NULL || self->at >= self->entries->len)
    return NULL;

  for (guint i = self->at + 1; i < self->entries->len; i++)
    if (g_str_has_prefix (self->entries->pdata[i], self->draft))
      {
        self->at = i;
        return self->entries->pdata[i];
      }

  self->at = self->entries->len;
  return self->draft;
}

/* --- kinds ------------------------------------------------------------------------------------ */

/* What begins so is of that kind; the first that fits. */
static const struct
{
  const char *begin;
  GobanHistoryKind kind;
} kinds[] = {
  { "graph.", GOBAN_HISTORY_GRAPHS },
  { "g:", GOBAN_HISTORY_GRAPHS },
  { "plan.", GOBAN_HISTORY_PLANS },
  { "policy.", GOBAN_HISTORY_PLANS },
  { "sim.", GOBAN_HISTORY_PLANS },
  { "p:", GOBAN_HISTORY_PLANS },
  { "r:", GOBAN_HISTORY_PLANS },
  { "job.", GOBAN_HISTORY_PLANS },
  { "compare", GOBAN_HISTORY_COMPARISONS },
  { "bench.", GOBAN_HISTORY_COMPARISONS },
  { "view.", GOBAN_HISTORY_VIEWS },
  { "app.", GOBAN_HISTORY_VIEWS },
  { "plot", GOBAN_HISTORY_PLOTS },
  { "show", GOBAN_HISTORY_PLOTS },
  { "sweep", GOBAN_HISTORY_PLOTS },
  { "ui.", GOBAN_HISTORY_PLOTS },
};

/* What follows "local x =", "x =" or "return". */
static const char *
skip_assignment (const char *entry)
{
  const char *begin = entry;
  const char *p;

  while (g_str_has_prefix (begin, "local ") || g_str_has_prefix (begin, "return "))
    begin = strchr (begin, ' ') + 1;
  for (p = begin; g_ascii_isalnum (*p) || strchr ("_, ", *p) != NULL;)
    if (*p++ == '\0')
      return begin;
  if (p[0] != '=' || p[1] == '=')
    return begin;
  for (p++; *p == ' ';)
    p++;
  return p;
}

GobanHistoryKind
goban_history_find_kind (const char *entry)
{
  const char *begin = skip_assignment (entry);

  if (strchr (entry, '\n') != NULL)
    return GOBAN_HISTORY_BLOCKS;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (begin, kinds[i].begin))
      return kinds[i].kind;
  return GOBAN_HISTORY_OTHERS;
}

static gboolean
is_of_kind (const char *entry, GobanHistoryKind kind)
{
  return kind == GOBAN_HISTORY_ALL || goban_history_find_kind (entry) == kind;
}

char **
goban_console_history_find (GobanConsoleHistory *self, const char *text, GobanHistoryKind kind,
                            guint max)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = self->entries->len; i > 0 && found->len < max; i--)
    {
      const char *entry = self->entries->pdata[i - 1];

      if (strstr (entry, text) != NULL && is_of_kind (entry, kind)
          && !g_ptr_array_find_with_equal_func (found, entry, g_str_equal, NULL))
        g_ptr_array_add (found, (gpointer) entry);
    }
  g_ptr_array_add (found, NULL);
  return g_strdupv ((char **) found->pdata);
}

guint
goban_console_history_get_n_entries (const GobanConsoleHistory *self)
{
  return self->entries->len;
}

/* The exceptions keep what is beyond ASCII readable. (transfer full) */
static char *
make_line (const char *entry)
{
  char beyond_ascii[129] = "";
  g_autofree char *line = NULL;

  for (guint c = 0; c < 128; c++)
    beyond_ascii[c] = (char) (128 + c);
  line = g_strescape (entry, beyond_ascii);
  return g_strconcat (line, "\n", NULL);
}

/* The newest entries that fit into the file, oldest first. (transfer full) */
static GString *
make_text (const GPtrArray *entries)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);
  gsize size = 0;

  for (guint i = entries->len; i > 0 && size <= MAX_FILE_BYTES; i--)
    {
      char *line = make_line (entries->pdata[i - 1]);

      size += strlen (line);
      g_ptr_array_add (lines, line);
    }
  for (guint i = lines->len - (size > MAX_FILE_BYTES ? 1 : 0); i > 0; i--)
    g_string_append (text, lines->pdata[i - 1]);
  return text;
}

gboolean
goban_console_history_save (GobanConsoleHistory *self, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = NULL;
  g_autofree char *folder = NULL;

  if (self->path == NULL || self->unsaved->len == 0)
    return TRUE;

  if (!load (self->path, all, error))
    return FALSE;
  g_ptr_array_extend (all, self->unsaved, (GCopyFunc) (void (*) (void)) g_strdup, NULL);
  limit (all);
  text = make_text (all);
  folder = g_path_get_dirname (self->path);
  g_mkdir_with_parents (folder, 0700);
  if (!goban_file_write (self->path, text->str, text->len, error))
    return FALSE;
  g_ptr_array_set_size (self->unsaved, 0);
  return TRUE;
}
