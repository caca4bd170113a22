# Where a body of PTX ends: for kernels.pl and judge/plan.pl.  SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;

# Where the text goes on after the body that begins behind $from; 0: there is none.  A line of inline assembly may be a brace
# alone.
sub body_end {
    my ($text, $from) = @_;
    my $depth = 0;
    pos($$text) = $from;
    while ($$text =~ m{//[^\n]*|"[^"\n]*"|([{}])}g) {
        next if !defined $1;
        $depth += $1 eq '{' ? 1 : -1;
        return pos $$text if $1 eq '}' && !$depth;
    }
    return 0;
}

1;
