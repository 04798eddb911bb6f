/* new-file.h: a file under construction that replaces another one whole, and leaves nothing behind if its writer dies.
 *
 * The file has no name until it is committed (O_TMPFILE), so that a killed program leaves no half-written file. Where a
 * file system cannot do that, and for the moment between naming and renaming, it is called ".goban-RANDOM.tmp" beside
 * its target and is locked while its writer lives. The first file that a process begins in a folder removes those of
 * dead writers there. Any thread; one file belongs to one thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GobanNewFile GobanNewFile;

typedef enum
{
  GOBAN_NEW_FILE_DEFAULT = 0,
  GOBAN_NEW_FILE_NAMED = 1 << 0, /* as on a file system without O_TMPFILE */
} GobanNewFileFlags;

/**
 * goban_new_file_begin:
 * @target: what is to be replaced or made, not a link
 * @fd: (out): where to write; closed by goban_new_file_free()
 *
 * An old file's permissions are kept; a new file has those that the umask allows.
 *
 * Returns: (transfer full) (nullable): %NULL with errno set
 */
GobanNewFile *goban_new_file_begin (const char *target, GobanNewFileFlags flags,
                                    int *fd) G_GNUC_WARN_UNUSED_RESULT;

/* Puts the file in its place, on the disk before the old one goes; %FALSE with errno set. */
gboolean goban_new_file_commit (GobanNewFile *self);

/* Removes the file unless it was committed. */
void goban_new_file_free (GobanNewFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNewFile, goban_new_file_free)

G_END_DECLS
