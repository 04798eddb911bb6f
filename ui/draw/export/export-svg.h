/* export-svg.h: canonical ids for exported SVG, so that equal pictures are equal files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* cairo numbers surfaces and images through the whole process, as in id="surface5". Renumbers them
 * in the order in which they appear, so that equal pictures are equal files. (transfer full) */
GByteArray *goban_svg_renumber (const GByteArray *svg) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
