/* What is taken out of PTX text.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"

static const char source[] = "\t.file 1 \"a.cu\"\n"
                             ".global .u32 g; // .entry none()\n"
                             ".entry one(.param .u32 n);\n"
                             ".func (.reg .u32 r) f() { ret; }\n"
                             ".visible .entry one(\n.param .u32 n\n)\n{\n"
                             "\t.local .b8 depot[8];\n\t.loc\t1 2 3\n\tret;\n}\n"
                             ".visible .entry two()\n{\n\t{ .loc 1 4 5\n\t}\n\tret;\n}\n"
                             "// end\n";

static void only(const char *kernel, const char *want)
{
    char *text = strdup(source);
    ptx_only(text, kernel);
    assert_string_equal(text, want);
    free(text);
}

static void kernels(void **state)
{
    (void)state;
    only("one", ".global .u32 g; // .entry none()\n"
                ".entry one(.param .u32 n);\n"
                ".func (.reg .u32 r) f() { ret; }\n"
                ".visible .entry one(\n.param .u32 n\n)\n{\n"
                "\t.local .b8 depot[8];\n\tret;\n}\n"
                "\n"
                "// end\n");
    only("two", ".global .u32 g; // .entry none()\n"
                "\n"
                ".func (.reg .u32 r) f() { ret; }\n"
                "\n"
                ".visible .entry two()\n{\n\t{ .loc 1 4 5\n\t}\n\tret;\n}\n"
                "// end\n");
    only("none", ".global .u32 g; // .entry none()\n"
                 "\n"
                 ".func (.reg .u32 r) f() { ret; }\n"
                 "\n"
                 "\n"
                 "// end\n");
}

static void places(void **state)
{
    (void)state;
    only(NULL, ".global .u32 g; // .entry none()\n"
               ".entry one(.param .u32 n);\n"
               ".func (.reg .u32 r) f() { ret; }\n"
               ".visible .entry one(\n.param .u32 n\n)\n{\n"
               "\t.local .b8 depot[8];\n\tret;\n}\n"
               ".visible .entry two()\n{\n\t{ .loc 1 4 5\n\t}\n\tret;\n}\n"
               "// end\n");
}

static void line(void **state)
{
    (void)state;
    char *text = strdup(source), *name = ptx_prune(text, 14);
    assert_string_equal(name, "two");
    assert_null(strstr(text, ".entry two"));
    assert_non_null(strstr(text, ".visible .entry one"));
    assert_int_equal(strlen(text), strlen(source));
    assert_null(ptx_prune(text, 2));
    free(name);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(kernels), cmocka_unit_test(places),
                                        cmocka_unit_test(line) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
