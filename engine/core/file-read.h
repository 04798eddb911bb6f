/* file-read.h: reading of whole files of bounded size.
 *
 * Each kind of file has a maximum size, so that an endless stream or a huge file gives a message
 * and does not exhaust memory. Devices other than terminals are refused at once. Pipes and standard
 * input are read in pieces; reading can be cancelled between them. Only regular files are read if
 * the read cannot be cancelled, because a pipe may wait for ever, or if the path comes from another
 * file.
 *
 * The most, by kind:
 *   graph    2 GiB    what a protobuf message may have; some eight million nodes of our JSON
 *   cluster  64 MiB   some 400,000 links
 *   plan     256 MiB  some three million nodes
 *   session  512 MiB  the graph's nodes with several plans
 *   suite    16 MiB   written by people
 *   journal  1 GiB    a line per cell, with its learning curve
 *   network  256 MiB
 *   run      1 GiB    a training's networks with their moments, and its curriculum
 *   text     64 MiB   scripts, and what scripts read
 *
 * The byte order mark of UTF-8 is no part of a text; a text in UTF-16 or UTF-32 is refused by that
 * name.
 *
 * Decision E36 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"

typedef enum
{
  GOBAN_FILE_GRAPH,
  GOBAN_FILE_CLUSTER,
  GOBAN_FILE_PLAN,
  GOBAN_FILE_SESSION,
  GOBAN_FILE_SUITE,
  GOBAN_FILE_JOURNAL,
  GOBAN_FILE_NETWORK,
  GOBAN_FILE_RUN,
  GOBAN_FILE_TEXT,
} GobanFileKind;

typedef struct
{
  GobanFileKind kind;
  /* the path comes from a file, not from the user; "-" is an ordinary name */
  gboolean only_regular;
  gsize most_bytes;              /* 0: the kind's */
  const GobanProgress *progress; /* (nullable): the program's, goban_file_set_progress() */
} GobanFileReading;

/* Maximum size of a file of that kind. */
gsize goban_file_get_most (GobanFileKind kind);

/**
 * goban_file_read:
 * @path: a path, or "-" for standard input
 *
 * Returns: (transfer full) (nullable): the bytes, with a zero behind them; or %NULL with
 *   %GOBAN_ERROR_IO set; with %GOBAN_ERROR_CANCELLED if the progress was cancelled
 */
GBytes *goban_file_read (const char *path, GobanFileKind kind,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same with all options. */
GBytes *goban_file_read_with (const char *path, const GobanFileReading *reading,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Cuts the byte order mark off a text that did not come from here, such as an unpacked one. %NULL
 * with %GOBAN_ERROR_UNSUPPORTED set for UTF-16; the zero behind the bytes stays. */
GBytes *goban_file_enter_text (GBytes *bytes, const char *origin,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Returns the whole pages between the two pointers to the system; their contents are lost. For
 * readers of a large text that do not need the part already read. */
void goban_file_forget (const char *from, const char *to);

/* Sets the progress of reads that have none of their own, such as the command line's, for its
 * signals. @progress is borrowed for the life of the program; to be called before there are
 * threads. */
void goban_file_set_progress (const GobanProgress *progress);
