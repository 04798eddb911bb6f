#include "engine/io/packed.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <archive.h>
#include <archive_entry.h>
#include <gio/gio.h>
#include <locale.h>
#include <string.h>

#define FIRST_BYTES ((gsize) 1 << 16)
#define PIECE_BYTES ((gsize) 1 << 22)
/* Texts of graphs shrink to a tenth or less; what shrinks to less than a
 * hundredth has little in it, and takes many times its size to read. */
#define SMALL_BYTES ((gsize) 128 << 20)
#define MOST_RATIO 100
/* A member takes more memory than its entry in the file. */
#define MAX_MEMBERS 100000

typedef struct archive Archive;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Archive, archive_read_free)

/* --- ways of packing -------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  const char *ending;
  const char *mark; /* the first bytes */
  gsize n_mark;
  int (*support) (Archive *archive); /* NULL: gzip, see Source */
} Packing;

#define MARK(bytes) bytes, sizeof bytes - 1

static const Packing packings[] = {
  { "gzip", ".gz", MARK ("\x1f\x8b"), NULL },
  { "zstd", ".zst", MARK ("\x28\xb5\x2f\xfd"), archive_read_support_filter_zstd },
  { "xz", ".xz",
    MARK ("\xfd"
          "7zXZ"),
    archive_read_support_filter_xz },
  { "bzip2", ".bz2", MARK ("BZh"), archive_read_support_filter_bzip2 },
  { "lz4", ".lz4", MARK ("\x04\x22\x4d\x18"), archive_read_support_filter_lz4 },
};

static const Packing *
find_packing (const char *data, gsize size)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    if (size >= packings[i].n_mark && memcmp (data, packings[i].mark, packings[i].n_mark) == 0)
      return &packings[i];
  return NULL;
}

gboolean
goban_packed_is (const char *data, gsize size)
{
  return find_packing (data, size) != NULL;
}

char *
goban_packed_dup_inner_path (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    if (g_str_has_suffix (path, packings[i].ending))
      return g_strndup (path, strlen (path) - strlen (packings[i].ending));
  return g_strdup (path);
}

/* --- sources ---------------------------------------------------------------------------------- */

/* Bytes that are unpacked piece by piece. gzip is unpacked by GLib, because libarchive does not
 * compare the checksum of gzip data. */
typedef struct
{
  const Packing *packing;
  Archive *archive; /* NULL for gzip */
  GConverter *gzip;
  const char *packed;
  gsize n_packed;
  gsize at; /* in the packed bytes */
  gboolean is_over;
} Source;

