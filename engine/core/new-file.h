/* new-file.h: a new file that replaces another one atomically, and leaves nothing behind if the
 * process dies.
 *
 * The file has no name until it is committed (O_TMPFILE), so that a killed program leaves no
 * half-written file. Where a file system cannot do that, and for the moment between naming and
 * renaming, it is called ".goban-RANDOM.tmp" beside its target and is locked while its writer
 * lives. The first file that a process begins in a folder removes those of dead writers there. Any
 * thread; one file belongs to one thread.
 */
#pragma once

#include <glib.h>

typedef struct _GobanNewFile GobanNewFile;

typedef enum
{
  GOBAN_NEW_FILE_DEFAULT = 0,
  GOBAN_NEW_FILE_NAMED = 1 << 0, /* force the method for file systems without O_TMPFILE */
} GobanNewFileFlags;

/**
 * goban_new_file_begin:
 * @target: the path of the file to replace or create (checked-path.h)
 * @fd: (out): descriptor for writing; closed by goban_new_file_free()
 *
 * An old file's permissions are kept; a new file has those that the umask allows.
 *
 * Returns: (transfer full) (nullable): %NULL with errno set
 */
GobanNewFile *goban_new_file_begin (const char *target, GobanNewFileFlags flags,
                                    int *fd) G_GNUC_WARN_UNUSED_RESULT;

/* Syncs the file to disk, then replaces the target; %FALSE with errno set. */
gboolean goban_new_file_commit (GobanNewFile *self);

/* From now on files are written, and thrown away when they are committed: of a process that repeats
 * what another one does. Any thread. */
void goban_new_files_discard (gboolean discards);

/* Deletes the file unless it was committed. */
void goban_new_file_free (GobanNewFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNewFile, goban_new_file_free)
