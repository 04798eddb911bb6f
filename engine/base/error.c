#include "engine/base/error.h"

G_DEFINE_QUARK (goban_error_quark, goban_error)
