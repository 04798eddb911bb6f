/* precompiled.h: headers of all engine sources, precompiled. */
#include <glib.h>
