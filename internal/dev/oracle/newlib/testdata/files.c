/* Files under the root the host allows: write, append, seek, read back, remove, and what is refused. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char line[80];
    FILE *f = fopen("out.txt", "w");
    if (!f) { printf("cannot write\n"); return 1; }
    for (int i = 0; i < 100; i++) fprintf(f, "line %d\n", i);
    fclose(f);
    f = fopen("out.txt", "a");
    fputs("appended\n", f);
    fclose(f);
    f = fopen("out.txt", "r");
    int lines = 0;
    while (fgets(line, sizeof line, f)) lines++;
    printf("%d lines, last %s", lines, line);
    fseek(f, 7, SEEK_SET);
    fgets(line, sizeof line, f);
    printf("at 7: %s", line);
    fseek(f, -9, SEEK_END);
    fgets(line, sizeof line, f);
    printf("near the end: %s", line);
    printf("size %ld\n", ftell(f));
    fclose(f);
    struct stat st;
    int fd = open("out.txt", O_RDONLY);
    printf("fstat %d", fstat(fd, &st));
    printf(" size %ld regular %d\n", (long)st.st_size, S_ISREG(st.st_mode) != 0);
    close(fd);
    printf("excl %d", open("out.txt", O_WRONLY | O_CREAT | O_EXCL, 0644));
    printf(" errno %d\n", errno == EEXIST);
    printf("remove %d\n", remove("out.txt"));
    printf("gone %d", fopen("out.txt", "r") == NULL);
    printf(" errno %d\n", errno == ENOENT);
    return 0;
}