static void
source_clear (Source *self)
{
  g_clear_pointer (&self->archive, archive_read_free);
  g_clear_object (&self->gzip);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

/* FALSE if the data do not begin as they should, or this libarchive lacks the way of packing. */
static gboolean
source_init (Source *self, const char *data, gsize size)
{
  struct archive_entry *entry;
  int result;

  *self = (Source){ .packing = find_packing (data, size), .packed = data, .n_packed = size };
  if (self->packing->support == NULL)
    {
      self->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
      return TRUE;
    }
  self->archive = archive_read_new ();
  /* A warning is that another program would be started. */
  if (self->packing->support (self->archive) != ARCHIVE_OK
      || archive_read_support_format_raw (self->archive) != ARCHIVE_OK
      || archive_read_support_format_empty (self->archive) != ARCHIVE_OK
      || archive_read_open_memory (self->archive, data, size) != ARCHIVE_OK)
    return FALSE;
  result = archive_read_next_header (self->archive, &entry);
  self->is_over = result == ARCHIVE_EOF; /* the text is empty */
  return result == ARCHIVE_OK || result == ARCHIVE_EOF;
}

/* Returns the number of bytes, 0 at the end, or -1 after an error. */
static gssize
read_gzip (Source *self, guint8 *to, gsize n, gboolean *is_cut)
{
  while (!self->is_over)
    {
      g_autoptr (GError) reason = NULL;
      gsize n_read = 0, n_written = 0;
      GConverterResult result
          = g_converter_convert (self->gzip, self->packed + self->at, self->n_packed - self->at, to,
                                 n, G_CONVERTER_INPUT_AT_END, &n_read, &n_written, &reason);

      if (result == G_CONVERTER_ERROR)
        {
          *is_cut = g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
          return -1;
        }
      self->at += n_read;
      if (result == G_CONVERTER_FINISHED)
        {
          /* Other bytes after the members are padding. */
          self->is_over
              = find_packing (self->packed + self->at, self->n_packed - self->at) != self->packing;
          g_converter_reset (self->gzip);
        }
      if (n_written > 0)
        return (gssize) n_written;
    }
  return 0;
}

static gboolean
is_about (Archive *archive, const char *word)
{
  const char *text = archive_error_string (archive);

  return text != NULL && strstr (text, word) != NULL;
}

static gboolean
is_cut_off (Archive *archive)
{
  return is_about (archive, "runcated");
}

static gssize
source_read (Source *self, guint8 *to, gsize n, gboolean *is_cut)
{
  gssize n_read;

  if (self->archive == NULL)
    return read_gzip (self, to, n, is_cut);
  if (self->is_over)
    return 0;
  n_read = archive_read_data (self->archive, to, n);
  *is_cut = n_read < 0 && is_cut_off (self->archive);
  return n_read < 0 ? -1 : n_read;
}

/* --- texts ------------------------------------------------------------------------------------ */

gboolean
goban_packed_refuse_size (const char *origin, gsize most_bytes, GError **error)
{
  char most[GOBAN_QUANTITY_LEN];

  return goban_refuse (error, GOBAN_ERROR_IO,
                       "%s: cannot be read: unpacked it is larger than %s, the "
                       "limit for such a file",
                       origin, goban_format_bytes (most, (double) most_bytes));
}

typedef struct
{
  const char *origin;
  gsize most_bytes;
  const GobanProgress *progress;
  gboolean is_damaged; /* out, or */
  gboolean is_cut;
} Unpacking;

/* Everything to the end, with a zero after it. (transfer full) (nullable): NULL without an error if
 * the data are damaged or cut off. */
static GBytes *
read_all (Unpacking *self, Source *source, GError **error)
{
  g_autofree guint8 *data = NULL;
  gsize size = 0, room = 0;

  for (;;)
    {
      gssize n;

      if (!goban_progress_check (self->progress, error))
        return NULL;
      if (size + 1 >= room)
        {
          guint8 *more;

          room = MAX (MIN (2 * room, self->most_bytes + PIECE_BYTES), FIRST_BYTES);
          more = size <= self->most_bytes ? g_try_realloc (data, room) : NULL;
          if (more == NULL)
            {
              goban_packed_refuse_size (self->origin, self->most_bytes, error);
              return NULL;
            }
          data = more;
        }
      n = source_read (source, data + size, MIN (room - size - 1, PIECE_BYTES), &self->is_cut);
      self->is_damaged = n < 0;
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      size += (gsize) n;
    }
  if (size > self->most_bytes)
    {
      goban_packed_refuse_size (self->origin, self->most_bytes, error);
      return NULL;
    }
  data = g_realloc (data, size + 1);
  data[size] = 0;
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

GBytes *
goban_packed_unpack (GBytes *packed, gsize most_bytes, const char *origin,
                     const GobanProgress *progress, GError **error)
{
  gsize size;
  const char *data = g_bytes_get_data (packed, &size);
  Unpacking self = { .origin = origin,
                     .most_bytes = MIN (most_bytes, MAX (SMALL_BYTES, size * MOST_RATIO)),
                     .progress = progress };
  g_auto (Source) source = { NULL };
  GBytes *text = NULL;

  if (source_init (&source, data, size))
    text = read_all (&self, &source, error);
  else
    {
      self.is_damaged = TRUE;
      self.is_cut = is_cut_off (source.archive);
    }
  if (self.is_damaged && self.is_cut)
    goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the %s data ends too early", origin,
                  source.packing->name);
  else if (self.is_damaged)
    goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the %s data is damaged", origin,
                  source.packing->name);
  return text;
}

gsize
goban_packed_peek (GBytes *packed, char *head, gsize n)
{
  gsize size, n_all = 0;
  const char *data = g_bytes_get_data (packed, &size);
  g_auto (Source) source = { NULL };
  gboolean is_cut;

  if (!source_init (&source, data, size))
    return 0;
  while (n_all < n)
    {
      gssize n_read = source_read (&source, (guint8 *) head + n_all, n - n_all, &is_cut);

      if (n_read <= 0)
        break;
      n_all += (gsize) n_read;
    }
  return n_all;
}

/* --- zip archives ----------------------------------------------------------------------------- */

struct _GobanZip
{
  const char *data;
  gsize size;
  char *path;
  GPtrArray *names;
};

gboolean
goban_zip_is (const char *data, gsize size)
{
  return size >= 4 && memcmp (data, "PK\3\4", 4) == 0;
}

/* At the first member. (nullable): the archive has no directory. */
static Archive *
open_archive (const GobanZip *self)
{
  g_autoptr (Archive) archive = archive_read_new ();

  if (archive_read_support_format_zip_seekable (archive) != ARCHIVE_OK
      || archive_read_open_memory (archive, self->data, self->size) != ARCHIVE_OK)
    return NULL;
  return g_steal_pointer (&archive);
}

/* A warning is about the name alone, which need not fit the locale. */
static gboolean
is_member (int result)
{
  return result == ARCHIVE_OK || result == ARCHIVE_WARN;
}

static char *
dup_name (struct archive_entry *entry)
{
  const char *name = archive_entry_pathname_utf8 (entry);

  if (name == NULL)
    name = archive_entry_pathname (entry);
  return g_utf8_make_valid (name != NULL ? name : "", -1);
}

