/* precompiled.h: what nearly every source of the window includes, compiled once. */
#include <gtk/gtk.h>
