/* Writes the Verilog side of isa.def: constants, and the decoder's table and legality check.
 * Each row becomes one vector of control bits; rows with equal vectors share a case item, so the
 * output shows the instruction formats that the table really has.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/isa/isagen.h"
#include <ctype.h>
#include <string.h>

static void put_upper(FILE *f, const char *s)
{
    for (; *s; s++)
        fputc(toupper((unsigned char)*s), f);
}

/* build/gen/insn_gen.vh: where a field of the instruction word is, for `word[`INSN_RD]`. */
static void put_slice(FILE *f, const char *name, int lsb, int width)
{
    fputs("`define INSN_", f), put_upper(f, name);
    fprintf(f, width > 1 ? " %d:%d\n" : " %d\n", lsb + width - 1, lsb);
}

void isagen_rtl_insn(FILE *f)
{
    fputs(
        "// Fields and modifiers of an instruction word: word[`INSN_RD].  Generated from isa.def: "
        "do not edit.\n"
        "`ifndef INSN_GEN_VH\n`define INSN_GEN_VH\n",
        f);
    for (int i = 0; i < isa_nfields; i++)
        put_slice(f, isa_fields[i].name, isa_fields[i].lsb, isa_fields[i].width);
    for (int i = 0; i < isa_nmods; i++)
        put_slice(f, isa_mods[i].name, isa_mods[i].lsb, isa_mods[i].width);
    fputs("`endif\n", f);
}

/* build/gen/isa_gen.vh: include it inside a module. */
void isagen_rtl_header(FILE *f)
{
    fputs("// Names of the instruction set.  Generated from isa.def: do not edit.\n"
          "// Include it inside a module; which constants a module uses is its own business.\n"
          "// verilator lint_off UNUSEDPARAM\n", f);
    fprintf(f, "localparam [63:0] ISA_HASH = 64'h%016llx;\n", (unsigned long long)isa_hash());
    fprintf(f, "localparam [7:0] RZ = 8'd%d;\nlocalparam [2:0] PT = 3'd%d;\n", ISA_RZ, ISA_PT);
    fprintf(f, "localparam [31:0] OPERAND_BYTES = 32'd%d;\n", ISA_OPERAND_BYTES);
    for (int i = 0; i < isa_nmods; i++) {
        const struct mod *m = &isa_mods[i];
        for (int v = 0; v < isa_mod_count(m); v++)
            fprintf(f, "localparam [%d:0] %s_%s = %d'd%d;\n", m->width - 1, m->name,
                    isa_mod_value(m, v), m->width, v);
    }
    for (int i = 0; i < isa_nrows; i++)
        fprintf(f, "localparam [8:0] OP_%s = 9'h%03x;\n", isa_rows[i].id, isa_rows[i].opcode);
    for (int i = 0; i < UNIT_COUNT; i++)
        fprintf(f, "localparam [2:0] UNIT_%s = 3'd%d;\n", isa_unit_names[i], i);
    fprintf(f, "localparam [2:0] UNIT_WARP = 3'd%d;  // in the pipeline: rows of F_LANES\n",
            UNIT_COUNT);
    fputs("localparam [2:0] UNIT_SERIAL = UNIT_F64;  // ... lane after lane\n", f);
    for (int i = 0; i < isa_nspaces; i++)
        fprintf(f, "localparam [2:0] SPACE_%s = 3'd%d;\n", isa_space_names[i], i);
    for (int i = 0; i < isa_nsregs; i++)
        fprintf(f, "localparam [4:0] SREG_%s = 5'd%d;\n", isa_sregs[i].name, isa_sregs[i].number);
    fputs("// verilator lint_on UNUSEDPARAM\n", f);
}

