/* export-svg.h: what files of pictures have in common. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* cairo numbers surfaces through the whole process; here anew, so that equal pictures are equal files. (transfer full) */
GByteArray *goban_svg_renumber_surfaces (const GByteArray *svg) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
