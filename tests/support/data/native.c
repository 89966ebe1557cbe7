/* What native code could attempt in the sandbox of a script: each act is said to be done (1) or refused (0). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *thread(void *_) { return _; }
int main(int count, char **arguments) {
    char *program = arguments[0];
    int pair[64] = {0}, file = open("data.txt", O_RDONLY), other = open("data.txt", O_RDONLY);
    pthread_t id;
    setvbuf(stdout, 0, _IONBF, 0);
    printf("open: %d, start a thread: %d\n", file >= 0, pthread_create(&id, 0, thread, 0) == 0);
    printf("execute memory: %d\n", mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    printf("execute a file: %d\n", mmap(0, 4096, 5, MAP_PRIVATE, other, 0) != MAP_FAILED);
    /* attempts */
}