/* One control bit (or two, or three) that a row drives. */
struct control { const char *name; int width; };
enum { MAX_CONTROLS = 64 };
static const struct control fixed[] = {
    { "unit", 3 }, { "space", 3 }, { "load", 1 }, { "store", 1 }, { "atom", 1 },
    { "barrier_only", 1 }, { "stack_only", 1 }, { "noguard", 1 }, { "distinct", 1 },
    { "all_lanes", 1 },
    { "w_d", 2 }, { "w_a", 2 }, { "w_b", 2 }, { "w_c", 2 },
    { "b_or_imm", 1 }, { "b_or_const", 1 }, { "b_sext", 1 },
    { "u_target", 1 }, { "u_sreg", 1 }, { "u_off", 1 },
    { "u_pd", 1 }, { "u_pt", 1 }, { "u_ps", 1 }, { "u_bx", 1 }, { "u_lut", 1 },
    { "u_na", 1 }, { "u_aa", 1 }, { "u_nb", 1 }, { "u_ab", 1 }, { "u_nc", 1 },
};
enum { NFIXED = sizeof fixed / sizeof *fixed };

static int row_memory(const struct row *r, int kind)
{
    static const char *const routine[] = { "WARP_LOAD", "WARP_STORE", "WARP_ATOM" };
    return isa_row_space(r, routine[kind]);
}

static int fixed_value(const struct row *r, const char *name)
{
    static const struct { const char *name, *letters; } has[] = {
        { "b_or_imm", "bB" }, { "b_sext", "B" }, { "u_target", "@" }, { "u_sreg", "z" },
        { "u_off", "mn" }, { "u_pd", "p" }, { "u_pt", "t" }, { "u_ps", "s" },
        { "u_bx", "x" }, { "u_lut", "l" },
    };
    static const struct { const char *name; int flag; } flags[] = {
        { "barrier_only", F_BARRIER }, { "stack_only", F_STACK }, { "noguard", F_NOGUARD },
        { "distinct", F_DISTINCT }, { "all_lanes", F_LANES },
    };
    static const char *const memory[] = { "load", "store", "atom" };
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        if (!strcmp(name, has[i].name))
            return isa_row_has(r, has[i].letters);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(name, flags[i].name))
            return (r->flags & flags[i].flag) != 0;
    for (int i = 0; i < 3; i++) {
        if (!strcmp(name, memory[i]))
            return row_memory(r, i) >= 0;
        if (!strcmp(name, "space") && row_memory(r, i) >= 0)
            return row_memory(r, i);
    }
    if (!strcmp(name, "space"))
        return 0;
    if (!strcmp(name, "b_or_const"))
        return isa_row_constant(r);
    if (!strcmp(name, "unit"))
        return r->unit;
    if (name[0] == 'w')
        return isa_row_width(r, name[2]);
    return isa_row_mod(r, name + 2);  /* u_na and its like */
}

/* The row's control vector, first control in the highest bits, then one bit for each MOD. */
static uint64_t row_vector(const struct row *r)
{
    uint64_t v = 0;
    for (int i = 0; i < NFIXED; i++)
        v = v << fixed[i].width | (unsigned)fixed_value(r, fixed[i].name);
    for (int i = 0; i < isa_nmods; i++)
        v = v << 1 | isa_row_mod(r, isa_mods[i].name);
    return v;
}

static int vector_width(void)
{
    int n = isa_nmods;
    for (int i = 0; i < NFIXED; i++)
        n += fixed[i].width;
    return n;
}

