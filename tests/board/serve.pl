#!/usr/bin/perl
# Serves one client on this machine: sends a recorded stream, whatever it is asked, and reads until the client goes.
# SPDX-License-Identifier: Apache-2.0
# use: serve.pl FILE PORTFILE      the port's number goes into PORTFILE; FILE may be empty
use strict;
use warnings;
use IO::Socket::INET;

my ($file, $where) = @ARGV;
alarm 20;
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die "serve: $!\n";
open my $out, '>', "$where.new" or die "$where: $!\n";
print $out $server->sockport, "\n";
close $out;
rename "$where.new", $where;
my $client = $server->accept or die "serve: $!\n";
open my $in, '<:raw', $file or die "$file: $!\n";
local $/;
my $stream = <$in>;
print $client $stream if defined $stream;
$client->flush;
1 while sysread $client, my $asked, 4096;
