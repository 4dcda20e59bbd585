/* Preloaded into a process, notes what it asks of the disk below one folder, in order: writes, truncations, syncs, names.
 *
 * DISKRECORD_FOLDER  the folder
 * DISKRECORD_LOG     where the notes go; without it nothing is noted
 * DISKRECORD_ROOM    how many bytes files may grow from when it is set; then the disk is full (looked at anew at each write)
 * DISKRECORD_SYNC    "fails": no sync succeeds (looked at anew at each sync)
 *
 * A note is one letter, then three fields, each with its length before it in 8 bytes: path, other path or position, data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 1024
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char *paths[FILES];
static long long grown;

static int watched(const char *path) {
    const char *folder = getenv("DISKRECORD_FOLDER");
    return folder && path && !strncmp(path, folder, strlen(folder)) && !strstr(path, "-shm");
}

static void put(int log, const void *data, uint64_t size) {
    (void)!syscall(SYS_write, log, &size, sizeof size);
    if (size) (void)!syscall(SYS_write, log, data, size);
}

static void note(char what, const char *path, const void *other, size_t other_size, const void *data, size_t size) {
    static int log = -1;
    int before = errno;
    if (log < 0 && getenv("DISKRECORD_LOG"))
        log = syscall(SYS_openat, AT_FDCWD, getenv("DISKRECORD_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log >= 0) {
        (void)!syscall(SYS_write, log, &what, 1);
        put(log, path, strlen(path));
        put(log, other, other_size);
        put(log, data, size);
    }
    errno = before;
}

static const char *path_of(int file) { return file >= 0 && file < FILES ? paths[file] : NULL; }

static int opened(int file, const char *path, int flags, int was_there) {
    if (file < 0 || file >= FILES || !watched(path)) return file;
    free(paths[file]);
    paths[file] = strdup(path);
    if (!was_there) note('c', path, "", 0, "", 0);
    if (was_there && (flags & O_TRUNC)) {
        uint64_t none = 0;
        note('t', path, &none, sizeof none, "", 0);
    }
    return file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        int was_there = access(path, F_OK) == 0; \
        return opened(REAL(name)(path, flags, mode), path, flags, was_there); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        int was_there = access(path, F_OK) == 0; \
        return opened(REAL(name)(folder, path, flags, mode), path, flags, was_there); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
    if (path_of(file)) {
        free(paths[file]);
        paths[file] = NULL;
    }
    return REAL(close)(file);
}

static int no_room(int file, uint64_t position, size_t size) {
    struct stat status;
    const char *room = getenv("DISKRECORD_ROOM");
    if (!path_of(file) || fstat(file, &status)) return 0;
    long long more = (long long)(position + size) - status.st_size;
    static char last[32];
    if (strncmp(room ? room : "", last, sizeof last - 1)) {
        strncpy(last, room ? room : "", sizeof last - 1);
        grown = 0;
    }
    if (more <= 0) return 0;
    if (room && grown + more > atoll(room)) {
        errno = ENOSPC;
        return 1;
    }
    grown += more;
    return 0;
}

static ssize_t written(int file, const void *data, ssize_t size, uint64_t position) {
    if (size > 0 && path_of(file)) note('w', path_of(file), &position, sizeof position, data, size);
    return size;
}

ssize_t write(int file, const void *data, size_t size) {
    struct stat status;
    off_t position = 0;
    if (path_of(file)) {
        position = lseek(file, 0, SEEK_CUR);
        if ((fcntl(file, F_GETFL) & O_APPEND) && !fstat(file, &status)) position = status.st_size;
        if (no_room(file, position, size)) return -1;
    }
    return written(file, data, REAL(write)(file, data, size), position);
}

#define PWRITE(name) \
    ssize_t name(int file, const void *data, size_t size, __typeof__((off_t)0) position) { \
        if (no_room(file, position, size)) return -1; \
        return written(file, data, REAL(name)(file, data, size, position), position); \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

#define FTRUNCATE(name) \
    int name(int file, __typeof__((off_t)0) size) { \
        uint64_t length = size; \
        int found = REAL(name)(file, size); \
        if (!found && path_of(file)) note('t', path_of(file), &length, sizeof length, "", 0); \
        return found; \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define SYNC(name) \
    int name(int file) { \
        const char *how = getenv("DISKRECORD_SYNC"); \
        if (path_of(file) && how && !strcmp(how, "fails")) { errno = EIO; return -1; } \
        int found = REAL(name)(file); \
        if (!found && path_of(file)) note('s', path_of(file), "", 0, "", 0); \
        return found; \
    }
SYNC(fsync)
SYNC(fdatasync)

static int named(int found, char what, const char *old, const char *new) {
    if (!found && (watched(old) || watched(new))) note(what, old, new, strlen(new), "", 0);
    return found;
}

int rename(const char *old, const char *new) { return named(REAL(rename)(old, new), 'r', old, new); }
int renameat(int a, const char *old, int b, const char *new) { return named(REAL(renameat)(a, old, b, new), 'r', old, new); }
int link(const char *old, const char *new) { return named(REAL(link)(old, new), 'l', old, new); }
int linkat(int a, const char *old, int b, const char *new, int flags) {
    return named(REAL(linkat)(a, old, b, new, flags), 'l', old, new);
}
int unlink(const char *path) { return named(REAL(unlink)(path), 'u', path, ""); }
int unlinkat(int folder, const char *path, int flags) { return named(REAL(unlinkat)(folder, path, flags), 'u', path, ""); }
