/* Runs a command and prints the most memory, in KB, that it or one of its children had resident.
 * use: peak FILE COMMAND...     into FILE; ends with the command's status
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status;
    struct rusage used;
    FILE *out = argc > 2 ? fopen(argv[1], "w") : NULL;
    if (!out)
        return fprintf(stderr, "use: peak FILE COMMAND...\n"), 127;
    const pid_t child = fork();
    if (!child) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return perror(argv[2]), 127;
    getrusage(RUSAGE_CHILDREN, &used);               /* with those that they have waited for */
    fprintf(out, "%ld\n", used.ru_maxrss);
    if (fclose(out))
        return perror(argv[1]), 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