GobanZip *
goban_zip_open (const char *data, gsize size, const char *path, GError **error)
{
  g_autoptr (GobanZip) self = g_new0 (GobanZip, 1);
  g_autoptr (Archive) archive = NULL;
  locale_t utf8 = newlocale (LC_CTYPE_MASK, "C.UTF-8", (locale_t) 0);
  locale_t own = uselocale (utf8); /* libarchive drops names that do not fit the locale */
  struct archive_entry *entry;
  int result;

  self->data = data;
  self->size = size;
  self->path = g_strdup (path);
  self->names = g_ptr_array_new_with_free_func (g_free);
  archive = open_archive (self);
  result = archive != NULL ? archive_read_next_header (archive, &entry) : ARCHIVE_FATAL;
  for (; is_member (result) && self->names->len <= MAX_MEMBERS;
       result = archive_read_next_header (archive, &entry))
    g_ptr_array_add (self->names, dup_name (entry));
  uselocale (own);
  if (utf8 != (locale_t) 0)
    freelocale (utf8);
  if (self->names->len > MAX_MEMBERS)
    goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                  "%s: the zip archive has more than %d members, which are not read here", path,
                  MAX_MEMBERS);
  else if (result != ARCHIVE_EOF)
    goban_refuse (error, GOBAN_ERROR_PARSE,
                  "%s: the directory at the end of the zip archive is missing or damaged: the "
                  "file may be cut off",
                  path);
  else
    return g_steal_pointer (&self);
  return NULL;
}

void
goban_zip_free (GobanZip *self)
{
  g_ptr_array_unref (self->names);
  g_free (self->path);
  g_free (self);
}

guint
goban_zip_get_n_members (const GobanZip *self)
{
  return self->names->len;
}

const char *
goban_zip_get_name (const GobanZip *self, guint member)
{
  g_return_val_if_fail (member < self->names->len, "");

  return g_ptr_array_index (self->names, member);
}

static const char *
find_reason (Archive *archive)
{
  if (is_about (archive, "Unsupported"))
    return N_ ("is packed in a way that is not read here: pack it again");
  if (is_cut_off (archive))
    return N_ ("is cut off");
  return is_about (archive, "CRC") ? N_ ("is damaged: its checksum differs") : N_ ("is damaged");
}

GBytes *
goban_zip_unpack (const GobanZip *self, guint member, gsize most_bytes,
                  const GobanProgress *progress, GError **error)
{
  g_autofree char *place = NULL;
  g_auto (Source) source = { NULL };
  struct archive_entry *entry = NULL;
  const char *reason = NULL;
  GBytes *bytes = NULL;
  Unpacking unpacking;

  g_return_val_if_fail (member < self->names->len, NULL);

  place = g_strconcat (self->path, "/", goban_zip_get_name (self, member), NULL);
  unpacking = (Unpacking){ .origin = place, .most_bytes = most_bytes, .progress = progress };
  source.archive = open_archive (self);
  for (guint i = 0; i <= member && reason == NULL; i++)
    if (!is_member (archive_read_next_header (source.archive, &entry)))
      reason = find_reason (source.archive);
  if (reason == NULL && archive_entry_is_data_encrypted (entry))
    reason = N_ ("is encrypted");
  if (reason == NULL)
    bytes = read_all (&unpacking, &source, error);
  if (unpacking.is_damaged)
    reason = find_reason (source.archive);
  if (reason != NULL)
    goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the member “%s” of the zip archive %s", self->path,
                  goban_zip_get_name (self, member), _ (reason));
  return bytes;
}

/* --- making archives -------------------------------------------------------------------------- */

static la_ssize_t
append_cb (struct archive *archive, void *user_data, const void *bytes, size_t n)
{
  g_byte_array_append (user_data, bytes, (guint) n);
  return (la_ssize_t) n;
}

static gboolean
add_member (struct archive *archive, const char *name, GBytes *member)
{
  struct archive_entry *entry = archive_entry_new ();
  gsize size;
  gconstpointer data = g_bytes_get_data (member, &size);
  gboolean is_done;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, (la_int64_t) size);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  is_done = archive_write_header (archive, entry) == ARCHIVE_OK
            && archive_write_data (archive, data, size) == (la_ssize_t) size;
  archive_entry_free (entry);
  return is_done;
}

GBytes *
goban_zip_pack (const char *const *names, GBytes *const *members, guint n, GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  struct archive *archive = archive_write_new ();
  gboolean is_done = archive_write_set_format_zip (archive) == ARCHIVE_OK
                     && archive_write_zip_set_compression_store (archive) == ARCHIVE_OK
                     && archive_write_set_bytes_in_last_block (archive, 1) == ARCHIVE_OK
                     && archive_write_open (archive, bytes, NULL, append_cb, NULL) == ARCHIVE_OK;

  for (guint i = 0; i < n && is_done; i++)
    is_done = add_member (archive, names[i], members[i]);
  is_done = is_done && archive_write_close (archive) == ARCHIVE_OK;
  if (!is_done)
    goban_set_error (error, GOBAN_ERROR_IO, "the zip archive cannot be made: %s",
                     archive_error_string (archive));
  archive_write_free (archive);
  if (is_done)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  return NULL;
}
