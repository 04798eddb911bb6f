/* precompiled.h: headers of nearly all sources that know GIO and no GTK, precompiled. */
#include <gio/gio.h>
