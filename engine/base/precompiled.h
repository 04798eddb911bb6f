/* precompiled.h: what every source of the engine includes, compiled once. */
#include <glib.h>
