/* Programs that are about to be started and that the runtime cannot go along with. */
#ifndef PERDURE_EXEC_TARGET_H
#define PERDURE_EXEC_TARGET_H

/* Says so in the report. Works in a child of vfork and in signal handlers. */
void exec_target_check(int folder, const char *path);
/* The same for a name that is searched for in PATH. */
void exec_target_check_name(const char *name);
/* The same for a file that is open. */
void exec_target_check_file(int fd);

#endif
