// A core of one's own, here a few lines that pretend to be one, has its warp events checked while
// it runs, without a file.
// SPDX-License-Identifier: Apache-2.0
#include <heddle_stream.h>
#include <stream/monitor.h>
#include <iostream>
#include <memory>
#include <sstream>

static hs_header header_of(const char *lines)
{
    hs_header h{};
    char error[HS_ERROR];
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);)
        if (!hs_parse_header(&h, line.c_str(), error))
            throw std::runtime_error(error);
    return h;
}

// Two lanes of four jump; wrong: one of them is forgotten.
static std::string run(bool wrong)
{
    const hs_header h = header_of("core mine\nlanes 4\nwarps 1\nstep 4\nreports start scheduler\n"
                                  "reports issue fetch\nreports park control\n"
                                  "reports wake control\nreports next branches\n"
                                  "reports end control\n");
    std::unique_ptr<hs_monitor, decltype(&hs_monitor_close)> m(hs_monitor_open(&h, 1000),
                                                               hs_monitor_close);
    auto e = std::make_unique<hs_event>();
    auto put = [&](uint32_t kind, uint64_t pc, uint64_t mask) {
        e->kind = kind, e->pc = pc, e->mask = e->active = e->exec = mask, e->cycle++;
        const bool good = hs_monitor_add(m.get(), e.get());
        e->n += kind == HS_ISSUE;
        return good;
    };
    hs_rule rule;
    const bool good = put(HS_RUN, 0, 0) && put(HS_START, 0x100, 15) && put(HS_ISSUE, 0x100, 15) &&
                      put(HS_K_next, 0x200, 15) && put(HS_ISSUE, 0x200, wrong ? 7 : 15) &&
                      put(HS_K_end, 0, 15) && put(HS_FINISH, 0, 0) && hs_monitor_end(m.get());
    return good ? "ok" : std::string(hs_rule_name[(hs_broken(m.get(), &rule), rule)]) + " broken";
}

int main()
{
    const std::string right = run(false), wrong = run(true);
    std::cout << "as it should be: " << right << "; a lane forgotten: " << wrong << "\n";
    return right == "ok" && wrong == "running broken" ? 0 : 1;
}
