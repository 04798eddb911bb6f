/* npy.h: arrays of numbers as NumPy writes them: .npy, format 1.0 (numpy.lib.format).
 *
 * A file is "\x93NUMPY", the version, the length of a header and the header, a Python dictionary of
 * descr, fortran_order and shape, padded to 64 bytes; then the numbers. Written are doubles of one
 * dimension. Read are whole and real numbers and truth values of one dimension, little-endian.
 */
#pragma once

#include <glib.h>

/* (transfer full): the file's bytes. */
GBytes *goban_npy_write (const double *values, gsize n) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_npy_read:
 * @origin: names the data in messages
 * @n: (out): how many numbers
 *
 * Returns: (transfer full) (nullable): the numbers, with room for one more; %NULL with
 *   %GOBAN_ERROR_PARSE set if the data are damaged, %GOBAN_ERROR_UNSUPPORTED for what is not read
 */
double *goban_npy_read (const char *data, gsize size, const char *origin, gsize *n,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
