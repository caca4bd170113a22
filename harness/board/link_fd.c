/* Links that the system has a descriptor for: a recorded stream, a socket, a serial line.
 * SPDX-License-Identifier: Apache-2.0 */
#include "harness/board/link.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

enum { SILENCE = 1500,           /* milliseconds; a board of 25 MHz that lives says so every 3 */
       BAUD = 3000000 };

struct fd_link { struct link link; int fd; };

static bool ready(int fd, short what)
{
    struct pollfd p = { .fd = fd, .events = what };
    int n;
    do
        n = poll(&p, 1, SILENCE);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

static long receive(struct link *l, uint8_t *to, size_t room)
{
    const int fd = ((struct fd_link *)l)->fd;
    if (!l->recorded && !ready(fd, POLLIN))
        return 0;
    const ssize_t n = read(fd, to, room);
    return n > 0 ? n : -1;
}

static bool send_bytes(struct link *l, const uint8_t *bytes, size_t n)
{
    const int fd = ((struct fd_link *)l)->fd;
    for (size_t at = 0; at < n && !l->recorded;) {
        const ssize_t done = ready(fd, POLLOUT) ? write(fd, bytes + at, n - at) : -1;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

static void fd_close(struct link *l)
{
    close(((struct fd_link *)l)->fd);
    free(l);
}

static struct link *make(int fd, bool recorded, const char *what, char *why, size_t room)
{
    struct fd_link *l = fd >= 0 ? calloc(1, sizeof *l) : NULL;
    if (!l) {
        snprintf(why, room, "%s: %s", what, strerror(errno));
        return NULL;
    }
    l->link = (struct link){ .receive = receive, .send = send_bytes, .close = fd_close,
                             .recorded = recorded };
    l->fd = fd;
    return &l->link;
}

struct link *link_file(const char *path, char *why, size_t room)
{
    return make(open(path, O_RDONLY | O_CLOEXEC), true, path, why, room);
}

struct link *link_tcp(const char *rest, char *why, size_t room)
{
    char host[256];
    const char *port = strrchr(rest, ':');
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    int fd = -1;
    if (port)
        snprintf(host, sizeof host, "%.*s", (int)(port - rest), rest);
    const int bad = port ? getaddrinfo(host, port + 1, &hints, &found) : EAI_NONAME;
    if (bad) {
        snprintf(why, room, "tcp:%s: %s (tcp:HOST:PORT)", rest, gai_strerror(bad));
        return NULL;
    }
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
            const int e = errno;
            close(fd);
            fd = -1;
            errno = e;
        }
    }
    freeaddrinfo(found);
    return make(fd, false, rest, why, room);
}

static speed_t speed(unsigned long baud)
{
    static const struct { unsigned long baud; speed_t speed; } known[] = {
        { 115200, B115200 }, { 230400, B230400 }, { 460800, B460800 }, { 921600, B921600 },
        { 1000000, B1000000 }, { 2000000, B2000000 }, { 3000000, B3000000 },
        { 4000000, B4000000 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].baud == baud)
            return known[i].speed;
    return B0;
}

struct link *link_tty(const char *rest, char *why, size_t room)
{
    char path[256];
    const char *at = strrchr(rest, '@');
    const unsigned long baud = at ? strtoul(at + 1, NULL, 10) : BAUD;
    struct termios t;
    snprintf(path, sizeof path, "%.*s", at ? (int)(at - rest) : (int)strlen(rest), rest);
    if (speed(baud) == B0) {
        snprintf(why, room, "tty:%s: no line has %lu baud", rest, baud);
        return NULL;
    }
    const int fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && !tcgetattr(fd, &t)) {
        cfmakeraw(&t);
        cfsetspeed(&t, speed(baud));
        t.c_cflag |= CLOCAL | CREAD;
        tcsetattr(fd, TCSANOW, &t);
        tcflush(fd, TCIOFLUSH);
    }
    return make(fd, false, path, why, room);
}
