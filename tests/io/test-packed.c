#include "engine/core/error.h"
#include "engine/io/io.h"
#include "engine/io/packed.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <archive.h>
#include <archive_entry.h>
#include <gio/gio.h>
#include <string.h>

/* The file's bytes. (transfer full) */
static char *
load (const char *name, gsize *size)
{
  const char *folder = g_str_has_suffix (name, ".zip") ? "zip" : "packed";
  g_autofree char *file = g_strdup_printf ("tests/fuzz/corpus/%s/%s", folder, name);
  g_autofree char *path = project_path (file);
  char *data = NULL;

  g_assert_true (g_file_get_contents (path, &data, size, NULL));
  return data;
}

static void
check_member (const GobanZip *zip, guint i, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_zip_unpack (zip, i, 100, NULL, &error);
  gsize size;
  const char *data;

  g_assert_no_error (error);
  data = g_bytes_get_data (bytes, &size);
  g_assert_cmpstr (goban_zip_get_name (zip, i), ==, name);
  g_assert_cmpmem (data, size, text, strlen (text));
}

/* Stored, deflated, in zip64's records, before a comment. */
static void
test_members (void)
{
  static const struct
  {
    const char *file;
    const char *members[2][2];
  } cases[] = {
    { "two.zip", { { "a/b.txt", "hello hello hello hello" }, { "c", "" } } },
    { "stored.zip", { { "a", "abc" }, { "ä", "xyz" } } },
    { "wide.zip", { { "a", "abc" } } },
    { "plain-comment.zip", { { "a", "abc" } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize size;
      g_autofree char *data = load (cases[i].file, &size);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanZip) zip = goban_zip_open (data, size, cases[i].file, &error);
      guint n = 0;

      g_assert_no_error (error);
      for (; n < 2 && cases[i].members[n][0] != NULL; n++)
        check_member (zip, n, cases[i].members[n][0], cases[i].members[n][1]);
      g_assert_cmpuint (goban_zip_get_n_members (zip), ==, n);
    }
}

/* Bytes behind the end are padding. */
static void
test_padded (void)
{
  gsize size;
  g_autofree char *data = load ("stored.zip", &size);
  g_autofree char *padded = g_malloc0 (size + 100);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanZip) zip = NULL;

  memcpy (padded, data, size);
  zip = goban_zip_open (padded, size + 100, "x.zip", &error);
  g_assert_no_error (error);
  check_member (zip, 0, "a", "abc");
}

static void
assert_refused (const char *file, const char *message)
{
  gsize size;
  g_autofree char *data = load (file, &size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanZip) zip = goban_zip_open (data, size, "x.zip", &error);
  g_autoptr (GBytes) bytes = NULL;

  if (zip != NULL)
    bytes = goban_zip_unpack (zip, 0, 100, NULL, &error);
  g_assert_null (bytes);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  g_assert_true (g_str_has_prefix (error->message, "x.zip: "));
  g_assert_nonnull (strstr (error->message, message));
}

/* Places that are far outside of the file, and members that cannot be unpacked. */
static void
test_refused (void)
{
  assert_refused ("far-header.zip", "cut off");
  assert_refused ("far-directory.zip", "the directory at the end");
  assert_refused ("cut-off.zip", "the directory at the end");
  /* Its comment holds the mark of a directory's end. */
  assert_refused ("comment.zip", "the directory at the end");
  assert_refused ("encrypted.zip", "the member “a/b.txt” of the zip archive is encrypted");
  assert_refused ("bad-sum.zip", "of the zip archive is damaged: its checksum differs");
}

/* As many members as are read, and one more. */
static void
test_too_many (void)
{
  for (guint more = 0; more < 2; more++)
    {
      const guint n = 100000 + more;
      g_autofree char *data = g_malloc ((gsize) n * 300);
      struct archive *archive = archive_write_new ();
      struct archive_entry *entry = archive_entry_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanZip) zip = NULL;
      size_t size;

      g_assert_cmpint (archive_write_set_format_zip (archive), ==, ARCHIVE_OK);
      g_assert_cmpint (archive_write_open_memory (archive, data, (gsize) n * 300, &size), ==,
                       ARCHIVE_OK);
      archive_entry_set_pathname (entry, "a");
      archive_entry_set_filetype (entry, AE_IFREG);
      archive_entry_set_size (entry, 0);
      for (guint i = 0; i < n; i++)
        g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
      archive_entry_free (entry);
      g_assert_cmpint (archive_write_free (archive), ==, ARCHIVE_OK);
      zip = goban_zip_open (data, size, "x.zip", &error);
      if (more == 0)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (goban_zip_get_n_members (zip), ==, n);
          continue;
        }
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED);
      g_assert_true (
          g_str_has_prefix (error->message, "x.zip: the zip archive has more than 100000"));
    }
}

