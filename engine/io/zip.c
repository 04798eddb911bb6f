#include "engine/io/zip.h"

#include "engine/core/crc32.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/io/gzip.h"

#include <string.h>

#define LOCAL_BYTES 30
#define ENTRY_BYTES 46
#define END_BYTES 22
#define END64_BYTES 56
#define LOCATOR_BYTES 20
#define MAX_COMMENT 65535
/* A member takes more memory than the smallest entry in the file. */
#define MAX_MEMBERS 1000000

enum
{
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
  FLAG_ENCRYPTED = 1,
  EXTRA_ZIP64 = 1,
};

typedef struct
{
  char *name;
  guint64 packed_bytes;
  guint64 size_bytes;
  guint64 header_at; /* of the local header */
  guint32 crc;
  guint16 method;
  guint16 flags;
} Member;

struct _GobanZip
{
  const guint8 *data;
  gsize size;
  char *path;
  GArray *members; /* Member */
};

/* --- numbers --------------------------------------------------------------------------------- */

static guint64
get (const guint8 *at, guint n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes; i++)
    value |= (guint64) at[i] << (8 * i);
  return value;
}

static gboolean
has_mark (const GobanZip *self, guint64 at, const char *mark, gsize n_bytes)
{
  return at <= self->size && self->size - at >= n_bytes && memcmp (self->data + at, mark, 4) == 0;
}

/* --- the directory --------------------------------------------------------------------------- */

static gboolean
refuse_directory (const GobanZip *self, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE,
                       "%s: the directory at the end of the zip archive is missing or damaged: the "
                       "file may be cut off",
                       self->path);
}

/* Where the record of the end begins, behind which there may be a comment. One that is as long as
 * the record says goes before others, since the mark may also be in the comment. */
static gboolean
find_end (const GobanZip *self, gsize *end)
{
  gsize least = self->size > END_BYTES + MAX_COMMENT ? self->size - END_BYTES - MAX_COMMENT : 0;
  gboolean is_found = FALSE;

  if (self->size < END_BYTES)
    return FALSE;
  for (gsize at = self->size - END_BYTES + 1; at-- > least;)
    {
      if (!has_mark (self, at, "PK\5\6", END_BYTES))
        continue;
      if (get (self->data + at + 20, 2) == self->size - END_BYTES - at)
        {
          *end = at;
          return TRUE;
        }
      if (!is_found)
        *end = at;
      is_found = TRUE;
    }
  return is_found;
}

/* Where the entries are, and how many. */
static gboolean
find_directory (const GobanZip *self, guint64 *at, guint64 *n)
{
  gsize end;
  guint64 end64;

  if (!find_end (self, &end))
    return FALSE;
  *n = get (self->data + end + 10, 2);
  *at = get (self->data + end + 16, 4);
  if (end < LOCATOR_BYTES || !has_mark (self, end - LOCATOR_BYTES, "PK\6\7", LOCATOR_BYTES))
    return TRUE;
  end64 = get (self->data + end - LOCATOR_BYTES + 8, 8);
  if (!has_mark (self, end64, "PK\6\6", END64_BYTES))
    return FALSE;
  *n = get (self->data + end64 + 32, 8);
  *at = get (self->data + end64 + 48, 8);
  return TRUE;
}

/* The bytes of one kind among the extra ones; their number is 0 if there are none. */
static const guint8 *
find_extra (const guint8 *extra, gsize n, guint kind, gsize *n_found)
{
  while (n >= 4)
    {
      gsize n_own = MIN (get (extra + 2, 2), n - 4);

      if (get (extra, 2) == kind)
        {
          *n_found = n_own;
          return extra + 4;
        }
      extra += 4 + n_own;
      n -= 4 + n_own;
    }
  *n_found = 0;
  return extra;
}

/* Numbers that do not fit into 32 bits are among the extra bytes, in this order. */
static gboolean
read_zip64 (Member *member, const guint8 *extra, gsize n)
{
  guint64 *const fields[] = { &member->size_bytes, &member->packed_bytes, &member->header_at };
  gsize n_left;
  const guint8 *at = find_extra (extra, n, EXTRA_ZIP64, &n_left);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      if (*fields[i] != G_MAXUINT32)
        continue;
      if (n_left < 8)
        return FALSE;
      *fields[i] = get (at, 8);
      at += 8;
      n_left -= 8;
    }
  return TRUE;
}

