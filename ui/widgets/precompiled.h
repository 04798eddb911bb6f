/* precompiled.h: headers of nearly all sources of the window, precompiled. */
#include <gtk/gtk.h>
