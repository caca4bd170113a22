# `heddle silicon record': the command, after trace_points.pl and before gpu.c in one program.
# SPDX-License-Identifier: Apache-2.0
use Cwd 'abs_path';
use Digest::MD5 'md5_hex';
use File::Temp 'tempdir';

my $heddle = dirname(abs_path($0)) . '/heddle';
my $HELP = <<'TEXT';
usage: heddle silicon record K.cu|K.ptx LAUNCH [-o FILE]
       heddle silicon record K.cu|K.ptx LAUNCH --prepare FOLDER
       heddle silicon record --from FILE|FOLDER [-o FILE]
Runs a kernel on an NVIDIA GPU, on the golden model and on the RTL, and says where the order of lanes parts:
warp, source line, and the lanes of each.

Every block of the kernel's PTX gets a trace point; all three run that PTX.  A warp's order: its trace points, each with
the lanes that ran it together.  The GPU runs it twice; warps whose two runs differ are counted and left out.

needs: a GPU of sm_90 (others are refused), its driver, a C compiler; CUDA's ptxas, else the driver assembles.
Where the GPU is, Heddle need not be: copy FOLDER there, `sh run.sh`, copy it back, --from FOLDER.

options:
  -o FILE                      write the recording: text, with the PTX; --from FILE repeats it without a GPU
  --prepare FOLDER             write what the GPU needs, and stop
  --from FILE|FOLDER           a recording, or a folder in which run.sh has run
  --events N                   events a lane may log; default 1024
  --model                      without the RTL
  --lanes N, --core FILE, --warps N, --mem-seed S       the core, as for heddle lockstep
  -D NAME[=V], -I FOLDER, --kernel NAME, --grid X[,Y[,Z]], --block X[,Y[,Z]], --shared BYTES,
  NAME:TYPE=VALUE, NAME:TYPE[COUNT]=INIT, NAME:bytes[N]=@file, @file       as for heddle run

exit status: 0 the GPU's order everywhere, 1 not, 2 wrong use, or no such GPU
TEXT