static void put_case(FILE *f)
{
    int width = vector_width();
    fputs("  // Control bits of each row: see the assignment to them below.\n", f);
    fprintf(f, "  reg          known;\n  reg  [%d:0] control;\n", width - 1);
    fputs("  always @* begin\n    known = 1'b1;\n    case (insn_i[`INSN_OP])\n", f);
    for (int i = 0; i < isa_nrows; i++) {
        uint64_t v = row_vector(&isa_rows[i]);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= row_vector(&isa_rows[j]) == v;
        if (seen)
            continue;
        int n = 0;
        for (int j = i; j < isa_nrows; j++)
            if (row_vector(&isa_rows[j]) == v)
                fprintf(f, "%s9'h%03x /* %s */", !n++ ? "      " : n % 4 == 1 ? ",\n      " : ", ",
                        isa_rows[j].opcode, isa_rows[j].mnemonic);
        fprintf(f, ":\n        control = %d'h%llx;\n", width, (unsigned long long)v);
    }
    fprintf(f, "      default: begin\n        known = 1'b0;\n        control = %d'd0;\n      end\n"
            "    endcase\n  end\n\n", width);
    for (int i = 0; i < NFIXED; i++)
        if (fixed[i].width > 1)
            fprintf(f, "  wire [%d:0] %s;\n", fixed[i].width - 1, fixed[i].name);
        else
            fprintf(f, "  wire       %s;\n", fixed[i].name);
    for (int i = 0; i < isa_nmods; i++)
        fprintf(f, "  wire       u_%s;\n", isa_mods[i].name);
    fputs("  assign {", f);
    for (int i = 0; i < NFIXED; i++)
        fprintf(f, "%s%s", i ? i % 8 ? ", " : ",\n          " : "", fixed[i].name);
    for (int i = 0; i < isa_nmods; i++)
        fprintf(f, "%su_%s", i % 8 ? ", " : ",\n          ", isa_mods[i].name);
    fputs("} = control;\n\n", f);
}

static void put_used(FILE *f, const char *cond, u128 m)
{
    fprintf(f, "\n    | ({128{%s}} & 128'h%016llx%016llx)", cond, (unsigned long long)(m >> 64),
            (unsigned long long)m);
}

static void put_legality(FILE *f)
{
    static const struct { const char *cond, *fields[2]; } k[] = {
        { "w_d != 2'd0", { "rd" } },
        { "w_a != 2'd0", { "ra" } },
        { "w_b != 2'd0 && !b_is_imm_o", { "rb" } },
        { "b_is_imm_o || u_target || u_sreg", { "imm" } },
        { "u_off", { "off" } },
        { "w_c != 2'd0", { "rc" } },
        { "u_pd", { "pd" } },
        { "u_pt", { "pq" } },
        { "u_ps", { "ps", "sn" } },
        { "u_bx", { "bx" } },
        { "b_or_imm", { "bi" } },
        { "b_or_const && b_is_imm_o", { "cb" } },
        { "u_na", { "na" } },
        { "u_aa", { "aa" } },
        { "u_nb", { "nb" } },
        { "u_ab", { "ab" } },
        { "u_nc", { "nc" } },
        { "u_lut", { "lut" } },
    };
    u128 always = isa_field_mask("op") | isa_field_mask("pg") | isa_field_mask("pn") |
                  isa_field_mask("pop");
    fprintf(f, "  // Bits that may be set.\n  wire [127:0] used = 128'h%016llx%016llx",
            (unsigned long long)(always >> 64), (unsigned long long)always);
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        u128 m = isa_field_mask(k[i].fields[0]);
        put_used(f, k[i].cond, m | (k[i].fields[1] ? isa_field_mask(k[i].fields[1]) : 0));
    }
    for (int i = 0; i < isa_nmods; i++) {
        char cond[32];
        snprintf(cond, sizeof cond, "u_%s", isa_mods[i].name);
        put_used(f, cond, (((u128)1 << isa_mods[i].width) - 1) << isa_mods[i].lsb);
    }
    fputs(";\n\n  // Modifier fields that hold no listed value.\n  wire bad_mod =", f);
    int n = 0;
    for (int i = 0; i < isa_nmods; i++) {
        const struct mod *m = &isa_mods[i];
        if (isa_mod_count(m) < 1 << m->width)
            fprintf(f, "%s(u_%s && insn_i[`INSN_%s] > %d'd%d)", n++ ? "\n    || " : " ", m->name,
                    m->name, m->width, isa_mod_count(m) - 1);
    }
    fprintf(f, ";\n  wire bad_sreg = u_sreg && insn_i[`INSN_IMM] > 32'd%d;\n", isa_nsregs - 1);
}

