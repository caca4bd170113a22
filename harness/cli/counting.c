/* A launch whose block counts are wanted; and names for its blocks.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block is named by its function and, where that was compiled just now, by the block of
 * --show=cfg in which its first instruction stood; else by its offset. */
#include "harness/cli/counting.h"
#include "harness/process/stop.h"
#include "cmodel/base/spill.h"
#include <stdlib.h>
#include <string.h>

static const char *base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *block_name(const struct hd_image *img, const struct cc_map *map, uint32_t pc)
{
    uint32_t off = 0, at = pc / HD_INSN_BYTES;
    unsigned line = 0;
    const char *file = "", *fn = hd_image_func(img, pc, &off);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    hd_image_line(img, pc, &file, &line);
    if (map && at < map->npcs && map->pcs[at].blk >= 0)
        fprintf(f, "%s block %d", map->fns[map->pcs[at].fn].name, map->pcs[at].blk);
    else
        fprintf(f, "%s+0x%x", fn ? fn : "code", fn ? off : pc);
    if (line)
        fprintf(f, " %s:%u", base(file), line);
    fclose(f);
    return text;
}

int counting_launch(struct session *s, const struct cc_map *map, struct bbv **out)
{
    enum hd_status st = hd_count_blocks(s->dev, true);
    if (st == HD_OK)
        st = session_launch(s);
    session_say_interpreted(s);
    if (st == HD_FAULT || st == HD_DEADLOCK)
        session_explain(s, stderr);
    else if (st > HD_STOPPED)
        return session_error(s, st);
    if (st != HD_OK) {
        fprintf(stderr, "heddle %s: %s; nothing was counted\n", s->cli->cmd->name, hd_strerror(st));
        return cli_exit_status(st);
    }
    if ((st = hd_block_counts(s->dev, out)) != HD_OK)
        return session_error(s, st);
    for (uint32_t i = 0; i < (*out)->nblocks; i++)
        (*out)->blocks[i].name = block_name(s->image, map, (*out)->blocks[i].pc);
    return -1;
}

bool counting_within(struct cli *c)
{
    c->cfg.within = c->regroup.memory ? spill_open(c->regroup.memory) : NULL;
    return !c->regroup.memory || c->cfg.within;
}

void counting_done(struct cli *c)
{
    const uint64_t bytes = spill_bytes(c->cfg.within);
    if (bytes)
        fprintf(stderr, "heddle %s: %llu bytes of counts%s were kept in files\n", c->cmd->name,
                (unsigned long long)bytes, c->cmd->groups & OPT_REGROUP ? " and orders" : "");
    spill_close(c->cfg.within);
    c->cfg.within = NULL;
}
