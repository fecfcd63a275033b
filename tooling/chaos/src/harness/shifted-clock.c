/*
 * A clock that can be set while a program runs: preloaded into PostgreSQL, it adds the microseconds that it finds in the file named by
 * CLOCK_SHIFT_FILE to what the system says. Timers are monotonic and stay as they are, as with a real step of the clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t shift(void) {
  static volatile int64_t *shared;
  if (!shared) {
    const char *file = getenv("CLOCK_SHIFT_FILE");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (page == MAP_FAILED) return 0;
    shared = page;
  }
  return *shared;
}

static struct timespec real_time(void) {
  static int (*real)(clockid_t, struct timespec *);
  struct timespec now;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  real(CLOCK_REALTIME, &now);
  int64_t us = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 + shift();
  now.tv_sec = us / 1000000;
  now.tv_nsec = us % 1000000 * 1000;
  return now;
}

int clock_gettime(clockid_t id, struct timespec *to) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  if (id != CLOCK_REALTIME) return real(id, to);
  *to = real_time();
  return 0;
}

int gettimeofday(struct timeval *to, void *zone) {
  struct timespec now = real_time();
  (void)zone;
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *to) {
  struct timespec now = real_time();
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}