static const char ports[] =
    "module decode_gen (\n"
    "  input  wire [127:0] insn_i,       // the instruction word\n"
    "  input  wire         mode_stack_i, // the image is in stack mode\n"
    "  output wire         legal_o,      // the word is an instruction of this mode\n"
    "  output wire [2:0]   unit_o,       // UNIT_*; all below holds only for legal words\n"
    "  output wire         all_lanes_o,  // it needs the operands of all lanes at once\n"
    "  output wire         reads_a_o,    // the first source is register ra\n"
    "  output wire         reads_b_o,    // the second source is register rb\n"
    "  output wire         reads_c_o,    // the third source is register rc\n"
    "  output wire         a_pair_o,     // ra is a pair, {ra+1, ra}\n"
    "  output wire         b_pair_o,     // rb is a pair\n"
    "  output wire         b_quad_o,     // rb is four registers (128-bit store)\n"
    "  output wire         c_pair_o,     // rc is a pair\n"
    "  output wire         b_is_imm_o,   // the second source is imm\n"
    "  output wire         b_is_const_o, // ... as an offset in the constant bank\n"
    "  output wire         b_sext_o,     // it is wide: ... sign-extended to 64 bits, ... a pair\n"
    "  output wire         writes_rd_o,  // rd is a destination (RZ included)\n"
    "  output wire [1:0]   rd_size_o,    // registers written from rd up: 0 one, 1 two, 2 four\n"
    "  output wire         writes_pd_o,  // pd is a destination (PT included)\n"
    "  output wire         reads_ps_o,   // ps, with sn, is a source\n"
    "  output wire         reads_pt_o,   // pq is a source\n"
    "  output wire         uses_bx_o,    // bx is an operand\n"
    "  output wire         is_load_o,    // loads memory of space_o\n"
    "  output wire         is_store_o,   // stores\n"
    "  output wire         is_atom_o,    // loads and stores, lanes in order\n"
    "  output wire [2:0]   space_o,      // SPACE_* of a memory access\n"
    "  output wire [1:0]   mem_size_o,   // bytes a lane accesses, as registers: 0 at most one, "
    "1, 2\n"
    "  output wire         noguard_o     // carries no guard\n"
    ");\n"
    "  `include \"isa_gen.vh\"\n";

