/* A paper's claims: those that differ must be the ones that the file names, all of them and no
 * others.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/claims.h"

/* a.one and a.two hold, a.three differs. */
static struct claims three(void)
{
    struct claims c = { .paper = "paper-x", .yes = "holds" };
    claim(&c, "a", "one", "1", true, "%d", 1);
    claim(&c, "a", "two", "2", true, "%d", 2);
    claim(&c, "a", "three", "3", false, "%d", 4);
    return c;
}

static bool as_known(const struct claims *c, const char *text, const char *where)
{
    char path[] = "/tmp/claimsXXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    bool ok = claims_as_known(c, path, where);
    unlink(path);
    return ok;
}

static void lists(void **state)
{
    (void)state;
    struct claims c = three(), none = { .paper = "paper-x", .yes = "holds" };
    assert_true(as_known(&c, "# why\n\na.three core because\n", "core"));
    assert_true(as_known(&c, "a.three both because\n", "model"));
    assert_true(as_known(&c, "a.three core because\na.two model because\n", "core"));
    /* differs, but is not known to */
    assert_false(as_known(&c, "a.three core because\n", "model"));
    assert_false(as_known(&c, "", "core"));
    /* known to, but holds */
    assert_false(as_known(&c, "a.two both because\na.three both because\n", "core"));
    /* no such claim */
    assert_false(as_known(&c, "a.four both because\na.three both because\n", "core"));
    assert_false(as_known(&c, "a.three\n", "core"));
    assert_false(as_known(&c, "a.three cores because\n", "core"));
    /* both: core and model */
    assert_true(as_known(&c, "a.two both because\na.three h200 because\n", "h200"));
    assert_false(as_known(&c, "a.three both because\n", "h200"));
    assert_false(as_known(&c, "a.three h200 because\n", "model"));
    assert_false(as_known(&none, "", "core"));                           /* nothing was claimed */
    assert_false(claims_as_known(&c, "/nonexistent/differs.txt", "core"));
    c.n = CLAIMS_MAX + 1;
    assert_false(as_known(&c, "a.three both because\n", "core"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(lists) };
    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
