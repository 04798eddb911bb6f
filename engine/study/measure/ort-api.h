/* ort-api.h: the part of ONNX Runtime's C interface that measurements use.
 *
 * Private to engine/study/measure. The interface is a table of functions that only grows: a
 * function keeps its slot in all later versions, and the slots below are those of version 5 (ONNX
 * Runtime 1.5) and everything after it. Gaps are functions that are not used. A function that can
 * fail returns a status, which is %NULL on success.
 */
#pragma once

#include <glib.h>

#define ORT_API_VERSION 5

typedef struct _OrtStatus OrtStatus;
typedef struct _OrtEnv OrtEnv;
typedef struct _OrtSession OrtSession;
typedef struct _OrtSessionOptions OrtSessionOptions;
typedef struct _OrtRunOptions OrtRunOptions;
typedef struct _OrtValue OrtValue;
typedef struct _OrtAllocator OrtAllocator;
typedef struct _OrtMemoryInfo OrtMemoryInfo;
typedef struct _OrtShapeInfo OrtShapeInfo;

enum
{
  ORT_LOG_FATAL = 4,    /* messages of the library itself on standard error */
  ORT_OPTIMIZE_NONE = 0 /* each node of the model is a kernel */
};

typedef struct
{
  gpointer skip_0[2];
  const char *(*get_error_message) (const OrtStatus *status);
  OrtStatus *(*create_env) (int log_level, const char *name, OrtEnv **env);
  gpointer skip_4[4];
  OrtStatus *(*create_session_from_array) (const OrtEnv *env, const void *model, gsize size,
                                           const OrtSessionOptions *options, OrtSession **session);
  /* @outputs: a %NULL is allocated, any other value is written to. */
  OrtStatus *(*run) (OrtSession *session, const OrtRunOptions *options,
                     const char *const *input_names, const OrtValue *const *inputs, gsize n_inputs,
                     const char *const *output_names, gsize n_outputs, OrtValue **outputs);
  OrtStatus *(*create_session_options) (OrtSessionOptions **options);
  gpointer skip_11[3];
  OrtStatus *(*enable_profiling) (OrtSessionOptions *options, const char *path_prefix);
  gpointer skip_15[8];
  OrtStatus *(*set_optimization_level) (OrtSessionOptions *options, int level);
  OrtStatus *(*set_intra_op_threads) (OrtSessionOptions *options, int n);
  OrtStatus *(*set_inter_op_threads) (OrtSessionOptions *options, int n);
  gpointer skip_26[22];
  OrtStatus *(*create_tensor) (OrtAllocator *allocator, const gint64 *dims, gsize n_dims, int type,
                               OrtValue **value);
  gpointer skip_49[1];
  OrtStatus *(*is_tensor) (const OrtValue *value, int *is_tensor);
  OrtStatus *(*get_tensor_data) (OrtValue *value, void **data);
  gpointer skip_52[8];
  OrtStatus *(*get_element_type) (const OrtShapeInfo *info, int *type);
  OrtStatus *(*get_n_dims) (const OrtShapeInfo *info, gsize *n);
  OrtStatus *(*get_dims) (const OrtShapeInfo *info, gint64 *dims, gsize n);
  gpointer skip_63[2];
  OrtStatus *(*get_shape_info) (const OrtValue *value, OrtShapeInfo **info);
  gpointer skip_66[10];
  OrtStatus *(*allocator_free) (OrtAllocator *allocator, void *memory);
  gpointer skip_77[1];
  OrtStatus *(*get_allocator) (OrtAllocator **allocator); /* not to be released */
  gpointer skip_79[13];
  void (*release_env) (OrtEnv *env);
  void (*release_status) (OrtStatus *status);
  gpointer skip_94[1];
  void (*release_session) (OrtSession *session);
  void (*release_value) (OrtValue *value);
  gpointer skip_97[2];
  void (*release_shape_info) (OrtShapeInfo *info);
  void (*release_session_options) (OrtSessionOptions *options);
  gpointer skip_101[9];
  OrtStatus *(*end_profiling) (OrtSession *session, OrtAllocator *allocator, char **path);
  gpointer skip_111[19];
  OrtStatus *(*add_config_entry) (OrtSessionOptions *options, const char *key, const char *value);
} OrtTable;

/* Result of the library's only symbol, OrtGetApiBase(). */
typedef struct
{
  /* (nullable): %NULL for a version that is newer than the library */
  const OrtTable *(*get_table) (guint32 version);
  const char *(*get_version) (void);
} OrtBase;

#define ORT_CHECK_SLOT(name, slot)                                                                 \
  G_STATIC_ASSERT (G_STRUCT_OFFSET (OrtTable, name) == (slot) * sizeof (gpointer))

ORT_CHECK_SLOT (get_error_message, 2);
ORT_CHECK_SLOT (create_env, 3);
ORT_CHECK_SLOT (create_session_from_array, 8);
ORT_CHECK_SLOT (run, 9);
ORT_CHECK_SLOT (create_session_options, 10);
ORT_CHECK_SLOT (enable_profiling, 14);
ORT_CHECK_SLOT (set_optimization_level, 23);
ORT_CHECK_SLOT (set_intra_op_threads, 24);
ORT_CHECK_SLOT (set_inter_op_threads, 25);
ORT_CHECK_SLOT (create_tensor, 48);
ORT_CHECK_SLOT (is_tensor, 50);
ORT_CHECK_SLOT (get_tensor_data, 51);
ORT_CHECK_SLOT (get_element_type, 60);
ORT_CHECK_SLOT (get_n_dims, 61);
ORT_CHECK_SLOT (get_dims, 62);
ORT_CHECK_SLOT (get_shape_info, 65);
ORT_CHECK_SLOT (allocator_free, 76);
ORT_CHECK_SLOT (get_allocator, 78);
ORT_CHECK_SLOT (release_env, 92);
ORT_CHECK_SLOT (release_status, 93);
ORT_CHECK_SLOT (release_session, 95);
ORT_CHECK_SLOT (release_value, 96);
ORT_CHECK_SLOT (release_shape_info, 99);
ORT_CHECK_SLOT (release_session_options, 100);
ORT_CHECK_SLOT (end_profiling, 110);
ORT_CHECK_SLOT (add_config_entry, 130);