static void
test_limit (void)
{
  gsize size;
  g_autofree char *data = load ("two.zip", &size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanZip) zip = goban_zip_open (data, size, "x.zip", &error);

  g_assert_null (goban_zip_unpack (zip, 0, 22, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_assert_nonnull (
      strstr (error->message, "x.zip/a/b.txt: cannot be read: unpacked it is larger"));
}

/* Members of a megabyte of blanks each, packed to a kilobyte. */
static void
test_gzip_bomb (void)
{
  static const struct
  {
    guint n_members;
    gboolean is_read;
  } cases[] = { { 20, TRUE }, { 130, FALSE } };
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
  g_autofree char *blanks = g_malloc (1 << 20);
  char member[8192];
  gsize n_read, n_member;

  memset (blanks, ' ', 1 << 20);
  g_assert_cmpint (g_converter_convert (G_CONVERTER (packer), blanks, 1 << 20, member,
                                        sizeof member, G_CONVERTER_INPUT_AT_END, &n_read, &n_member,
                                        NULL),
                   ==, G_CONVERTER_FINISHED);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GByteArray *packed = g_byte_array_new ();
      g_autoptr (GBytes) bytes = NULL, text = NULL;
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < cases[i].n_members; k++)
        g_byte_array_append (packed, (const guint8 *) member, (guint) n_member);
      bytes = g_byte_array_free_to_bytes (packed);
      text = goban_packed_unpack (bytes, G_MAXUINT32, "x.json.gz", NULL, &error);
      g_assert_cmpint (text != NULL, ==, cases[i].is_read);
      if (cases[i].is_read)
        g_assert_cmpuint (g_bytes_get_size (text), ==, (gsize) cases[i].n_members << 20);
      else
        g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
    }
}

/* Every way of packing, as a graph; damaged data are refused with their name. */
static void
test_packings (void)
{
  static const char *const endings[] = { "zst", "xz", "bz2", "lz4" };
  static const char *const bad[][2] = {
    { "cut-off.zst", "cut-off.zst: the zstd data ends too early" },
    { "bad-sum.zst", "bad-sum.zst: the zstd data is damaged" },
    { "bad-sum.gz", "bad-sum.gz: the gzip data is damaged" },
    { "cut-off.gz", "cut-off.gz: the gzip data ends too early" },
    { "empty.zst", "empty.zst: the file is empty" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *file = g_strconcat ("tests/fuzz/corpus/packed/one.", endings[i], NULL);
      g_autofree char *path = project_path (file);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 1);
      g_assert_cmpstr (goban_graph_get_name (graph), ==, "one");
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *file = g_strconcat ("tests/fuzz/corpus/packed/", bad[i][0], NULL);
      g_autofree char *path = project_path (file);
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_graph_load (path, NULL, NULL, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_true (g_str_has_suffix (error->message, bad[i][1]));
    }
}

/* Members come back under their names as they were; equal members are equal archives. */
static void
test_pack (void)
{
  static const char *const names[] = { "a.npy", "b" };
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) text = g_bytes_new_static ("text", 4);
  GBytes *const members[] = { text, empty };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = goban_zip_pack (names, members, 2, &error);
  g_autoptr (GBytes) again = goban_zip_pack (names, members, 2, NULL);
  g_autoptr (GobanZip) zip = NULL;

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (packed, again));
  zip = goban_zip_open (g_bytes_get_data (packed, NULL), g_bytes_get_size (packed), "x.zip",
                        &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_zip_get_n_members (zip), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GBytes) bytes = goban_zip_unpack (zip, i, 100, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (goban_zip_get_name (zip, i), ==, names[i]);
      g_assert_true (g_bytes_equal (bytes, members[i]));
    }
}

TEST_PROGRAM (packed)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/packed/bomb", test_gzip_bomb);
  g_test_add_func ("/zip/members", test_members);
  g_test_add_func ("/zip/padded", test_padded);
  g_test_add_func ("/io/packed/packings", test_packings);
  g_test_add_func ("/zip/refused", test_refused);
  g_test_add_func ("/zip/too-many", test_too_many);
  g_test_add_func ("/zip/limit", test_limit);
  g_test_add_func ("/zip/pack", test_pack);
  return g_test_run ();
}
