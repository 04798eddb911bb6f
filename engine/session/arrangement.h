/* arrangement.h: layout of the nodes of a picture, and its name in scripts. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Layout of the nodes. */
typedef enum
{
  GOBAN_ARRANGE_AUTO,    /* layered, or wrapped if that would be much longer than wide */
  GOBAN_ARRANGE_LAYERED, /* producers above consumers */
  GOBAN_ARRANGE_WRAPPED, /* the same in columns */
  GOBAN_ARRANGE_LANES,   /* x is when an op starts, y its device: the current run's schedule */
  GOBAN_N_ARRANGEMENTS
} GobanArrangement;

/* Names in scripts and files: "wrapped"; find: %FALSE if there is no such name. */
const char *goban_arrangement_name (GobanArrangement arrangement);
gboolean goban_arrangement_find (const char *name, GobanArrangement *arrangement);

G_END_DECLS
