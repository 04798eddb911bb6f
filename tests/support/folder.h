/* folder.h: a temporary folder for one test, and its removal. */
#pragma once

#include <glib.h>

/* Removes a folder and all that is in it; what cannot be removed fails the test. */
void remove_folder (const char *path);

/* Number of files and folders in a folder. */
guint folder_count_files (const char *path);

/* The whole file is @expected. */
void assert_file_holds (const char *path, const char *expected);

/* A fixture: a folder, and a path in it where nothing is yet. */
typedef struct
{
  char *folder;
  char *path;
} TestFolder;

/* For g_test_add(). @file_name: what the path ends in. */
void test_folder_set_up (TestFolder *f, gconstpointer file_name);
void test_folder_tear_down (TestFolder *f, gconstpointer file_name);