/* One entry at *@at, which is moved behind it. */
static gboolean
read_entry (GobanZip *self, guint64 *at)
{
  const guint8 *entry;
  gsize n_name, n_extra, n_all;
  g_autofree char *name = NULL;
  Member member;

  if (!has_mark (self, *at, "PK\1\2", ENTRY_BYTES))
    return FALSE;
  entry = self->data + *at;
  n_name = get (entry + 28, 2);
  n_extra = get (entry + 30, 2);
  n_all = ENTRY_BYTES + n_name + n_extra + get (entry + 32, 2);
  if (self->size - *at < n_all)
    return FALSE;
  member = (Member){
    .flags = (guint16) get (entry + 8, 2),
    .method = (guint16) get (entry + 10, 2),
    .crc = (guint32) get (entry + 16, 4),
    .packed_bytes = get (entry + 20, 4),
    .size_bytes = get (entry + 24, 4),
    .header_at = get (entry + 42, 4),
  };
  if (!read_zip64 (&member, entry + ENTRY_BYTES + n_name, n_extra))
    return FALSE;
  name = g_strndup ((const char *) entry + ENTRY_BYTES, n_name);
  member.name = g_utf8_make_valid (name, -1);
  g_array_append_val (self->members, member);
  *at += n_all;
  return TRUE;
}

static gboolean
read_entries (GobanZip *self, guint64 at, guint64 n)
{
  while (self->members->len < n)
    if (!read_entry (self, &at))
      return FALSE;
  return TRUE;
}

static void
clear_member (gpointer member)
{
  g_free (((Member *) member)->name);
}

gboolean
goban_zip_is (const char *data, gsize size)
{
  return size >= 4 && memcmp (data, "PK\3\4", 4) == 0;
}

GobanZip *
goban_zip_open (const char *data, gsize size, const char *path, GError **error)
{
  g_autoptr (GobanZip) self = g_new0 (GobanZip, 1);
  guint64 at, n;

  self->data = (const guint8 *) data;
  self->size = size;
  self->path = g_strdup (path);
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (self->members, clear_member);
  if (!find_directory (self, &at, &n))
    refuse_directory (self, error);
  else if (n > MAX_MEMBERS)
    goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                  "%s: the zip archive has more than %d members, which are not read here", path,
                  MAX_MEMBERS);
  else if (!read_entries (self, at, n))
    refuse_directory (self, error);
  else
    return g_steal_pointer (&self);
  return NULL;
}

void
goban_zip_free (GobanZip *self)
{
  g_array_unref (self->members);
  g_free (self->path);
  g_free (self);
}

guint
goban_zip_get_n_members (const GobanZip *self)
{
  return self->members->len;
}

const char *
goban_zip_get_name (const GobanZip *self, guint member)
{
  g_return_val_if_fail (member < self->members->len, "");

  return g_array_index (self->members, Member, member).name;
}

/* --- members --------------------------------------------------------------------------------- */

/* @reason: of N_(). */
static gboolean
refuse_member (const GobanZip *self, const Member *member, const char *reason, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the member “%s” of the zip archive %s",
                       self->path, member->name, _ (reason));
}

/* Where the packed bytes begin, behind a local header that repeats the name. */
static gboolean
find_bytes (const GobanZip *self, const Member *member, guint64 *start)
{
  const guint8 *header;

  if (!has_mark (self, member->header_at, "PK\3\4", LOCAL_BYTES))
    return FALSE;
  header = self->data + member->header_at;
  *start = member->header_at + LOCAL_BYTES + get (header + 26, 2) + get (header + 28, 2);
  return *start <= self->size && member->packed_bytes <= self->size - *start;
}

GBytes *
goban_zip_unpack (const GobanZip *self, guint index, gsize most_bytes,
                  const GobanProgress *progress, GError **error)
{
  const Member *member = &g_array_index (self->members, Member, index);
  g_autofree char *place = g_strconcat (self->path, "/", member->name, NULL);
  g_autoptr (GBytes) bytes = NULL;
  const char *packed;
  guint64 start;
  gsize size;

  g_return_val_if_fail (index < self->members->len, NULL);

  if (member->flags & FLAG_ENCRYPTED)
    refuse_member (self, member, N_ ("is encrypted"), error);
  else if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED)
    refuse_member (self, member, N_ ("is packed in a way that is not read here: pack it again"),
                   error);
  else if (!find_bytes (self, member, &start))
    refuse_member (self, member, N_ ("is cut off"), error);
  else
    {
      packed = (const char *) self->data + start;
      bytes = member->method == METHOD_DEFLATED ? goban_gzip_inflate (
                  packed, member->packed_bytes, most_bytes, place, progress, error)
                                                : g_bytes_new_static (packed, member->packed_bytes);
    }
  if (bytes == NULL)
    return NULL;
  packed = g_bytes_get_data (bytes, &size);
  if (size > most_bytes)
    goban_gzip_refuse_size (place, most_bytes, error);
  else if (size != member->size_bytes || goban_crc32 ((const guint8 *) packed, size) != member->crc)
    refuse_member (self, member, N_ ("is damaged: its checksum differs"), error);
  else
    return g_steal_pointer (&bytes);
  return NULL;
}