static const char logic_text[] =
    "\n"
    "  wire [7:0] rd = insn_i[`INSN_RD], ra = insn_i[`INSN_RA], rb = insn_i[`INSN_RB], rc = "
    "insn_i[`INSN_RC];\n"
    "  // Registers of an operand of class WIDTH_SZ: 0 one, 1 two, 2 four.\n"
    "  assign mem_size_o = u_AW ? {1'b0, insn_i[`INSN_AW] == AW_64}\n"
    "                    : !u_SZ ? 2'd0 : {insn_i[`INSN_SZ] == SZ_128, insn_i[`INSN_SZ] == "
    "SZ_64};\n"
    "  wire d_pair = w_d == 2'd2 || (w_d == 2'd3 && mem_size_o == 2'd1);\n"
    "  wire d_quad = w_d == 2'd3 && mem_size_o == 2'd2;\n"
    "  // RZ is the last register, so a pair at the one before it and a quad at its fourth do not "
    "exist.\n"
    "  function automatic bad_pair(input [7:0] r);\n"
    "    bad_pair = r != RZ && (r[0] || r == RZ - 8'd1);\n"
    "  endfunction\n"
    "  function automatic bad_quad(input [7:0] r);\n"
    "    bad_quad = r != RZ && (r[1:0] != 2'd0 || r == RZ - 8'd3);\n"
    "  endfunction\n"
    "  wire bad_d = (d_pair && bad_pair(rd)) || (d_quad && bad_quad(rd));\n"
    "  wire bad_a = a_pair_o && bad_pair(ra);\n"
    "  wire bad_b = (b_pair_o && bad_pair(rb)) || (b_quad_o && bad_quad(rb));\n"
    "  wire bad_c = c_pair_o && bad_pair(rc);\n"
    "  // Only CAS has a third source.\n"
    "  wire bad_cas = u_AOP && insn_i[`INSN_AOP] != AOP_CAS && rc != RZ;\n"
    "  // A constant is a word or a pair in the bank's first 256 bytes.\n"
    "  wire bad_const = b_is_const_o\n"
    "                && (insn_i[`INSN_IMM] >= OPERAND_BYTES || insn_i[33:32] != 2'd0\n"
    "                    || (w_b == 2'd2 && insn_i[34]));\n"
    "  wire bad_same = distinct && rd != RZ && rd == ra;\n"
    "  wire bad_mode = mode_stack_i ? barrier_only : stack_only || insn_i[`INSN_POP];\n"
    "  wire bad_pop = insn_i[`INSN_POP] && unit == UNIT_CTL;\n"
    "  wire bad_guard = noguard && (insn_i[`INSN_PG] != PT || insn_i[`INSN_PN]);\n"
    "\n"
    "  assign legal_o = known && (insn_i & ~used) == 128'd0 && !bad_mod && !bad_sreg && !bad_d\n"
    "                && !bad_a && !bad_b && !bad_c && !bad_cas && !bad_same && !bad_mode && "
    "!bad_pop\n"
    "                && !bad_guard && !bad_const;\n"
    "  assign unit_o      = unit;\n"
    "  assign all_lanes_o = all_lanes;\n"
    "  assign reads_a_o   = w_a != 2'd0;\n"
    "  assign reads_b_o   = w_b != 2'd0 && !b_is_imm_o;\n"
    "  assign reads_c_o   = w_c != 2'd0;\n"
    "  assign a_pair_o    = w_a == 2'd2;\n"
    "  assign b_pair_o    = !b_is_imm_o && (w_b == 2'd2 || (w_b == 2'd3 && mem_size_o == 2'd1));\n"
    "  assign b_quad_o    = w_b == 2'd3 && mem_size_o == 2'd2;\n"
    "  assign c_pair_o    = w_c == 2'd2 || (w_c == 2'd3 && mem_size_o == 2'd1);\n"
    "  assign b_is_imm_o  = b_or_imm && insn_i[`INSN_BI];\n"
    "  assign b_is_const_o = b_or_const && b_is_imm_o && insn_i[`INSN_CB];\n"
    "  assign b_sext_o    = b_sext && b_is_imm_o;\n"
    "  assign writes_rd_o = w_d != 2'd0;\n"
    "  assign rd_size_o   = {d_quad, d_pair};\n"
    "  assign writes_pd_o = u_pd;\n"
    "  assign reads_ps_o  = u_ps;\n"
    "  assign reads_pt_o  = u_pt;\n"
    "  assign uses_bx_o   = u_bx;\n"
    "  assign is_load_o   = load;\n"
    "  assign is_store_o  = store;\n"
    "  assign is_atom_o   = atom;\n"
    "  assign space_o     = space;\n"
    "  assign noguard_o   = noguard;\n"
    "endmodule\n"
    "`default_nettype wire\n";

/* build/gen/decode_gen.v */
void isagen_rtl_decode(FILE *f)
{
    fputs("// Decodes an instruction word: which operands it has, and whether it is legal.\n"
          "// Combinational.  Generated from isa.def: do not edit.\n"
          "// SPDX-License-Identifier: Apache-2.0\n"
          "`default_nettype none\n`include \"insn_gen.vh\"\n", f);
    fputs(ports, f);
    put_case(f);
    put_legality(f);
    fputs(logic_text, f);
}
