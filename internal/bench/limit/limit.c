// limit copies, compares or removes a tree by as few system calls as do the work, in two threads. It
// is what other tools are measured against: it checks little, and stops at the first error.
//
//	limit copy SRC DST     contents, modes and modification times; DST is made
//	limit noop SRC DST     looks at what is no directory on both sides; exits 1 if one differs
//	limit delete DST
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

enum { threads = 2, block = 256 * 1024, in_kernel = 64 * 1024 };

// A dir is a directory that waits for a thread, or whose subdirectories are not removed yet.
struct dir {
	struct dir *next, *parent;
	int children; // directories below that still exist, and 1 for the entries themselves
	char path[];  // relative to the roots
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards what follows, and dir.children
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct dir *waiting;
static int unfinished;
static int differs;

static enum { copying, comparing, deleting } job;
static int from, to; // descriptors of the roots; from is that of DST where it is deleted

static void fail(const char *what, const char *name) {
	fprintf(stderr, "limit: %s %s: %s\n", what, name, strerror(errno));
	exit(2);
}

static int same_time(const struct stat *a, const struct stat *b) {
	return a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void put(struct dir *parent, const char *name) {
	size_t size = strlen(name) + 1;
	if (parent)
		size += strlen(parent->path) + 1;
	struct dir *d = malloc(sizeof *d + size);
	if (!d)
		fail("remember", name);
	if (parent && strcmp(parent->path, "."))
		snprintf(d->path, size, "%s/%s", parent->path, name);
	else
		snprintf(d->path, size, "%s", name);
	d->parent = parent;
	d->children = 1;
	pthread_mutex_lock(&lock);
	if (parent)
		parent->children++;
	unfinished++;
	d->next = waiting;
	waiting = d;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static struct dir *take(void) {
	pthread_mutex_lock(&lock);
	while (!waiting && unfinished)
		pthread_cond_wait(&changed, &lock);
	struct dir *d = waiting;
	if (d)
		waiting = d->next;
	pthread_mutex_unlock(&lock);
	return d;
}

// done removes d and what is empty above it if that is the job. Its memory is left to the exit.
static void done(struct dir *d) {
	for (struct dir *e = d; e; e = e->parent) {
		pthread_mutex_lock(&lock);
		int left = --e->children;
		pthread_mutex_unlock(&lock);
		if (left)
			break;
		if (job == deleting && strcmp(e->path, ".") && unlinkat(from, e->path, AT_REMOVEDIR))
			fail("remove", e->path);
	}
	pthread_mutex_lock(&lock);
	if (--unfinished == 0)
		pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void copy_file(int src, int dst, const char *name, char *buffer) {
	struct stat st;
	int in = openat(src, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (in < 0 || fstat(in, &st))
		fail("open", name);
	int out = openat(dst, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 07777);
	if (out < 0)
		fail("create", name);
	off_t left = st.st_size;
#ifdef __linux__
	while (left >= in_kernel) {
		ssize_t n = copy_file_range(in, NULL, out, NULL, left, 0);
		if (n <= 0)
			break;
		left -= n;
	}
#endif
	while (left > 0) {
		ssize_t n = read(in, buffer, left < block ? left : block);
		if (n <= 0)
			fail("read", name);
		if (write(out, buffer, n) != n)
			fail("write", name);
		left -= n;
	}
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, st.st_mtim};
	if (futimens(out, times))
		fail("set times of", name);
	close(in);
	if (close(out))
		fail("close", name);
}

static void copy_link(int src, int dst, const char *name) {
	char text[PATH_MAX];
	ssize_t n = readlinkat(src, name, text, sizeof text - 1);
	if (n < 0)
		fail("read link", name);
	text[n] = 0;
	if (symlinkat(text, dst, name))
		fail("make link", name);
}

static void compare(int src, int dst, const char *name) {
	struct stat a, b;
	if (fstatat(src, name, &a, AT_SYMLINK_NOFOLLOW))
		fail("look at", name);
	if (fstatat(dst, name, &b, AT_SYMLINK_NOFOLLOW) || a.st_mode != b.st_mode ||
	    (S_ISREG(a.st_mode) && (a.st_size != b.st_size || !same_time(&a, &b)))) {
		pthread_mutex_lock(&lock);
		differs = 1;
		pthread_mutex_unlock(&lock);
	}
}

static void entry(struct dir *d, int src, int dst, const struct dirent *e, char *buffer) {
	if (e->d_type == DT_DIR) {
		if (job == copying && mkdirat(dst, e->d_name, 0755))
			fail("make", e->d_name);
		put(d, e->d_name);
	} else if (job == deleting) {
		if (unlinkat(src, e->d_name, 0))
			fail("remove", e->d_name);
	} else if (job == comparing) {
		compare(src, dst, e->d_name);
	} else if (e->d_type == DT_LNK) {
		copy_link(src, dst, e->d_name);
	} else if (e->d_type == DT_REG) {
		copy_file(src, dst, e->d_name, buffer);
	} else {
		errno = ENOTSUP;
		fail("copy", e->d_name);
	}
}

static void *work(void *unused) {
	char *buffer = malloc(block);
	struct dir *d;
	while ((d = take())) {
		int src = openat(from, d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), dst = -1;
		DIR *list = src < 0 ? NULL : fdopendir(src);
		if (!list)
			fail("open", d->path);
		if (job != deleting && (dst = openat(to, d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
			fail("open", d->path);
		struct stat st;
		if (job == copying && fstat(src, &st))
			fail("look at", d->path);
		struct dirent *e;
		for (errno = 0; (e = readdir(list)); errno = 0)
			if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
				entry(d, src, dst, e, buffer);
		if (errno)
			fail("list", d->path);
		// A directory has all its entries, if not theirs, when this thread is done with it.
		struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}};
		if (job == copying && (times[1] = st.st_mtim, futimens(dst, times) || fchmod(dst, st.st_mode & 07777)))
			fail("set times of", d->path);
		closedir(list);
		if (dst >= 0)
			close(dst);
		done(d);
	}
	return unused;
}

static int root(const char *path) {
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fail("open", path);
	return fd;
}

int main(int argc, char **argv) {
	if (argc < 3 || (argc < 4) != !strcmp(argv[1], "delete"))
		return 2;
	job = argc < 4 ? deleting : strcmp(argv[1], "noop") ? copying : comparing;
	umask(0);
	if (job == copying && mkdir(argv[3], 0755))
		fail("make", argv[3]);
	from = root(argv[2]);
	if (job != deleting)
		to = root(argv[3]);
	put(NULL, ".");
	pthread_t thread[threads];
	for (int i = 0; i < threads; i++)
		if ((errno = pthread_create(&thread[i], NULL, work, NULL)))
			fail("start", "a thread");
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	if (job == deleting && rmdir(argv[2]))
		fail("remove", argv[2]);
	return differs;
}