sub quit { my ($status, $text) = @_; print STDERR "heddle silicon record: $text\n"; exit $status }
sub slurp { open my $f, '<:raw', $_[0] or quit(2, "cannot open $_[0]: $!"); local $/; my $t = <$f>; return $t // '' }
sub spill { open my $f, '>:raw', $_[0] or quit(2, "cannot write $_[0]: $!"); print $f $_[1]; close $f or quit(2, "cannot write $_[0]: $!") }
sub quoted { return join ' ', map { my $w = $_; m{^[\w.,:=/@\[\]+-]+$} && !/[\[\]]/ ? $w : do { $w =~ s/'/'\\''/g; "'$w'" } } @_ }

# Runs heddle; what it says is shown if it fails.
sub heddle {
    my ($what, $log, @words) = @_;
    my $pid = fork // quit(2, "cannot fork: $!");
    if (!$pid) {
        open STDOUT, '>', $log; open STDERR, '>&STDOUT';
        exec $heddle, @words or exit 127;
    }
    waitpid $pid, 0;
    return if $? == 0;
    print STDERR slurp($log);
    exit($what eq 'the command' || $? >> 8 == 2 ? 2 : 1) if $? >> 8 != 1 && $? >> 8 != 3;
    quit(1, "$what: heddle $words[0] ended with status " . ($? >> 8));
}

# ---- words of the command ----

my %taken = map { $_ => 1 } qw(--grid --block --shared --kernel --lanes --core --warps --mem-seed -D -I --define
                               --include -o --output --prepare --from --events);
my (%o, @launch, @cc, @core, @params, $source);
sub expand { return map { /^@(.+)/ ? expand(split ' ', join ' ', map { s/(^|\s)#.*//r } split /\n/, slurp($1)) : $_ } @_ }

sub take_words {
    my @words = expand(@_);
    while (defined(my $w = shift @words)) {
        my $v;
        ($w, $v) = ($1, $2) if $w =~ /^(--[a-z-]+)=(.*)/s;
        ($w, $v) = ($1, $2) if $w =~ /^(-[DIo])(.+)/s;
        if ($w eq '--help' || $w eq '-h') { print $HELP; exit 0 }
        if ($w eq '--model') { $o{model} = 1; next }
        if ($taken{$w}) {
            $v //= shift @words // quit(2, "$w needs a value");
            if ($w =~ /^--(grid|block|shared|kernel)$/) { $o{$1} = $v; push @launch, $w, $v }
            elsif ($w =~ /^(-[DI]|--define|--include)$/) { push @cc, $w, $v }
            elsif ($w =~ /^--(lanes|core|warps|mem-seed)$/) { push @core, $w, $v }
            else { $w =~ s/^-o$/--output/; $o{substr $w, 2} = $v }
        } elsif ($w =~ /^-/) { quit(2, "unknown option `$w': heddle silicon record --help") }
        elsif ($w =~ /^(\w+):(\w+)(\[\d+\])?(=|$)/ && $w !~ m{\.(cu|ptx)$}) {
            push @launch, $w;
            push @params, { name => $1, buffer => defined $3 && $2 ne 'bytes' };
        } elsif (!defined $source) { $source = $w }
        else { quit(2, "`$w' is no word of a launch: heddle silicon record --help") }
    }
}

sub dims { my @d = split /,/, $_[0] // '1'; return (@d, 1, 1)[0 .. 2] }
sub warps_of_block { my @b = dims($o{block}); return int(($b[0] * $b[1] * $b[2] + 31) / 32) }
sub warps { my @g = dims($o{grid}); return $g[0] * $g[1] * $g[2] * warps_of_block() }
sub log_bytes { return warps() * 32 * 16 * ($o{events} + 1) }

# The one kernel that is launched, by its name in PTX.
sub choose_kernel {
    my ($name, @all) = ($o{kernel}, @_);
    my @fit = !defined $name ? @all : grep { $_ eq $name } @all;
    my $long = defined $name ? length($name) . $name : '';
    @fit = grep { /^_Z\d*.*\Q$long\E/ } @all if !@fit && defined $name;
    @fit = grep { index($_, $name) == 0 } @all if !@fit && defined $name;
    quit(2, "which kernel? --kernel " . join(' or ', @all)) if @fit != 1;
    return $fit[0];
}

# ---- sequences ----

# The events of each warp, `number:mask`, by the clock; undef: one of its lanes has met more than fit.
sub sequences {
    my ($log, $points) = @_;
    my ($bytes, @all) = (16 * ($o{events} + 1));
    for my $w (0 .. warps() - 1) {
        my (%mask, $over);
        for my $l (0 .. 31) {
            my $at = ($w * 32 + $l) * $bytes;
            my $n = unpack 'V', substr $log, $at, 4;
            if ($n > $o{events}) { $over = 1; last }
            for my $k (1 .. $n) {
                my ($id, $clock) = unpack 'Vx4Q<', substr $log, $at + 16 * $k, 16;
                $id >= 1 && $id <= $points or quit(1, "warp $w: a log without sense");
                $mask{"$clock $id"} |= 1 << $l;
            }
        }
        my @order = sort { my ($x, $i) = split ' ', $a; my ($y, $j) = split ' ', $b; $x <=> $y || $i <=> $j } keys %mask;
        push @all, $over ? undef : [ map { sprintf '%d:%08x', (split ' ')[1], $mask{$_} } @order ];
    }
    return \@all;
}

# ---- a folder for the GPU ----

sub prepare {
    my ($dir, $c_text) = @_;
    my $kernel = choose_kernel(@{ $o{kernels} });
    spill("$dir/traced.ptx", $o{traced});
    # the bytes of parameters are heddle's own: those of a kernel that does nothing
    my $empty = $o{ptx};
    $empty =~ s/(\.entry\s+[\w\$%]+[^{;]*\{)/$1\n    ret;/g;
    spill("$dir/empty.ptx", $empty);
    heddle('the command', "$dir/said", 'run', "$dir/empty.ptx", @launch,
           map { ('--dump', "$_->{name}=$dir/param.$_->{name}") } @params);
    unlink "$dir/said", "$dir/empty.ptx";
    my @args = map { ($_->{buffer} ? 'buffer' : 'value') . ":param.$_->{name}" } @params;
    my $words = quoted($kernel, dims($o{grid}), dims($o{block}), $o{shared} // 0, log_bytes(), @args);
    spill("$dir/gpu.c", $c_text);
    spill("$dir/recording.head", recording_head());
    spill("$dir/run.sh", <<"END");
#!/bin/sh
# Runs the kernel where an NVIDIA GPU of sm_90 is: sh run.sh
cd "\$(dirname "\$0")" || exit 2
module=traced.ptx how=driver
ptxas=\$(PATH=\$PATH:/usr/local/cuda/bin command -v ptxas) && { "\$ptxas" -arch=sm_90 traced.ptx -o traced.cubin || exit 1; module=traced.cubin how=ptxas; }
rm -f gpu gpu.txt log.1 log.2
\${CC:-cc} -std=gnu11 -O1 -o gpu gpu.c -ldl || { echo "heddle silicon record: needs a C compiler" >&2; exit 2; }
./gpu \$module $words || exit
echo "assembled by \$how" >> gpu.txt
END
}

sub recording_head {
    return join '', "heddle silicon record 1\n", "events $o{events}\n", "source ", basename($source), "\n",
                    "launch ", quoted(@launch), "\n", map { "point $_ $o{points}[$_ - 1]\n" } 1 .. @{ $o{points} };
}

# What the GPU left in the folder, as a recording.
sub recording {
    my ($dir) = @_;
    my ($gpu, $how) = split /\n/, slurp("$dir/gpu.txt");
    my @run = map { sequences(slurp("$dir/log.$_"), scalar @{ $o{points} }) } 1, 2;
    my $text = recording_head() . "gpu $gpu, $how\n";
    for my $p (grep { $_->{buffer} } @params) {
        my ($a, $b) = map { md5_hex(slurp("$dir/param.$p->{name}.$_")) } 1, 2;
        $text .= "output $p->{name} " . ($a eq $b ? $a : 'differs') . "\n";
    }
    for my $w (0 .. $#{ $run[0] }) {
        my ($a, $b) = map { $_->[$w] ? join ' ', @{ $_->[$w] } : undef } @run;
        quit(1, "warp $w: a lane has more than $o{events} events: --events N") if !defined $a || !defined $b;
        $text .= "warp $w" . ($a eq $b ? ($a eq '' ? '' : " $a") : ' differs') . "\n";
    }
    return $text . "ptx\n$o{ptx}";
}

# ---- comparison ----

sub run_here {
    my ($dir, $command, @more) = @_;
    heddle("the $command", "$dir/said", $command, "$dir/traced.ptx", @launch, "$PARAM:u32[" . log_bytes() / 4 . ']', @more,
           '--dump', "$PARAM=$dir/log.$command", map { ('--dump', "$_->{name}=$dir/param.$_->{name}.$command") } grep { $_->{buffer} } @params);
    return sequences(slurp("$dir/log.$command"), scalar @{ $o{points} });
}

sub event { my $e = $_[0] // return 'ends'; my ($id, $mask) = split /:/, $e; return "$o{points}[$id - 1] (point $id) $mask" }

sub part {
    my ($w, $gpu, @other) = @_;
    my $i = 0;
    $i++ while !grep { ($_->[1][$i] // '') ne ($gpu->[$i] // '') } @other;
    my @b = (int($w / warps_of_block()), $w % warps_of_block());
    printf "warp %d (block %d, warp %d): part at event %d of %d\n", $w, @b, $i + 1, scalar @$gpu;
    printf "    %-5s %s\n", $_->[0], event($_->[1][$i]) for ['GPU', $gpu], @other;
}

sub compare {
    my ($dir, $text) = @_;
    my (%warp, %output, @gpu, $bad, $good, $differ) = ();
    ($bad, $good, $differ) = (0, 0, 0);
    for (split /\n/, $text) {
        last if $_ eq 'ptx';
        @gpu = ($1) if /^gpu (.*)/;
        $output{$1} = $2 if /^output (\w+) (\w+)$/;
        $warp{$1} = $2 // '' if /^warp (\d+)(?: (.*))?$/;
    }
    quit(2, "the recording is not whole: it has " . keys(%warp) . " of " . warps() . " warps")
        if !@gpu || grep { !defined $warp{$_} } 0 .. warps() - 1;
    spill("$dir/traced.ptx", $o{traced});
    my @here = (['model', run_here($dir, 'run')]);
    push @here, ['RTL', run_here($dir, 'lockstep', @core)] if !$o{model};
    print "GPU: $gpu[0]\n";
    for my $p (grep { $_->{buffer} } @params) {
        my $was = $output{ $p->{name} } // quit(2, "the recording lacks output $p->{name}");
        my @not = $was eq 'differs' ? () : grep { md5_hex(slurp("$dir/param.$p->{name}.$_->[1]")) ne $was }
                  (['model', 'run'], $o{model} ? () : ['RTL', 'lockstep']);
        print "output $p->{name}: differs between two runs on the GPU\n" if $was eq 'differs';
        print "output $p->{name}: not the GPU's on: ", join(' and ', map { $_->[0] } @not), "\n" if @not;
        $bad += @not;
    }
    for my $w (0 .. warps() - 1) {
        if ($warp{$w} eq 'differs') { print "warp $w: differs between two runs on the GPU\n"; $differ++; next }
        my @gpu_order = split ' ', $warp{$w};
        my @other = map { [$_->[0], $_->[1][$w] // quit(1, "warp $w: a lane has more than $o{events} events on the $_->[0]")] } @here;
        if (grep { "@{$_->[1]}" ne "@gpu_order" } @other) { part($w, \@gpu_order, @other) }
        else { $good++; printf "warp %d: equal, %d events\n", $w, scalar @gpu_order }
    }
    my $rest = warps() - $differ;
    printf "record: warps %d/%d in the GPU's order, %s%s\n", $good, $rest, $o{model} ? 'model' : 'model and RTL',
        $differ ? ", $differ differ between two runs on the GPU" : '';
    return $rest && $good == $rest && !$bad ? 0 : 1;
}

# ---- all of it ----

sub instrument {
    my ($name) = @_;
    @o{qw(traced points kernels)} = eval { trace_points($o{ptx}, $name, $o{events}) };
    quit(2, $@ =~ s/\n$//r) if $@;
    quit(2, "$name: there is no kernel") if !@{ $o{kernels} };
}

# A recording, or the head of a folder's, in place of the command's words.
sub take_recording {
    my ($text, $ptx) = @_;
    quit(2, "$o{from}: no recording") if $text !~ /^heddle silicon record 1\nevents (\d+)\nsource (.*)\nlaunch (.*)\n/;
    my ($events, $name, $launch) = ($1, $2, $3);
    my @words;
    push @words, $1 // $2 while $launch =~ /\G(?:'([^']*)'|(\S+))(?: |$)/gc;
    take_words(@words);
    ($o{events}, $source) = ($events, $name);
    ($o{ptx}) = $ptx // $text =~ /^ptx\n(.*)/ms;
    quit(2, "$o{from}: has no PTX") if !defined $o{ptx} || $o{ptx} eq '';
    instrument($name);
    my @was = $text =~ /^point \d+ (.*)$/mg;
    quit(2, "$o{from}: its trace points are not those of its PTX") if "@was" ne "@{$o{points}}";
}

sub main {
    my $dir = tempdir(CLEANUP => 1);
    my $c_text = do { local $/; <DATA> };
    take_words(@ARGV);
    if (defined $o{from}) {
        quit(2, '--from has its kernel and its launch with it') if defined $source || @launch || @cc;
        my $folder = -d $o{from};
        my $text = slurp($folder ? "$o{from}/recording.head" : $o{from});
        take_recording($text, $folder ? slurp("$o{from}/source.ptx") : undef);
        quit(2, "$o{from}: run.sh has not run there") if $folder && !-e "$o{from}/gpu.txt";
        $text = recording($o{from}) if $folder;
        spill($o{output}, $text) if defined $o{output};
        return compare($dir, $text);
    }
    quit(2, 'of which kernel? heddle silicon record --help') if !defined $source;
    quit(2, '--grid and --block are needed') if !defined $o{grid} || !defined $o{block};
    $o{events} //= 1024;
    quit(2, "--events: 1 to 65536") if $o{events} !~ /^\d+$/ || $o{events} < 1 || $o{events} > 65536;
    quit(2, 'the log would need more than 1 GiB: fewer warps, or --events N') if log_bytes() > 1 << 30;
    if ($source =~ /\.ptx$/) { $o{ptx} = slurp($source) }
    else {
        heddle('the command', "$dir/said", 'cc', $source, @cc, '-o', "$dir/source.ptx");
        $o{ptx} = slurp("$dir/source.ptx");
    }
    instrument(basename($source));
    my $to = $o{prepare} // $dir;
    -d $to or mkdir $to or quit(2, "cannot make $to: $!");
    spill("$to/source.ptx", $o{ptx});
    prepare($to, $c_text);
    if (defined $o{prepare}) { print "record: $to is ready: sh $to/run.sh\n"; return 0 }
    my $status = system('sh', "$to/run.sh") >> 8;
    exit($status == 2 ? 2 : 1) if $status;
    my $text = recording($to);
    spill($o{output}, $text) if defined $o{output};
    return compare($dir, $text);
}

$| = 1;
exit main();
