#!/usr/bin/perl
# What `heddle profile` says against the commit log, counted apart from its own code.
# SPDX-License-Identifier: Apache-2.0
# use: profile_check.pl PROFILE.json PROFILE.txt LOG.jsonl      both of one launch; LOG: heddle trace --json
use strict;
use warnings;
use JSON::PP;

my ($json, $text, $log) = @ARGV;
sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return scalar <$in> }
my ($p, $table) = (decode_json(slurp($json)), slurp($text));
my ($checks, $bad) = (0, 0);
sub is_equal {
    my ($got, $want, $what) = @_;
    $checks++;
    return if defined $got && defined $want && $got eq $want;
    print "profile_check: $what: ", $got // 'nothing', ', but counted ', $want // 'nothing', "\n" if $bad++ < 20;
}
sub total { my $n = 0; $n += $_ for values %{ $_[0] }; return $n }
sub bits { my $m = shift; return grep { $m >> $_ & 1 } 0 .. 31 }

# ---- the log ----
my %zero = map { $_ => 0 } qw(block warp slot cycle pc active exec live released conv fault unwind);
my (%warp, %line, %insn, %part, %kept, %edge, %lost, %all);
my $never = 'never';
open my $in, '<', $log or die "$log: $!\n";
while (<$in>) {
    my %c = (%zero, %{ decode_json($_) });
    my $w = $warp{"$c{block}.$c{warp}"} //= { threads => 0, insns => 0, parted => {}, site => {} };
    my @on = bits($c{active});
    my $own = $c{line} ? ($c{file} =~ s{.*/}{}r) . ":$c{line}" : undef;
    my $name = $own // $w->{site}{ $on[0] } // '(no line)';
    my $runs = defined $own ? $c{pc} : $w->{call}{ $on[0] } // $c{pc};
    my $n = ++$w->{n};
    $w->{threads} |= $c{active} | $c{live};
    $w->{last} = $c{cycle};
    $w->{first} //= $c{cycle};
    my $guarded = () = bits($c{active} & ~$c{exec});
    # Unguarded control that needs no register issues in one cycle, where the convergence unit is free.
    $w->{plain}++ if $c{text} =~ /^(BRA|EXIT|CAL|RET\.T|BSSY|BSYNC|BREAK|SSY|YIELD)(?!\.R)\b/;
    for my $k ($w, $line{$name} //= {}, $insn{ $c{pc} } //= {}, \%all) {
        $k->{insns}++;
        $k->{lanes} += @on;
        $k->{guarded} += $guarded;
    }
    for my $l (bits(~$c{active} & 0xffffffff)) {
        my $wait = $c{wait}[$l] // 0;
        my $why = !($w->{threads} >> $l & 1) ? 'no_thread' : !($c{live} >> $l & 1) ? 'exited'
            : $c{released} >> $l & 1 ? ($c{conv} ? 'barrier' : 'warpsync')
            : $wait < 2 ? 'turn' : $wait == 2 ? 'yield' : $wait == 3 ? 'warpsync' : $wait == 4 ? 'stack'
            : $wait < 32 ? 'barrier' : 'block';
        $_->{by}{$why}++ for $w, $line{$name}, $insn{ $c{pc} }, \%all;
        my ($at, $since, $depth) = $why eq 'no_thread' ? $never : @{ $w->{parted}{ $on[0] . ',' . $l } // [$never] };
        if ($at eq $never) { $part{$at}{$why}++; next }
        my $other = ($w->{calls}{ $on[0] } // [])->[$depth] // $runs;      # the call by which it went on from there
        # Which ways it went since, the latest first.
        $kept{ join ' ', $at, $other, map { "$_->[0]>$_->[1]" } grep { $_->[2] >= $since } @{ $w->{way}{$l} } }{$why}++;
    }
    next if $c{fault};
    my ($op) = $c{unwind} ? '' : $c{text} =~ /^(?:@\S+ )?(BRA|BRX|CALL|CALLR|CAL|CALR|RET|EXIT)\b/;
    for my $l (@on) {
        my $way = $w->{way}{$l} //= [];
        $way->[0][1] = $c{pc} if @$way && $way->[0][1] eq 'unknown';
        next if !$op;
        my $to = !($c{live} >> $l & 1) ? 'gone' : $op =~ /^CAL/ ? $c{pc} + 16 : $c{npc}[$l] || 'unknown';
        @$way = ([$c{pc}, $to, $n], grep { $_->[0] != $c{pc} } @$way);
    }
    my %to;
    push @{ $to{ $c{live} >> $_ & 1 ? $c{npc}[$_] // 0 : 'gone' } }, $_ for @on;
    for my $x ($c{unwind} || $c{text} =~ /^(?:@\S+ )?RET\b/ ? () : keys %to) {
        if (($op // '') =~ /^CAL/) { $edge{ $c{pc} }{ $c{pc} + 16 } = 1 }
        elsif ($x ne 'gone' && ($x || grep { ($c{next_active} // 0) >> $_ & 1 } @{ $to{$x} }) && ($x != $c{pc} || ($op // '') eq 'BRA')) { $edge{ $c{pc} }{$x} = 1 }
    }
    if (keys %to > 1) {
        for my $x (keys %to) {
            for my $y (grep { $_ ne $x } keys %to) {
                for my $l (@{ $to{$x} }) { $w->{parted}{"$l,$_"} = [$c{pc}, $n, scalar @{ $w->{calls}{$l} // [] }] for @{ $to{$y} } }
            }
        }
    }
    for my $l ($c{unwind} ? () : grep { $c{npc}[$_] && $c{npc}[$_] != $c{pc} } bits($c{exec})) {       # not one that waits in a token
        push @{ $w->{calls}{$l} }, $c{pc} if $c{text} =~ /^(?:@\S+ )?CAL/;
        pop @{ $w->{calls}{$l} } if $c{text} =~ /^(?:@\S+ )?RET/;
    }
    if (!$c{unwind} && $c{text} =~ /^(?:@\S+ )?(BRA|BRX|CALL|CALLR|CAL|CALR|RET)\b/) {
        $_->{branches}++ for $line{$name}, $insn{ $c{pc} };
        if (keys %to > 1) { $_->{divergent}++ for $line{$name}, $insn{ $c{pc} } }
        if (defined $own && $1 =~ /^CAL/) { $w->{site}{$_} = $own, $w->{call}{$_} = $c{pc} for @on }
    }
}
die "profile_check: $log: no commit\n" if !$all{insns};

# ---- loops, and the exits that pay ----
my (%state, %body, %into);
delete @{ $edge{$_} }{ grep { !$insn{$_} } keys %{ $edge{$_} } } for keys %edge;
for my $from (keys %edge) { $into{$_}{$from} = 1 for keys %{ $edge{$from} } }
sub walk {                      # in depth: an edge to an instruction on the way leads back, and its loop is what reaches it
    my $k = shift;
    $state{$k} = 'open';
    for my $to (keys %{ $edge{$k} }) {
        no warnings 'recursion';
        walk($to) if !$state{$to};
        next if $state{$to} ne 'open';
        my $in = $body{$to} //= { $to => 1 };
        my @left = grep { !$in->{$_}++ } $k;
        while (@left) { push @left, grep { !$in->{$_}++ } keys %{ $into{ pop @left } } }
    }
    $state{$k} = 'done';
}
for my $all (0, 1) { $state{$_} or walk($_) for grep { $all || !$into{$_} } sort { $a <=> $b } keys %insn }
my @loops = sort { keys %$b <=> keys %$a } values %body;
my $exits = 0;
for my $kept (keys %kept) {
    my ($pays, $runs, @way) = split ' ', $kept;
    for my $in (grep { $_->{$pays} && $_->{$runs} } @loops) {       # the outermost first
        my ($from, $to) = split />/, (grep { $in->{ (split />/)[0] } } @way)[0] // next;
        next if $to eq 'unknown' || $in->{$to} && $way[0] !~ />gone$/;
        ($from) = split />/, $way[0] if $in->{$to};                  # it exited in a function that the loop calls
        $exits++ if $from != $pays;
        $pays = $from;
        last;
    }
    $part{$pays}{$_} += $kept{$kept}{$_} for keys %{ $kept{$kept} };
}

# ---- against it ----
sub counts {
    my ($got, $k, $what) = @_;
    is_equal($got->{$_}, $k->{$_} // 0, "$what, $_") for qw(insns lanes guarded);
    is_equal($got->{lost}, 32 * $k->{insns} - $k->{lanes}, "$what, lost");
    is_equal(total($got->{lost_by}), $got->{lost}, "$what: what is lost by cause");
    is_equal($got->{lost_by}{$_} // 0, $k->{by}{$_} // 0, "$what, lost by $_") for keys %{ { %{ $got->{lost_by} }, %{ $k->{by} // {} } } };
    return if !$p->{core};
    is_equal(total($got->{cycles_by}), $got->{cycles}, "$what: cycles by cause");
}
counts($p, \%all, 'all');
is_equal(scalar @{ $p->{lines} }, scalar keys %line, 'number of lines');
for my $l (@{ $p->{lines} }) {
    counts($l, $line{ $l->{line} } // {}, $l->{line});
    is_equal($l->{$_}, $line{ $l->{line} }{$_} // 0, "$l->{line}, $_") for qw(branches divergent);
    my ($row) = $table =~ /^(\Q$l->{line}\E  .*)$/m;
    my @row = split ' ', substr($row // '', length $l->{line});
    is_equal($row[0], $line{ $l->{line} }{insns}, "text, $l->{line}, instructions");
    is_equal($row[3], 32 * $line{ $l->{line} }{insns} - $line{ $l->{line} }{lanes}, "text, $l->{line}, lost");
}
is_equal(scalar @{ $p->{instructions} }, scalar keys %insn, 'number of instructions');
counts($_, $insn{ $_->{pc} } // {}, "pc $_->{pc}") for @{ $p->{instructions} };
for my $b (@{ $p->{branches} }) {
    my ($pc, $by) = ($b->{pc} // $never, $part{ $b->{pc} // $never } // {});
    $lost{$pc} = 1;
    is_equal($b->{executed}, $insn{$pc}{insns}, "branch $pc, executed") if $pc ne $never;
    is_equal($b->{divergent}, $insn{$pc}{divergent} // 0, "branch $pc, divergent") if $pc ne $never;
    is_equal($b->{lost_by}{$_} // 0, $by->{$_} // 0, "branch $pc, lost by $_") for keys %{ { %{ $b->{lost_by} }, %$by } };
    is_equal($b->{lost}, total($by), "branch $pc, lost");
}
is_equal($lost{$_}, 1, "a branch at $_") for keys %part;
is_equal(scalar @{ $p->{warps} }, scalar keys %warp, 'number of warps');
my %sum;
for my $w (@{ $p->{warps} }) {
    my $name = "$w->{block}.$w->{warp}";
    counts($w, $warp{$name} // {}, "warp $name");
    is_equal($w->{last}, $warp{$name}{last}, "warp $name, last cycle");
    next if !$p->{core};
    # It lives from its first fetch to its last commit: no cycle is missing, and none is counted
    # twice.
    is_equal($w->{cycles}, $w->{last} - $w->{first} + 1, "warp $name, cycles");
    is_equal($w->{first} < $warp{$name}{first} ? 1 : 0, 1, "warp $name begins before its first commit");
    my ($beats, $plain, $issue) = (32 / $p->{core}{lanes}, $warp{$name}{plain} // 0, $w->{cycles_by}{issue});
    is_equal($issue % $beats <= $plain ? 1 : 0, 1, "warp $name: beats of whole instructions");
    is_equal($issue >= ($w->{insns} - $plain) * $beats + $plain ? 1 : 0, 1, "warp $name: beats for each instruction");
    $sum{$_} += $w->{cycles_by}{$_} for keys %{ $w->{cycles_by} };
}
if ($p->{core}) {
    for my $of ($p->{lines}, $p->{instructions}) {
        my %n;
        for my $x (@$of) { $n{$_} += $x->{cycles_by}{$_} for keys %{ $x->{cycles_by} } }
        is_equal($n{$_} // 0, $sum{$_} // 0, "cycles by $_, of all") for keys %{ { %n, %sum, %{ $p->{cycles_by} } } };
    }
    is_equal($p->{cycles_by}{$_} // 0, $sum{$_}, "cycles by $_") for keys %sum;
}
print "profile_check: $checks counts are equal, $exits kinds of exits\n" if !$bad;
exit($bad ? 1 : 0);
