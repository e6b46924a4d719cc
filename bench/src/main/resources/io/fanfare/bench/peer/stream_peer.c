/*
 * What a server of streams is measured against: accepts connections, answers each with the head of an endless response, and then writes the same events to all of them, as chunks
 * of server-sent events. No log, no parsing, no filters, nothing for who comes late. One thread, epoll.
 *
 *   peer TICK_MILLIS      prints the port it listens on (loopback), then reads orders from standard input, one a line:
 *   EVENTS PER_SECOND     writes that many events, due at that rate, to all who are connected; prints "done"
 *
 * What is due within a tick is one chunk, put once into a ring that everybody is served from; a connection is a place in the ring.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { FDS_MAX = 20000, RING_BYTES = 64 << 20, BODY_BYTES = 600, TURN_EVENTS = 1000, FRAME_MAX = 1024 };

static const char HEAD[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

static char ring[RING_BYTES];
static uint64_t tip;               /* bytes ever put into the ring */
static uint64_t sent_to[FDS_MAX];  /* place of each connection */
static char streaming[FDS_MAX];
static int fd_max;

static int64_t nanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void put(const char *bytes, size_t length) {
  size_t at = tip % RING_BYTES, first = RING_BYTES - at < length ? RING_BYTES - at : length;
  memcpy(ring + at, bytes, first);
  memcpy(ring, bytes + first, length - first);
  tip += length;
}

/* As far as the socket takes it; epoll tells when it takes more. */
static void serve(int fd) {
  while (sent_to[fd] < tip) {
    if (tip - sent_to[fd] > RING_BYTES) {
      fprintf(stderr, "a reader is further behind than the ring is long\n");
      exit(1);
    }
    size_t at = sent_to[fd] % RING_BYTES, length = tip - sent_to[fd];
    if (length > RING_BYTES - at) length = RING_BYTES - at;
    ssize_t n = send(fd, ring + at, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno != EAGAIN) { streaming[fd] = 0; close(fd); }
      return;
    }
    sent_to[fd] += n;
  }
}

static void put_events(int64_t from, int64_t to, int64_t begin, double per_second) {
  static char chunk[TURN_EVENTS * FRAME_MAX];
  static char body[BODY_BYTES + 1];
  static int64_t seq;
  size_t length = 0;
  for (int64_t i = from; i < to; i++) {
    int64_t due = begin + (int64_t)(i / per_second * 1e9);
    int n = snprintf(body, sizeof body, "{\"stamp\":\"~%019lld\",\"text\":\"", (long long)due);
    memset(body + n, 'x', BODY_BYTES - n - 2);
    memcpy(body + BODY_BYTES - 2, "\"}", 3);
    length += sprintf(chunk + length, "id: 0badcafe-%lld\nevent: status\ndata: %s\n\n", (long long)++seq, body);
  }
  char size[16];
  put(size, sprintf(size, "%zx\r\n", length));
  put(chunk, length);
  put("\r\n", 2);
  for (int fd = 0; fd <= fd_max; fd++) {
    if (streaming[fd]) serve(fd);
  }
}

static void receive(int fd) {
  char request[4096];
  ssize_t n = recv(fd, request, sizeof request, MSG_DONTWAIT);
  if (n == 0 || (n < 0 && errno != EAGAIN)) {
    streaming[fd] = 0;
    close(fd);
  } else if (n > 0 && !streaming[fd]) {
    streaming[fd] = 1;
    sent_to[fd] = tip;
    if (send(fd, HEAD, sizeof HEAD - 1, MSG_NOSIGNAL) < 0) fail("send");
  }
}

int main(int argc, char **argv) {
  int tick = argc > 1 ? atoi(argv[1]) : 5;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) fail("listen");
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = 0;
  epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);

  int64_t events = 0, done = 0, begin = 0, tick_nanos = (int64_t)tick * 1000000, next = 0;
  double per_second = 1;
  for (;;) {
    static struct epoll_event ready[512];
    int wait = -1;
    if (done < events) {
      int64_t left = next - nanos();
      wait = left <= 0 ? 0 : (int)((left + 999999) / 1000000);
    }
    int n = epoll_wait(epoll, ready, 512, wait);
    for (int i = 0; i < n; i++) {
      int fd = ready[i].data.fd;
      if (fd == listener) {
        int stream;
        while ((stream = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          if (stream >= FDS_MAX) { close(stream); continue; }
          if (stream > fd_max) fd_max = stream;
          struct epoll_event on = {.events = EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, .data.fd = stream};
          epoll_ctl(epoll, EPOLL_CTL_ADD, stream, &on);
        }
      } else if (fd == 0) {
        char order[128];
        if (!fgets(order, sizeof order, stdin)) return 0;
        long long count;
        if (sscanf(order, "%lld %lf", &count, &per_second) != 2) fail("order");
        events = count;
        done = 0;
        begin = nanos();
        next = begin;
      } else {
        if (ready[i].events & EPOLLIN) receive(fd);
        if (streaming[fd]) serve(fd);
      }
    }
    int64_t now = nanos();
    if (done < events && now >= next) {
      int64_t due = (int64_t)((now - begin) / 1e9 * per_second) + 1;
      if (due > events) due = events;
      while (done < due) {
        int64_t to = due - done > TURN_EVENTS ? done + TURN_EVENTS : due;
        put_events(done, to, begin, per_second);
        done = to;
      }
      next = now + tick_nanos;
      if (done == events) {
        printf("done\n");
        fflush(stdout);
      }
    }
  }
}
