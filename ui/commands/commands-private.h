/* commands-private.h: the object of ui/commands/commands.h, for the files with its handlers. */
#pragma once

#include "engine/session/session-scenes.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/study/run/parallel-order.h"
#include "ui/commands/commands.h"

/* The neighbours of a node, selected one after the other. */
typedef struct
{
  GobanNodeId from; /* the node, or GOBAN_NO_NODE */
  guint at;
  gboolean is_on; /* the present change of the selection comes from the walk */
} GobanNeighbourWalk;

/* Placement on a cluster that the session does not have yet. */
typedef struct
{
  char *policy; /* (nullable): places the graph if no plan fits the cluster */
  GobanCluster *cluster;
} GobanWantedCluster;

/* Open ones, else NULL. */
typedef struct
{
  GtkWidget *glossary;
  GtkWidget *measure;     /* kept hidden while its order is measured */
  GtkWidget *parallel;    /* kept hidden while its order is carried out */
  GobanParallelKind kind; /* of that order */
} GobanCommandDialogs;

struct _GobanCommands
{
  GObject parent;

  GobanSite site;
  GobanCommandParts parts; /* and what they are made of, borrowed: */
  GobanPictures *pictures;
  GobanTimelineView *timeline;
  GobanLowerPane *lower;
  GobanComparePage *compare;
  GobanPlanList *plans;
  GobanInspector *inspector;
  GobanDecisionPlayer *player;
  GobanDecisionCard *card;
  GobanDecisionRecord *record;
  GobanSessionScenes *scenes; /* the session's */
  GobanLessonState *lesson;   /* the session's */

  gboolean is_armed;   /* a digit has chosen the option of a decision that Enter plays */
  guint device_key_id; /* after the key D: for the digit of the device */
  GobanNeighbourWalk walk;
  GobanWantedCluster wanted;
  GobanCommandDialogs dialogs;
  GobanJob *filming; /* (nullable): writes a film of a training */
};

/* Connect the handlers of a file, once the parts are there. */
void goban_commands_connect_lessons (GobanCommands *self);
void goban_commands_connect_models (GobanCommands *self);
void goban_commands_connect_selection (GobanCommands *self);
void goban_commands_connect_time (GobanCommands *self);
void goban_commands_connect_training (GobanCommands *self);

/* Whether the playback keys apply to the decisions, and not to the timeline. */
gboolean goban_commands_are_for_decisions (GobanCommands *self);
